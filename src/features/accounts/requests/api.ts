import { z } from 'zod'
import { getSettings } from '#features/operations/settings/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, listEndpoint, recordEndpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { wireTime, wireTimeOrNull } from '#platform/http/time-format.ts'
import type { RequestKind } from './access.ts'
import { decideRequest } from './commands.ts'
import { requestKinds } from './points.ts'
import { type DecidableRequest, findDecidableRequests, getDecidableRequest } from './queries.ts'
import { MAX_COMMENT_LENGTH, requestParameters, requestRecord, requestSettings } from './schema.ts'

const decisionBody = z
  .strictObject({ comment: z.string().trim().max(MAX_COMMENT_LENGTH).default('') })
  .meta({ example: { comment: 'Thank you' } })

const DECISIONS = [
  {
    path: '/api/requests/{id}/approve/',
    decision: 'grant',
    name: 'Approve Request',
    operationId: 'requests_approve_create',
    summary: 'Approve a request, and do what was asked for',
    description: 'Also a rejected one. If it cannot be carried out, its state is `failed`, with the cause in `comment`.',
  },
  {
    path: '/api/requests/{id}/reject/',
    decision: 'refuse',
    name: 'Reject Request',
    operationId: 'requests_reject_create',
    summary: 'Reject a request',
    description: 'The person gets the comment.',
  },
] as const

const tag = 'requests'

type DescribedRequest = DecidableRequest & { text: string }

/** The order of the keys is part of the contract. */
const presentRequest = (row: DescribedRequest, { site }: Pick<RequestContext, 'site'>) => ({
  id: row.id,
  kind: row.kind,
  user: row.user_id,
  state: row.state,
  text: row.text,
  comment: row.comment,
  created_at: wireTime(row.created_at, site.timeZone),
  decided_at: wireTimeOrNull(row.decided_at, site.timeZone),
})

/** Requests of people that others decide about: working hours, and qualifications with proofs. */
const access = scope('CONFIDENTIAL_READ')
const reads: Endpoint[] = [
  listEndpoint({
    path: '/api/requests/',
    access,
    name: 'Request List',
    operationId: 'requests_list',
    tag,
    summary: 'Requests that the caller decides about, also decided ones',
    parameters: requestParameters,
    item: requestRecord,
    find: async (context, { state }, page) => {
      const kinds = context.site.added(requestKinds)
      const { rows, ...rest } = await findDecidableRequests(context, { kinds, state }, page)
      return { ...rest, rows: rows.map((row) => describe(context, kinds, row)) }
    },
    present: presentRequest,
  }),
  recordEndpoint({
    path: '/api/requests/{id}/',
    access,
    name: 'Request Instance',
    operationId: 'requests_retrieve',
    tag,
    summary: 'One request that the caller decides about',
    parameters: {},
    record: requestRecord,
    get: (context, { id }) => getDescribed(context, id),
    present: presentRequest,
  }),
]

const present = async (context: RequestContext, id: number) => {
  const request = await getDescribed(context, id)
  return request && presentRequest(request, context)
}

const decisions: Endpoint[] = DECISIONS.map(({ path, decision, name, operationId, summary, description }) =>
  writeEndpoint({
    method: 'POST',
    path,
    access: scope('CONFIDENTIAL_WRITE'),
    name,
    operationId,
    tag,
    summary,
    description: `${description} For those who decide such requests.`,
    body: decisionBody,
    target: (context, { id }) => present(context, id),
    responses: { 200: { description: 'The request', schema: requestRecord, access: scope('CONFIDENTIAL_READ') } },
    perform: async (context, { id }, { comment }) => {
      const { four_eyes_requests: needsFourEyes } = await getSettings(context.db, requestSettings)
      const outcome = requireFound(await decideRequest(context, { id, decision, comment, needsFourEyes }))
      if (outcome.ok) return { status: 200, body: await present(context, id) }
      const detail = context.words.t(`requests.not_decided_${outcome.reason}`)
      throw new Problem('refused', { errors: [{ code: outcome.reason, detail }] })
    },
  }),
)

export const requestsApi: Endpoint[] = [...reads, ...decisions]

/** The queries return requests of these kinds only. */
function describe({ words }: RequestContext, kinds: readonly RequestKind[], row: DecidableRequest): DescribedRequest {
  const kind = kinds.find(({ name }) => name === row.kind)!
  return { ...row, text: kind.describe(words, row).text }
}

/** Undefined if the caller does not decide about it. */
async function getDescribed(context: RequestContext, id: number): Promise<DescribedRequest | undefined> {
  const kinds = context.site.added(requestKinds)
  const row = await getDecidableRequest(context, kinds, id)
  return row && describe(context, kinds, row)
}
