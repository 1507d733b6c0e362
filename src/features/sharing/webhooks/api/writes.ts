import type { WriteContext } from '#platform/auth/context.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, writeEndpoint } from '#platform/http/endpoint.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { askForResend, askForTest } from '../commands/ask.ts'
import { changeWebhook, createWebhook, deleteWebhook, rotateWebhookSecret } from '../commands/webhooks.ts'
import { getDeliveryRow } from '../queries/deliveries.ts'
import { presentDelivery, presentOwnWebhook } from '../queries/present.ts'
import type { WebhookRefusal } from '../rules/webhooks.ts'
import { deliveryRecord, newWebhookBody, newWebhookRecord, rotationBody, webhookChangeBody, webhookRecord } from '../schema.ts'
import { refusalText } from '../views/refusal.ts'

const tag = 'webhooks'
const access = scope('ME_WRITE')
const SCOPES_NEEDED = 'The token needs the scopes of the webhook, too.'
const RECORD = { description: 'The webhook', schema: webhookRecord, access: scope('ME_READ') }
const WITH_SECRET = { description: 'The webhook with its new secret', schema: newWebhookRecord, access: scope('ME_READ') }
const DELIVERY = { description: 'The delivery, which is sent within seconds', schema: deliveryRecord, access: scope('ME_READ') }

const target = (context: WriteContext, { id }: { id: number }) => presentOwnWebhook(context, id)

export const webhookWrites: Endpoint[] = [
  writeEndpoint({
    method: 'POST',
    path: '/api/webhooks/',
    access,
    name: 'Webhook List',
    operationId: 'webhooks_create',
    tag,
    summary: 'Add a webhook',
    description: `It starts with the next change. ${SCOPES_NEEDED} Applications that people authorised cannot add webhooks. Kinds of which the scopes never show a change are refused with \`scope_missing\`.`,
    body: newWebhookBody,
    responses: { 201: WITH_SECRET },
    perform: async (context, _path, body) => {
      const outcome = await createWebhook(context, body)
      if (!outcome.ok) throw refusalProblem(context, outcome.refusals)
      const { id, secret } = outcome
      const webhook = await presentOwnWebhook(context, id)
      return { status: 201, body: webhook, result: { secret }, headers: { location: `/api/webhooks/${id}/` } }
    },
  }),
  writeEndpoint({
    method: 'PATCH',
    path: '/api/webhooks/{id}/',
    access,
    name: 'Webhook Instance',
    operationId: 'webhooks_update',
    tag,
    summary: 'Change, pause or resume a webhook',
    description: `Keys that are absent stay as they are. ${SCOPES_NEEDED}`,
    body: webhookChangeBody,
    target,
    responses: { 200: RECORD },
    perform: async (context, { id }, body) => {
      const outcome = requireFound(await changeWebhook(context, id, body))
      if (!outcome.ok) throw refusalProblem(context, outcome.refusals)
      return { status: 200, body: await presentOwnWebhook(context, id) }
    },
  }),
  writeEndpoint({
    method: 'DELETE',
    path: '/api/webhooks/{id}/',
    access,
    name: 'Webhook Instance',
    operationId: 'webhooks_delete',
    tag,
    summary: 'Delete a webhook with its log',
    target,
    responses: { 204: { description: 'Deleted' } },
    perform: async (context, { id }) => {
      requireFound(await deleteWebhook(context, id))
      return { status: 204 }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/webhooks/{id}/rotate-secret/',
    access,
    name: 'Webhook Secret',
    operationId: 'webhooks_rotate_secret',
    tag,
    summary: 'Generate a new secret',
    description: `For some time, requests carry signatures of both secrets. ${SCOPES_NEEDED}`,
    body: rotationBody,
    target,
    responses: { 200: WITH_SECRET },
    perform: async (context, { id }, { overlap_hours: hours }) => {
      await requireOwn(context, id)
      const { secret } = requireFound(await rotateWebhookSecret(context, id, hours))
      return { status: 200, body: await presentOwnWebhook(context, id), result: { secret } }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/webhooks/{id}/test/',
    access,
    name: 'Webhook Test',
    operationId: 'webhooks_test',
    tag,
    summary: 'Send a test delivery',
    description: `Sends a change of the kind \`test\`, also while the webhook is paused. ${SCOPES_NEEDED}`,
    target,
    responses: { 201: DELIVERY },
    perform: async (context, { id }) => {
      await requireOwn(context, id)
      const { deliveryId } = requireFound(await askForTest(context, id))
      return { status: 201, body: await presentOf(context, deliveryId) }
    },
  }),
  writeEndpoint({
    method: 'POST',
    path: '/api/webhooks/{id}/deliveries/{delivery}/resend/',
    access,
    name: 'Webhook Delivery Resend',
    operationId: 'webhooks_deliveries_resend',
    tag,
    summary: 'Send a delivery again',
    description: `With the same \`webhook-id\` and body. ${SCOPES_NEEDED}`,
    responses: { 200: DELIVERY },
    perform: async (context, { id, delivery }) => {
      await requireOwn(context, id)
      const outcome = requireFound(await askForResend(context, id, delivery))
      if (!outcome.ok) {
        const detail = context.words.t('webhooks.still_waiting')
        throw new Problem('refused', { errors: [{ code: outcome.reason, detail }] })
      }
      return { status: 200, body: await presentOf(context, delivery) }
    },
  }),
]

/** 404 for webhooks of others, also for administrators, who manage them on pages. */
async function requireOwn(context: WriteContext, id: number): Promise<void> {
  requireFound(await presentOwnWebhook(context, id))
}

async function presentOf(context: WriteContext, id: number) {
  const row = requireFound(await getDeliveryRow(context.db, id))
  return presentDelivery(row, context)
}

function refusalProblem({ words }: WriteContext, refusals: readonly WebhookRefusal[]): Problem {
  const errors = refusals.map((refusal) => ({
    ...(refusal.field === undefined ? {} : { pointer: `/${refusal.field}` }),
    code: refusal.reason,
    detail: refusalText(words, refusal, (kind) => kind),
  }))
  return new Problem(refusals.some(({ field }) => field === undefined) ? 'refused' : 'invalid_input', { errors })
}
