import { randomBytes } from 'node:crypto'
import { findServer, freshDatabase } from '#test/support/database.ts'
import { runOn, urlOfDatabase } from '#test/support/postgres-server.ts'

/** A database without tables, as an operator creates it for a new instance. The first server on it applies all migrations. */
export async function emptyDatabase(): Promise<string> {
  const server = await findServer()
  const name = `empty_${randomBytes(8).toString('hex')}`
  await runOn(server, `create database ${name}`)
  return urlOfDatabase(server, name)
}

/** A database as another server has left it: a server starts on it in less time than on an empty one. */
export const migratedDatabase = async (): Promise<string> => (await freshDatabase()).url
