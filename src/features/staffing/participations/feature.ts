import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { accountHooks, erasing, redacting } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { questionnaires } from '#features/events/questionnaires/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { settingsPage } from '#features/operations/settings/points.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { participationReads, participationsOf } from './api/reads.ts'
import { ownParticipationWrites } from './api/sign-up.ts'
import { undoEndpoint } from './api/undo.ts'
import { deleteAnswersOf, deleteCommentsOf, redactCommentsBy } from './commands/cascades.ts'
import { giveUpPlaces } from './commands/departures.ts'
import { finishEndedShifts } from './jobs.ts'
import { participationChange } from './kinds/participation-change.ts'
import { participationDecline } from './kinds/participation-decline.ts'
import { participationGivenUp } from './kinds/participation-given-up.ts'
import { participationOwnTimes } from './kinds/participation-own-times.ts'
import { participationRequest } from './kinds/participation-request.ts'
import { participationState } from './kinds/participation-state.ts'
import { participationTimes } from './kinds/participation-times.ts'
import { placeLapsed } from './kinds/place-lapsed.ts'
import { reminder } from './kinds/reminder.ts'
import { memberPages, pagesForMount } from './pages/signup.ts'
import { participationsPersonalData } from './personal-data.ts'
import { participantMounts } from './points.ts'
import { findPlacesAhead } from './queries/departures.ts'
import { reminderSettings } from './schema.ts'
import { participationsWords } from './words.ts'

export const participations = defineFeature({
  name: 'participations',
  uses: [removedShifts, notificationKinds, qualifications, users, settings, staffing, events, questionnaires, eligibility],
  tables: ['participation', 'participation_comment', 'visitor', 'visitor_qualification'],
  impersonalTables: {
    participation_count_pending: 'counts',
    participation_count: 'counts',
    event_participation_count: 'counts',
    visitor: 'people of partners, deleted by the retention rule or with the link',
    visitor_qualification: 'people of partners',
  },
  reads: [
    'audience',
    'event',
    'event_participation_count',
    'event_type',
    'event_user_grant',
    'journal',
    'participation_count',
    'participation_count_pending',
    'place_basis',
    'profile_group_grant',
    'profile_user_grant',
    'qualification',
    'removed_shift',
    'shift',
    'user_profile',
  ],
  readsAbove: {
    notification: 'people who were notified of their place a short time before are not reminded',
    event_series_member: 'the event page names the place of the event in its series without another query',
    waiting_entry: 'a place that is offered to the waiting list is free for one person only',
    guest: 'guests take part like users: their record is locked, judged and named',
    guest_share: 'guests reach their event while its link is active',
    guest_qualification: 'confirmed qualifications of guests count for their place',
    event_share: 'visitors of a partner instance reach the events that are shared with it',
    federated_guest: 'the row of the partner instance is the lock of its visitors',
  },
  words: participationsWords,
  personalData: participationsPersonalData,
  pages: ({ site }) => [...memberPages, ...site.added(participantMounts).flatMap(pagesForMount)],
  apiTags: {
    participations: 'Who takes part, for those who see or staff the event.',
    'own participations': 'What the person behind the credential takes part in.',
  },
  endpoints: [...participationReads, ...ownParticipationWrites, undoEndpoint],
  includes: {
    '/api/events/': { participations: participationsOf('event') },
    '/api/shifts/': { participations: participationsOf('shift') },
  },
  tasks: ({ db, clock }) => [
    { name: 'finish_participations', schedule: '*/10 * * * *', run: () => finishEndedShifts(db.write, clock.now()) },
  ],
  adds: [
    shiftRows.add({ table: 'participation_comment', column: 'participation_id', of: 'participation', people: ['author_id'] }),
    settingsPage.section.add({ legend: 'instance.rules', settings: reminderSettings }, 44),
    notificationKind.add(participationState, 10),
    notificationKind.add(participationTimes, 20),
    notificationKind.add(reminder, 50),
    notificationKind.add(participationRequest, 210),
    notificationKind.add(participationChange, 220),
    notificationKind.add(participationDecline, 230),
    notificationKind.add(participationGivenUp, 240),
    notificationKind.add(placeLapsed, 250),
    notificationKind.add(participationOwnTimes, 280),
    accountHooks.add({
      giveUpPlaces: (tx, context, userId, cause) => giveUpPlaces(tx, context, { who: { kind: 'local', id: userId }, cause }),
      findPlaces: findPlacesAhead,
    }),
    erasing('comments', deleteCommentsOf),
    erasing('answers', deleteAnswersOf),
    redacting('comments about others', (tx, { userId, pattern, replacement }) =>
      redactCommentsBy(tx, userId, pattern, replacement),
    ),
  ],
})
