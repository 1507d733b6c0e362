import { serviceAccounts } from '#features/access/service-accounts/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { defineFeature } from '#platform/feature.ts'
import { auditLogWords } from './words.ts'

export const auditLog = defineFeature({
  name: 'audit-log',
  uses: [people, serviceAccounts, events],
  reads: [
    'access_token',
    'attachment',
    'building_block',
    'content_page',
    'event',
    'event_template',
    'event_type',
    'federated_guest',
    'federated_host',
    'guest',
    'identity_provider',
    'journal',
    'oauth_application',
    'participation',
    'qualification',
    'qualification_category',
    'question',
    'resource',
    'resource_category',
    'service_account',
    'shift',
    'user_group',
    'user_profile',
    'visitor',
  ],
  readsAbove: { webhook: 'the log names everything that entries are about' },
  words: auditLogWords,
})
