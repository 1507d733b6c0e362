import type { Actor } from '#platform/auth/actor.ts'
import type { WriteContext } from '#platform/auth/context.ts'
import { transact } from '#platform/db/transaction.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { WriteEndpoint } from './endpoint.ts'
import { recordEtag } from './etag.ts'
import type { HttpContext } from './http-context.ts'
import { claimKey, type IdempotencyKey, type StoredResponse, storeResponse } from './idempotency.ts'
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

export async function performOperation(context: WriteContext, operation: Operation): Promise<StoredResponse> {
  const { endpoint, path, body } = operation
  const answer = await withPrecondition({ context, ...operation }, () => endpoint.perform(context, path, body))
  if (answer.body === undefined) return { status: answer.status, headers: answer.headers ?? {}, body: undefined }
  const bytes = jsonBytes(answer.body)
  const etag = recordEtag(bytes, answer.revision, context.site.keyring)
  return { status: answer.status, headers: { etag, ...answer.headers }, body: bytes.toString() }
}

type WriteRequest = {
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

/** Runs a write in one transaction, together with the key that makes it repeatable. */
export async function runWrite(http: HttpContext, request: WriteRequest): Promise<StoredResponse> {
  const { operation, actor, now, words, requestId, isDryRun, key } = request
  try {
    return await transact(http.db.write, async (db) => {
      const stored = key && !isDryRun ? await claimKey(db, key, now) : undefined
      if (stored) return { ...unsealed(http, stored), headers: { ...stored.headers, 'idempotency-replayed': 'true' } }
      const context: WriteContext = { db, committed: http.db.read, actor, now, words, site: http.site, requestId }
      const response = await performOperation(context, operation)
      if (isDryRun) throw new DryRunEnd(response)
      if (key) await storeResponse(db, key, sealed(http, response))
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
