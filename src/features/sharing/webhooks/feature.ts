import { sql } from 'kysely'
import { tokens } from '#features/access/tokens/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing, redacting } from '#features/accounts/users/points.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { changeFeed } from '#features/sharing/change-feed/feature.ts'
import { changeFeedOf } from '#features/sharing/change-feed/jobs.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { endpointsOf } from '#platform/features/compose.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages, managementAreas } from '#platform/features/layout.ts'
import { isOn } from '#platform/features/modules.ts'
import { oncePerRuntime } from '#platform/features/runtime.ts'
import type { Endpoint } from '#platform/http/endpoint.ts'
import { webhookReads } from './api/reads.ts'
import { webhookWrites } from './api/writes.ts'
import { deleteDeliveriesAbout, deleteWebhooksOf } from './commands/webhooks.ts'
import { Dispatcher } from './jobs/dispatcher.ts'
import { webhookTasks } from './jobs/tasks.ts'
import { webhookOff } from './kinds/webhook-off.ts'
import { webhookPages } from './pages.ts'
import { webhooksPersonalData } from './personal-data.ts'
import { exampleMessages } from './schema.ts'
import { webhooksWords } from './words.ts'

/** A receiver of webhooks has so long to answer. */
const OUTBOUND_LIMITS = { deadlineMs: 10_000, reusesConnections: true }

/** Sends changes to webhooks. */
const dispatcherOf = oncePerRuntime((runtime) => {
  const endpoints: Endpoint[] = endpointsOf(runtime.features, () => endpoints)
  return new Dispatcher({
    endpoints,
    db: runtime.db,
    feed: changeFeedOf(runtime),
    clock: runtime.clock,
    site: runtime.site,
    outbound: runtime.outbound(OUTBOUND_LIMITS),
    isOn: async () => {
      await runtime.modules.refresh()
      return isOn(runtime.site, 'integrations')
    },
    onError: (error) => runtime.log.warn({ err: error }, 'webhooks could not be sent'),
  })
})

const SENT =
  'Sent to the `url` of each webhook whose `kinds` and `scopes` it fits, signed by Standard Webhooks. Answer with any 2xx within ten seconds.'
const HEADERS = {
  'webhook-id': 'The cursor of the change; the same when it is sent again',
  'webhook-timestamp': 'Seconds since 1970',
  'webhook-signature': 'One signature `v1,…` for each valid secret, separated by blanks',
}

export const webhooks = defineFeature({
  name: 'webhooks',
  module: { partOf: 'integrations', countUses: () => sql`select count(*)::int from webhook` },
  uses: [notificationKinds, users, tokens, changeFeed],
  tables: ['webhook', 'webhook_queue', 'webhook_delivery'],
  impersonalTables: {
    webhook_delivery: 'what was sent to others; an erasure deletes those that name the person',
    webhook_queue: 'counters',
  },
  reads: ['service_account', 'user_profile'],
  words: webhooksWords,
  personalData: webhooksPersonalData,
  pages: webhookPages,
  apiTags: {
    webhooks: 'Addresses that changes are sent to.',
  },
  apiWebhooks: {
    Change: {
      summary: 'A change, as the feed lists it',
      description: SENT,
      headers: HEADERS,
    },
    ChangeWithRecord: {
      summary: 'A change with its record',
      description: `Sent by webhooks with \`include_record\`. The record is read when the message is sent, so it can be newer than the change, and another one when the message is sent again. ${SENT}`,
      headers: HEADERS,
      examples: exampleMessages,
    },
  },
  endpoints: [...webhookReads, ...webhookWrites],
  tasks: webhookTasks,
  processes: (runtime) => [
    { runsWith: ['worker'], start: () => dispatcherOf(runtime).start(), stop: () => dispatcherOf(runtime).stop() },
  ],
  adds: [
    notificationKind.add(webhookOff, 320),
    erasing('webhooks', deleteWebhooksOf),
    redacting('webhook deliveries', (tx, { pattern }) => deleteDeliveriesAbout(tx, pattern)),
    accountPages.add({ href: '/settings/webhooks/', label: 'settings.webhooks', icon: 'webhook', isFolded: true }, 120),
    managementAreas.add(
      {
        href: '/manage/webhooks/',
        group: 'technology',
        icon: 'webhook',
        label: 'webhooks.title',
        text: 'webhooks.place_text',
        isFor: isStaff,
      },
      230,
    ),
  ],
  sampleData: async () => (await import('./sample.ts')).loadWebhook,
})
