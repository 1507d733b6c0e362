import { scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint, listEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { findDeliveryRows } from '../queries/deliveries.ts'
import { getOwnWebhookRow, presentDelivery, presentWebhook } from '../queries/present.ts'
import { findWebhookRows } from '../queries/webhooks.ts'
import { deliveryRecord, webhookRecord } from '../schema.ts'

const tag = 'webhooks'

export const webhookReads: Endpoint[] = [
  ...collectionEndpoints({
    path: '/api/webhooks/',
    access: scope('ME_READ'),
    name: 'Webhook',
    tag,
    summary: 'Your webhooks',
    description:
      'A webhook sends each change of the feed (`/api/changes/`) that its owner may see to an address, signed as Standard Webhooks describes, in order, until the receiver accepts it.',
    recordSummary: 'One of your webhooks',
    parameters: {},
    record: webhookRecord,
    find: async (context, _query, page) => {
      const { actor } = context
      return actor.kind === 'user' ? findWebhookRows(context, actor.userId, page) : { count: 0, rows: [] }
    },
    get: (context, { id }) => getOwnWebhookRow(context, id),
    present: presentWebhook,
  }),
  listEndpoint({
    path: '/api/webhooks/{id}/deliveries/',
    access: scope('ME_READ'),
    name: 'Webhook Delivery List',
    operationId: 'webhooks_deliveries_list',
    tag,
    summary: 'What a webhook sent in the last 30 days',
    description: 'The newest first. A delivery that failed is attempted again, for three days.',
    parameters: {},
    item: deliveryRecord,
    find: async (context, _query, page, { id }) => {
      if (!(await getOwnWebhookRow(context, id))) throw new Problem('not_found')
      return findDeliveryRows(context, id, page)
    },
    present: presentDelivery,
  }),
]
