import { z } from 'zod'
import type { WriteContext } from '#platform/auth/context.ts'
import { type Clock, monotonicMs, systemClock } from '#platform/clock.ts'
import { transact } from '#platform/db/transaction.ts'
import { anyUser, checkApiAccess } from './access.ts'
import { resolveReferences } from './batch-references.ts'
import { judgeWriteBody } from './body.ts'
import { type Endpoint, type WriteEndpoint, writeEndpoint } from './endpoint.ts'
import type { StoredResponse } from './idempotency.ts'
import { checkPathShape, readApiPath, routeUrl } from './path.ts'
import { Problem, type ProblemCode, problemBody } from './problem.ts'
import { moved } from './routing.ts'
import { collectMistakes } from './rule-pass.ts'
import { type AnyWrite, checkPreconditionGiven, ifMatchOrAny, type Operation, performOperation } from './write.ts'

const MAX_OPERATIONS = 100
/** Its locks hold up other writes. */
const MAX_BATCH_MS = 60_000
const BATCH_PATH = '/api/batch/'

const operationSchema = z.strictObject({
  method: z.enum(['POST', 'PATCH', 'PUT', 'DELETE']),
  path: z.string().max(500).describe('Address of the write, without host and query: `/api/shifts/7/signup/`'),
  body: z
    .unknown()
    .optional()
    .meta({ type: 'object', additionalProperties: true, description: 'As without the batch; none is an empty object' }),
  if_match: z.string().max(500).optional().describe('As the header If-Match'),
})
const batchBody = z
  .strictObject({ operations: z.array(operationSchema).min(1).max(MAX_OPERATIONS) })
  .meta({ example: { operations: [{ method: 'POST', path: '/api/shifts/7/signup/', body: {} }] } })
const batchResult = z.strictObject({
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.record(z.string(), z.unknown()).nullable(),
})
const batchRecord = z
  .strictObject({ results: z.array(batchResult).describe('In the order of the operations') })
  .meta({ id: 'BatchResults', examples: [{ results: [{ status: 204, headers: {}, body: null }] }] })

type Given = z.infer<typeof operationSchema>
type Result = z.infer<typeof batchResult>
type Find = (given: Given) => Found | undefined
type Found = { endpoint: AnyWrite; segments: Record<string, string> }

/** Runs many writes in one transaction: all of them are carried out, or none. */
export function batchEndpoint(findEndpoints: () => Endpoint[], clock: Clock = systemClock): WriteEndpoint {
  let routes: { endpoint: AnyWrite; pattern: RegExp }[] | undefined
  const find = ({ method, path }: Given): Found | undefined => {
    routes ??= findEndpoints()
      .filter((endpoint) => endpoint.kind === 'write' && endpoint.path !== BATCH_PATH && !endpoint.prepare)
      .sort((a, b) => literalsIn(b.path) - literalsIn(a.path))
      .map((endpoint) => ({ endpoint: endpoint as AnyWrite, pattern: patternOf(endpoint.path) }))
    for (const { endpoint, pattern } of routes) {
      const match = endpoint.method === method ? pattern.exec(path) : null
      if (match) return { endpoint, segments: decodeSegments(match.groups ?? {}) }
    }
    return undefined
  }
  return writeEndpoint({
    method: 'POST',
    path: BATCH_PATH,
    access: anyUser,
    name: 'Batch',
    operationId: 'batch_create',
    tag: 'batch',
    summary: `Up to ${MAX_OPERATIONS} writes in one transaction`,
    description:
      'Carries out all writes in their order, or none of them. Each needs the scope and the permission that it needs alone. A batch that takes longer than a minute is refused with 413. If one fails, the problem `batch_failed` lists the result of each in `results`. Later writes can refer to results of earlier ones: `{0/body/id}` in `path` and `if_match` is the id that the first one answered, `{"$result": "0/body/id"}` in a body the same as a value.',
    body: batchBody,
    responses: { 200: { description: 'All writes were carried out', schema: batchRecord, access: anyUser } },
    perform: async (context, _path, { operations }) => {
      const results: Result[] = []
      const begin = monotonicMs(clock)
      for (const given of operations) {
        if (monotonicMs(clock) - begin > MAX_BATCH_MS)
          throw new Problem('too_large', { detail: context.words.t('problem.long_batch') })
        results.push(await runAlone(context, given, results, find))
      }
      const failed = results.flatMap(({ status, body }, index) => (status >= 300 ? [{ index, body }] : []))
      if (!failed.length) return { status: 200, body: { results } }
      const errors = failed.map(({ index, body }) => {
        const { code, detail } = body as { code: ProblemCode; detail: string }
        return { pointer: `/operations/${index}`, code, detail }
      })
      throw new Problem('batch_failed', { errors, members: { results } })
    },
  }) as WriteEndpoint
}

/** A failed write leaves no trace in the transaction, so that the following ones can be judged, too. */
async function runAlone(context: WriteContext, given: Given, earlier: readonly Result[], find: Find): Promise<Result> {
  try {
    const operation = await check(context, resolve(context, given, earlier), find)
    const { status, headers, body } = await runPart(context, { ...operation, hasEarlierWrites: earlier.length > 0 })
    return { status, headers, body: body === undefined ? null : JSON.parse(body) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const body = JSON.parse(problemBody(error, context.words, context.requestId ?? ''))
    return { status: error.status, headers: error.headers, body }
  }
}

function resolve({ words }: WriteContext, given: Given, earlier: readonly Result[]): Given {
  const resolved = resolveReferences(given, earlier)
  if (resolved.ok) return resolved.step
  const detail = words.t('problem.unknown_result')
  throw new Problem('invalid_input', { errors: [{ pointer: resolved.pointer, code: 'unknown_result', detail }] })
}

const runPart = (context: WriteContext, operation: Operation): Promise<StoredResponse> =>
  transact(context.db, (db) => performOperation({ ...context, db }, operation))

class RollBack extends Error {}

/** Shows which rules refuse the write, and leaves nothing of it in the transaction. */
async function tryPart(context: WriteContext, operation: Operation): Promise<void> {
  try {
    await transact(context.db, async (db) => {
      await performOperation({ ...context, db }, operation)
      throw new RollBack()
    })
  } catch (error) {
    if (!(error instanceof RollBack)) throw error
  }
}

/** As outside of a batch: if only the slash at the end is missing, the problem names the address. */
function requireWrite({ site }: WriteContext, given: Given, find: Find): Found {
  const found = find(given)
  if (found) return found
  const path = `${given.path}/`
  throw find({ ...given, path }) ? moved(new URL(path, site.url).href) : new Problem('not_found')
}

async function check(context: WriteContext, given: Given, find: Find): Promise<Operation> {
  const { endpoint, segments } = requireWrite(context, given, find)
  const { actor, words } = context
  checkPathShape(segments)
  checkApiAccess(endpoint.access, actor, 'valid')
  const path = readApiPath(segments)
  const value = given.body ?? {}
  const { body, errors } = judgeWriteBody(value, endpoint.body, words.language)
  if (errors.length) {
    const ifMatch = ifMatchOrAny(endpoint, given.if_match)
    const attempt = (repaired: unknown) => tryPart(context, { endpoint, path, body: repaired, ifMatch })
    throw await collectMistakes({ value, endpoint, errors }, words.language, attempt)
  }
  checkPreconditionGiven(endpoint, given.if_match)
  return { endpoint, path, body, ifMatch: given.if_match }
}

/** As the router: `users/me` is not the user with the id `me`. */
const literalsIn = (path: string): number => path.replaceAll(/\{\w+\}/g, '').length

const patternOf = (path: string): RegExp => new RegExp(`^${routeUrl(path).replaceAll(/:(\w+)/g, '(?<$1>[^/?#]+)')}$`)

function decodeSegments(segments: Record<string, string>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(segments).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch (cause) {
    throw new Problem('not_found', { cause })
  }
}
