import { sql } from 'kysely'
import { people } from '#features/accounts/people/feature.ts'
import { requests } from '#features/accounts/requests/feature.ts'
import { requestKinds } from '#features/accounts/requests/points.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { checkIn } from '#features/on-the-day/check-in/feature.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { eventForm } from '#features/planning/planning/points.ts'
import { series } from '#features/planning/series/feature.ts'
import { copyHooks } from '#features/planning/series/points.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { accountPages, managementAreas } from '#platform/features/layout.ts'
import { copyEventQualification } from './commands/event-qualifications.ts'
import { deleteProofsOf, qualificationRequest } from './commands/requests.ts'
import { qualificationTasks } from './jobs.ts'
import { qualificationPart } from './kinds/part.ts'
import { qualificationExpiring } from './kinds/qualification-expiring.ts'
import { qualificationReceived } from './kinds/qualification-received.ts'
import { eventQualificationFormSection, receivedQualificationSection } from './pages/event-section.ts'
import { expiringPages } from './pages/expiring.ts'
import { ownQualificationPages } from './pages/own.ts'
import { qualificationRequestsPersonalData } from './personal-data.ts'
import { qualificationRequestsWords } from './words.ts'

export const qualificationRequests = defineFeature({
  name: 'qualification-requests',
  module: {
    name: 'qualification_requests',
    icon: 'award',
    presets: ['brigade', 'medical'],
    countUses: () =>
      sql`select (select count(*) from qualification_proof)::int + (select count(*) from event_qualification)::int`,
  },
  uses: [notificationKinds, users, people, events, planning, series, checkIn, requests],
  tables: ['qualification_proof', 'event_qualification'],
  impersonalTables: {
    event_qualification: 'what an event teaches',
  },
  reads: [
    'decision_request',
    'event',
    'participation',
    'qualification',
    'qualification_grant',
    'shift',
    'stored_file',
    'user_group_member',
    'user_profile',
  ],
  words: qualificationRequestsWords,
  personalData: qualificationRequestsPersonalData,
  pages: ({ files }) => [...ownQualificationPages({ files }), ...expiringPages],
  tasks: qualificationTasks,
  adds: [
    notificationKind.add(qualificationReceived, 190),
    notificationKind.add(qualificationExpiring, 200),
    qualificationPart,
    requestKinds.add(qualificationRequest),
    eventPage.section.add({ show: receivedQualificationSection }),
    eventForm.section.add(eventQualificationFormSection),
    copyHooks.add((tx, _context, ids) => copyEventQualification(tx, ids)),
    erasing('proofs', deleteProofsOf),
    accountPages.add({ href: '/settings/qualifications/', label: 'settings.qualifications', icon: 'award' }, 40),
    managementAreas.add(
      {
        href: '/manage/expiring/',
        group: 'people',
        icon: 'hourglass',
        label: 'qualreq.expiring',
        text: 'qualreq.place_text',
        isFor: (actor) => hasPermission(actor, 'change_user'),
      },
      60,
    ),
  ],
  sampleData: async () => (await import('./sample.ts')).loadQualificationRequests,
})
