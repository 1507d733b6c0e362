import { serviceAccounts } from '#features/access/service-accounts/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { managementAreas } from '#platform/features/layout.ts'
import { auditLogPages, eventLogPage } from './pages.ts'
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
    'participation_comment',
    'qualification',
    'qualification_category',
    'question',
    'removed_participation',
    'removed_shift',
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
  pages: [...auditLogPages, eventLogPage],
  adds: [
    eventPage.action.add(
      {
        href: (id) => `/events/${id}/log/`,
        task: 'after',
        label: 'plan.log',
        icon: 'history',
        isFor: ({ mayChange }) => mayChange,
      },
      20,
    ),
    managementAreas.add(
      {
        href: '/manage/log/',
        group: 'instance',
        icon: 'history',
        label: 'manage.log',
        text: 'manage.log_text',
        isFor: (actor) => hasPermission(actor, 'view_journal'),
      },
      90,
    ),
  ],
})
