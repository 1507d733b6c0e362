import { randomBytes } from 'node:crypto'
import { freshDatabase } from '#test/support/database.ts'
import { runOn, urlOfDatabase } from '#test/support/postgres-server.ts'

/** A database without tables, as an operator creates it for a new instance. */
export async function emptyDatabase(): Promise<string> {
  const { url } = await freshDatabase()
  const name = `empty_${randomBytes(8).toString('hex')}`
  await runOn(url, `create database ${name}`)
  return urlOfDatabase(url, name)
}
