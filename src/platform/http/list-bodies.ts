import { BodyCache, perDatabase } from '#platform/db/body-cache.ts'

/** About 170 pages of 50 events. */
const MOST_BYTES = 16 * 1024 * 1024

/** A page of a list, as it is sent. */
type SentList = { bytes: Buffer; etag: string; link: string | undefined }

/** Pages by all that they depend on, for lists that know it before the body. Callers who see the same get the same bytes. */
export const listBodies = perDatabase(() => new BodyCache<SentList>(MOST_BYTES))

/** For benchmarks and tests without a warm cache. */
export const forgetListBodies = (db: object): void => listBodies(db).clear()
