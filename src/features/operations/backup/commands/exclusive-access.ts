import type { Database } from '#platform/db/pool.ts'
import { countOtherConnections } from '../queries/tables.ts'
import { TransferError } from './transfer-error.ts'

/** For restore and import: a running server would keep serving cached data of the former instance. */
export async function requireExclusiveAccess({ write, readPool, writePool }: Database): Promise<void> {
  const own = readPool.totalCount + writePool.totalCount + 1
  if ((await countOtherConnections(write, own)) > 0)
    throw new TransferError('A server or another command is using this database. Stop it first.')
}
