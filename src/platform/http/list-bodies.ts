import { BodyCache, perDatabase } from '#platform/db/body-cache.ts'

/** About 170 pages of 50 events. */
const MOST_BYTES = 16 * 1024 * 1024

/** Bodies of lists by their ETag, for lists whose ETag is known before the body. Callers who see the same get the same bytes. */
export const listBodies = perDatabase(() => new BodyCache(MOST_BYTES))

/** For benchmarks and tests without a warm cache. */
export const forgetListBodies = (db: object): void => listBodies(db).clear()
