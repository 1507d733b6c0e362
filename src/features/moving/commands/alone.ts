import type { Database } from '#platform/db/pool.ts'
import { countOthers } from '../queries/tables.ts'
import { ArchiveRefused } from './refusals.ts'

/** For what fills a whole instance: a server would go on with what it remembers of the former one. */
export async function requireAlone({ write, readPool, writePool }: Database): Promise<void> {
  const own = readPool.totalCount + writePool.totalCount + 1
  if ((await countOthers(write, own)) > 0)
    throw new ArchiveRefused('A server or another command is using this database. Stop it first.')
}
