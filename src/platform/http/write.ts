import { sql } from 'kysely'
import { z } from 'zod'
import type { Actor } from '#platform/auth/actor.ts'
import type { AnswerSubjects, WriteContext } from '#platform/auth/context.ts'
import { type Tx, transact, withoutParts } from '#platform/db/transaction.ts'
import type { Words } from '#platform/i18n/words.ts'
import { mayRead } from './access.ts'
import type { WriteEndpoint } from './endpoint.ts'
import { recordEtag } from './etag.ts'
import type { HttpContext } from './http-context.ts'
import { claimKey, type IdempotencyKey, type StoredResponse, storeResponse } from './idempotency.ts'
import { runInOrder } from './in-order.ts'
import { jsonBytes } from './json.ts'
import { withPrecondition } from './preconditions.ts'
import { Problem } from './problem.ts'

// biome-ignore lint/suspicious/noExplicitAny: paths and bodies are checked before
export type AnyWrite = WriteEndpoint<any, any>

/** One write with everything that was checked about it. */
export type Operation = {
  endpoint: AnyWrite
  path: object
  body: unknown
  ifMatch: string | undefined
  hasEarlierWrites?: boolean
}

/** PATCH, PUT and DELETE must name the version that they are based on. */
export function checkPreconditionGiven({ method }: Pick<AnyWrite, 'method'>, ifMatch: string | undefined): void {
  if (method !== 'POST' && ifMatch === undefined) throw new Problem('precondition_required')
}

/** To ask the rules about a request that lacks it. */
export const ifMatchOrAny = ({ method }: Pick<AnyWrite, 'method'>, ifMatch: string | undefined): string | undefined =>
  method === 'POST' ? ifMatch : (ifMatch ?? '*')

export async function performOperation(context: WriteContext, operation: Operation): Promise<StoredResponse> {
  const { headers, ...response } = await answerOperation(context, operation)
  const { location, ...others } = headers
  if (context.isDryRun) return asTried({ ...response, headers: { ...others, 'dry-run': 'true' } })
  if (location === undefined) return { ...response, headers }
  return { ...response, headers: { ...headers, location: new URL(location, context.site.url).href } }
}

/** A record that would be created has neither address nor version, and the status does not say that there is one. */
function asTried(response: StoredResponse): StoredResponse {
  if (response.status !== 201) return response
  const { etag: _etag, ...headers } = response.headers
  return { ...response, status: 200, headers }
}

async function answerOperation(context: WriteContext, operation: Operation): Promise<StoredResponse> {
  const { endpoint, path, body } = operation
  const answer = await withPrecondition({ context, ...operation }, () => endpoint.perform(context, path, body))
  const { status, headers = {}, body: record, result, revision, about, aboutRecord } = answer
  if (about) context.about?.users.add(about)
  if (aboutRecord) context.about?.records.add(aboutRecord)
  if (record === undefined) return { status, headers, body: undefined }
  const bytes = jsonBytes(record)
  if (context.about) collectUsers(JSON.parse(bytes.toString()), context.about.users)
  const etag = recordEtag(bytes, revision, context.site.keyring)
  if (isReadable(endpoint, status, context.actor)) {
    const shown = result ? JSON.stringify({ ...JSON.parse(bytes.toString()), ...result }) : bytes.toString()
    return { status, headers: { etag, ...headers }, body: shown }
  }
  // Dry runs with guesses would compare versions without leaving a trace.
  const version = context.isDryRun ? undefined : etag
  const { id } = JSON.parse(bytes.toString()) as { id?: number }
  return { status, headers: { ...(version ? { etag } : {}), ...headers }, body: JSON.stringify({ id, version, ...result }) }
}

/** Records name a person by the id in `user`, also inside of other records. */
function collectUsers(value: unknown, users: Set<number>): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, part] of Object.entries(value))
    if (key === 'user' && typeof part === 'number') users.add(part)
    else collectUsers(part, users)
}

function isReadable({ responses }: Pick<AnyWrite, 'responses'>, status: number, actor: Actor): boolean {
  const response = responses[status]
  if (!response?.schema) throw new Error(`the answer ${status} has a record and is not declared with one`)
  return mayRead(response.access, actor)
}

/** Instead of a record that the caller may not read. */
export const writtenRecord = z
  .strictObject({
    id: z.int().optional().describe('Of the record, if it has one'),
    version: z.string().optional().describe('The ETag of the record, for If-Match; not in dry runs'),
  })
  .meta({ id: 'Written', examples: [{ id: 12, version: '"q2mVGQpnmGe1VVf9lzsLfZ2y3Yk"' }] })

export type WriteRequest = {
  operation: Operation
  actor: Actor
  now: Date
  words: Words
  requestId: string
  isDryRun: boolean
  key: IdempotencyKey | undefined
}

/** Rolls the transaction back and takes the response out of it. */
class DryRunEnd extends Error {
  readonly response: StoredResponse
  constructor(response: StoredResponse) {
    super('dry run')
    this.response = response
  }
}

const MAX_ATTEMPTS = 5
const isForAnyVersion = ({ ifMatch }: Operation): boolean => ifMatch?.trim() === '*'

/**
 * How writes that overwrite any version wait for each other: in this process and on all nodes. A parameter, so that tests can show what
 * happens without one of them.
 */
type OrderGuard = { isQueued: boolean; isLocked: boolean }
const GUARD: OrderGuard = { isQueued: true, isLocked: true }

/** Runs a write. One that overwrites any version is repeated if somebody changed the record meanwhile, on a page for example. */
export async function runWrite(
  http: HttpContext,
  request: WriteRequest,
  { isQueued, isLocked }: OrderGuard = GUARD,
): Promise<StoredResponse> {
  const run = () => runOnce(http, request, isLocked)
  for (let attempt = 1; ; attempt++) {
    try {
      // A write that waits for others of this process holds no connection meanwhile: there are few, and other writes need them.
      const waits = isQueued && isForAnyVersion(request.operation)
      return await (waits ? runInOrder(nameOf(request.operation), run) : run())
    } catch (error) {
      const isConflict = error instanceof Problem && error.code === 'conflict'
      if (!isConflict || !isForAnyVersion(request.operation) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

const nameOf = ({ endpoint, path }: Operation): string => `${endpoint.path} ${JSON.stringify(path)}`

/** Writes to one record that overwrite any version run one after another on all nodes, so that none finds that another was faster. */
async function waitForOthers(db: Tx, operation: Operation): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${nameOf(operation)}, 0))`.execute(db)
}

/** In one transaction, together with the key that makes it repeatable. */
async function runOnce(http: HttpContext, request: WriteRequest, isLocked: boolean): Promise<StoredResponse> {
  const { operation, actor, now, words, requestId, isDryRun, key } = request
  try {
    return await transact(http.db.write, async (db) => {
      const stored = key && !isDryRun ? await claimKey(db, key, now) : undefined
      if (stored) return { ...unsealed(http, stored), headers: { ...stored.headers, 'idempotency-replayed': 'true' } }
      if (isLocked && isForAnyVersion(operation)) await waitForOthers(db, operation)
      const about: AnswerSubjects = { users: new Set(), records: new Set() }
      const context: WriteContext = {
        db,
        committed: http.db.read,
        actor,
        now,
        words,
        site: http.site,
        requestId,
        isDryRun,
        about,
      }
      const perform = () => performOperation(context, operation)
      const response = await (operation.endpoint.isOnePart ? withoutParts(db, perform) : perform())
      if (isDryRun) throw new DryRunEnd(response)
      if (key) await storeResponse(db, key, sealed(http, response), about)
      return response
    })
  } catch (error) {
    if (error instanceof DryRunEnd) return error.response
    throw error
  }
}

/** A response can contain a secret that is not stored in readable form otherwise. */
const sealed = ({ site }: HttpContext, response: StoredResponse): StoredResponse => ({
  ...response,
  body: response.body && site.keyring.seal(response.body),
})

const unsealed = ({ site }: HttpContext, stored: StoredResponse): StoredResponse => ({
  ...stored,
  body: stored.body && site.keyring.unseal(stored.body),
})
