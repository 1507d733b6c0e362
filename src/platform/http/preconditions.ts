import type { RequestContext, WriteContext } from '#platform/auth/context.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { WriteEndpoint } from './endpoint.ts'
import { etagMatches, recordEtag } from './etag.ts'
import { jsonBytes } from './json.ts'
import { Problem, requireFound } from './problem.ts'

type Versioned = Pick<WriteEndpoint, 'target' | 'revision'>

/** ETags of a record, one per language because records contain labels; undefined if the caller cannot reach it. */
async function findEtags({ target, revision }: Versioned, context: RequestContext, path: object): Promise<string[] | undefined> {
  const etags: string[] = []
  const hidden = await revision?.(context, path as never)
  for (const language of SOURCE_LANGUAGES) {
    const record = await target!({ ...context, words: wordsFor(language, context.site.timeZone) }, path as never)
    if (record === undefined) return undefined
    etags.push(recordEtag(jsonBytes(record), hidden, context.site.keyring))
  }
  return etags
}

/** A parameter, so that a test can show the lost update without the second comparison. */
type PreconditionGuard = { comparesAgain: boolean }
const GUARD: PreconditionGuard = { comparesAgain: true }

type Write = {
  context: WriteContext
  endpoint: Versioned
  path: object
  ifMatch: string | undefined
  /** Of a batch: the transaction may have changed the record already. */
  hasEarlierWrites?: boolean
}

/**
 * Runs a write only if the record still has one of the ETags in If-Match. Compares before the write, which spares most of the work, and
 * once more after it: the command holds the locks of the record by then, so what is committed is what the write was based on.
 */
export async function withPrecondition<T>(
  { context, endpoint, path, ifMatch, hasEarlierWrites = false }: Write,
  perform: () => Promise<T>,
  { comparesAgain }: PreconditionGuard = GUARD,
): Promise<T> {
  if (!endpoint.target || ifMatch === undefined) return perform()
  const find = (db: WriteContext['db']) => findEtags(endpoint, { ...context, db }, path)
  const matches = (etags: string[]) => etags.some((etag) => etagMatches(ifMatch, etag))
  const etags = requireFound(await find(context.db))
  if (!matches(etags)) throw new Problem('precondition_failed')
  const isLocked = hasEarlierWrites && (await isChangedByTransaction(context, find))
  const result = await perform()
  if (comparesAgain && !isLocked) {
    const committed = await find(context.committed)
    if (!committed || !matches(committed)) throw new Problem('precondition_failed')
  }
  return result
}

const MAX_READS = 5

/** Whether the transaction itself changed the record, and holds its locks: it then differs from what is committed before and after. */
async function isChangedByTransaction(
  { db, committed }: WriteContext,
  find: (db: WriteContext['db']) => Promise<string[] | undefined>,
): Promise<boolean> {
  for (let read = 0; read < MAX_READS; read++) {
    const before = (await find(committed))?.join()
    const own = (await find(db))?.join()
    if (own === before) return false
    if ((await find(committed))?.join() === before) return true
  }
  throw new Problem('conflict', { headers: { 'retry-after': '1' } })
}
