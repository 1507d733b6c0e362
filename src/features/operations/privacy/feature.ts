import { signIn } from '#features/access/sign-in/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { personPage } from '#features/accounts/people/points.ts'
import { users } from '#features/accounts/users/feature.ts'
import { accountHooks, erasing, erasureSteps, redacting } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { auditLog } from '#features/operations/audit-log/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { isStaff } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages, managementAreas } from '#platform/features/layout.ts'
import { personalDataOf } from '#platform/features/personal-data.ts'
import { retentionRulesOf } from '#platform/features/retention.ts'
import { deleteKeysAbout } from '#platform/http/idempotency.ts'
import { redactJournal } from '#platform/journal/journal.ts'
import { deletePersonalData } from './commands/erasure.ts'
import { deleteErasureRequestOf } from './commands/erasure-requests.ts'
import { privacyTasks } from './jobs.ts'
import { accessSection, eventAccessPage } from './pages/access.ts'
import { privacyManagePages } from './pages/manage.ts'
import { mergeAction, mergePage } from './pages/merge.ts'
import { ownDataPages } from './pages/own.ts'
import { privacyPersonalData } from './personal-data.ts'
import { findMentions, findNames, getIdentifyingPattern } from './queries/identifying.ts'
import { privacyWords } from './words.ts'

export const privacy = defineFeature({
  name: 'privacy',
  uses: [users, people, settings, signIn, removedShifts, staffing, events, auditLog],
  tables: ['erasure_request', 'retention_run'],
  impersonalTables: {
    retention_run: 'counts',
  },
  reads: [
    'access_token',
    'answer',
    'attachment',
    'attendance',
    'attendance_result',
    'audience',
    'content_page',
    'decision_request',
    'email_change',
    'event',
    'event_group_grant',
    'event_share',
    'event_type',
    'event_user_grant',
    'federated_guest',
    'federated_host',
    'group_grant',
    'group_permission',
    'guardianship',
    'guest_share',
    'journal',
    'oauth_application',
    'oauth_consent',
    'participation',
    'participation_abroad',
    'partner_event',
    'place_basis',
    'profile_group_grant',
    'profile_picture',
    'profile_user_grant',
    'qualification_grant',
    'qualification_proof',
    'service_account',
    'session',
    'setting',
    'shift',
    'stored_file',
    'user_group',
    'user_group_member',
    'user_permission',
    'user_profile',
  ],
  words: privacyWords,
  personalData: privacyPersonalData,
  pages: ({ features, files, limiter }) => [
    mergePage({ tables: personalDataOf(features) }),
    ...ownDataPages({ tables: personalDataOf(features), files, limiter: limiter('data-download', 3) }),
    ...privacyManagePages(retentionRulesOf(features)),
    eventAccessPage,
  ],
  tasks: (runtime) => privacyTasks({ ...runtime, rules: retentionRulesOf(runtime.features) }),
  adds: [
    accountHooks.add({
      deletePersonalData,
      findMentions: async ({ db }, userId) => {
        const pattern = await getIdentifyingPattern(db, userId)
        return pattern === undefined ? [] : findMentions(db, pattern)
      },
    }),
    personPage.action.add(mergeAction),
    eventPage.section.add({ show: accessSection }),
    erasing('erasure request', deleteErasureRequestOf),
    erasureSteps.add({
      name: 'repeated requests',
      run: async (tx, { context, userId, pattern }) => {
        const names = await findNames(tx, userId)
        await deleteKeysAbout(tx, { userId, pattern, names, unseal: context.site.keyring.unseal })
      },
    }),
    redacting('log', (tx, { pattern, replacement }) => redactJournal(tx, pattern, replacement)),
    accountPages.add({ href: '/settings/data/', label: 'settings.data', icon: 'download', isFolded: true }, 130),
    managementAreas.add(
      {
        href: '/manage/privacy/',
        group: 'instance',
        icon: 'shield-check',
        label: 'privacy.place',
        text: 'privacy.place_text',
        isFor: isStaff,
      },
      130,
    ),
  ],
  commands: [
    {
      name: 'retention',
      summary: 'Delete what is older than the retention periods, as happens every night; --dry-run only counts',
      load: async () => (await import('./cli.ts')).retention,
    },
  ],
})
