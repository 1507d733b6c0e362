import type { Kysely } from 'kysely'
import { ADDRESSES, type ChangeKind } from '#features/sharing/change-feed/rules/kinds.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext, Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { DB } from '#platform/db/tables.ts'
import { mayRead } from '#platform/http/access.ts'
import type { Endpoint, RecordEndpoint } from '#platform/http/endpoint.ts'
import { jsonBytes } from '#platform/http/json.ts'
import { type Parameters, readParameters } from '#platform/http/parameters.ts'
import { Problem } from '#platform/http/problem.ts'
import { parseRawQuery } from '#platform/http/raw-query.ts'
import { wordsFor } from '#platform/i18n/words.ts'

/** JSON of the record of a change; `null` in JSON if there is none that the actor may read. Undefined: it could not be read. */
export type RecordReader = (actor: UserActor, change: { kind: string; id: number; what: string }) => Promise<string | undefined>

type ReaderOptions = {
  db: Kysely<DB>
  site: Site
  clock: Clock
  endpoints: readonly Endpoint[]
  onError: (error: Error) => void
}
// biome-ignore lint/suspicious/noExplicitAny: the reader does not look into paths and rows
type AnyRecord = RecordEndpoint<any, Parameters, any>

/** Reads as the endpoints answer, with their access checks. */
export function makeRecordReader({ db, site, clock, endpoints, onError }: ReaderOptions): RecordReader {
  const byPath = new Map(endpoints.flatMap((each) => (each.kind === 'record' ? [[each.path as string, each] as const] : [])))
  return async (actor, { kind, id, what }) => {
    const paths = what === 'gone' ? [] : (ADDRESSES[kind as ChangeKind] ?? [])
    const context: RequestContext = { db, actor, now: clock.now(), words: wordsFor('en', site.timeZone), site }
    try {
      for (const path of paths) {
        // Records without an id in their address are those of the caller.
        if (!path.includes('{id}') && id !== actor.userId) continue
        const record = await readOne(byPath.get(path)!, context, id)
        if (record !== undefined) return record
      }
    } catch (error) {
      onError(error as Error)
      return undefined
    }
    return 'null'
  }
}

async function readOne(endpoint: AnyRecord, context: RequestContext, id: number): Promise<string | undefined> {
  if (!mayRead(endpoint.access, context.actor)) return undefined
  try {
    const query = await readParameters(endpoint.parameters, parseRawQuery(endpoint.path), context)
    const row = await endpoint.get(context, { id }, query, NO_CONNECTION)
    if (row === undefined) return undefined
    const presented = endpoint.present(row, context, { origin: new URL(context.site.url).origin, suffix: undefined })
    return jsonBytes(presented).toString()
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

/** Nobody waits for these records. */
const NO_CONNECTION = {
  signal: new AbortController().signal,
  lastEventId: undefined,
  identify: () => Promise.reject(new Error('there is no request')),
}
