import { BodyCache, perDatabase } from '#platform/db/body-cache.ts'

/** About 170 pages of 50 events. */
const MOST_BYTES = 16 * 1024 * 1024

/** A page of a list, as it is sent. */
export type SentList = { bytes: Buffer; etag: string; link: string | undefined }

/** Pages by all that they depend on, for lists that know it before the body. Callers who see the same get the same bytes. */
const pages = perDatabase(() => ({ kept: new BodyCache<SentList>(MOST_BYTES), running: new Map<string, Promise<SentList>>() }))

export const keptList = (db: object, key: string): SentList | undefined => pages(db).kept.get(key)

/** Builds a page and keeps it. Requests at the same time, as after a change, share the work. */
export function buildList(db: object, key: string, build: () => Promise<SentList>): Promise<SentList> {
  const { kept, running } = pages(db)
  const known = running.get(key)
  if (known) return known
  const begun = build()
    .then((sent) => {
      kept.set(key, sent)
      return sent
    })
    .finally(() => running.delete(key))
  running.set(key, begun)
  return begun
}

/** For benchmarks and tests without a warm cache. */
export const forgetListBodies = (db: object): void => pages(db).kept.clear()
