import type { RequestContext } from '#platform/auth/context.ts'
import { perDatabase } from '#platform/db/body-cache.ts'
import { StateCache } from '#platform/db/state.ts'
import type { Pagination } from '#platform/http/paging.ts'

const MOST_PAGES = 2_000
const pages = perDatabase(() => new StateCache<unknown>(MOST_PAGES))

/** For benchmarks and tests without a warm cache. */
export const forgetPages = (db: object): void => pages(db).clear()

/**
 * What a page of a list consists of, such as ids and the count. Clients poll the same page. While nothing is written that it depends
 * on, the cached value is valid: `find` may read only what triggers mark (decision 29), and nothing that depends on the time.
 */
export async function rememberPage<T>(
  list: string,
  { actor, db }: RequestContext,
  { limit, offset }: Pagination,
  find: () => Promise<T>,
): Promise<T> {
  if (actor.kind !== 'user' || actor.eventsState === undefined) return find()
  return pages(db).get(`${list} ${actor.userId} ${limit} ${offset}`, actor.eventsState, find) as Promise<T>
}
