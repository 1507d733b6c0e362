import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { buildingBlocks } from '#features/events/building-blocks/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage } from '#features/events/events/points.ts'
import { questionnaires } from '#features/events/questionnaires/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { draftReads } from './api/drafts.ts'
import { eventWrites } from './api/events.ts'
import { plannedReads } from './api/planned.ts'
import { removedReads } from './api/removed.ts'
import { shiftWrites } from './api/shifts.ts'
import { removeResponsible } from './commands/events.ts'
import { cleanBin } from './jobs.ts'
import { eventCancelled } from './kinds/event-cancelled.ts'
import { eventPublished } from './kinds/event-published.ts'
import { shiftMoved } from './kinds/shift-moved.ts'
import { planningPages } from './pages/routes.ts'
import { planningWords } from './words.ts'

export const planning = defineFeature({
  name: 'planning',
  uses: [
    notificationKinds,
    removedShifts,
    qualifications,
    users,
    buildingBlocks,
    staffing,
    events,
    questionnaires,
    eligibility,
    participations,
    shiftForms,
  ],
  writes: ['event', 'event_group_grant', 'event_user_grant', 'shift'],
  reads: [
    'event_type',
    'event_type_default_group',
    'event_type_default_user',
    'journal',
    'participation',
    'removed_participation',
    'removed_shift',
    'shift_question',
    'user_group',
    'user_group_member',
    'user_profile',
    'visitor',
  ],
  readsAbove: { guest: 'the page of a removal names everybody who is notified' },
  words: planningWords,
  pages: planningPages,
  endpoints: [...draftReads, ...removedReads, ...plannedReads, ...eventWrites, ...shiftWrites],
  tasks: ({ db, clock }) => [{ name: 'empty_bin', schedule: '43 3 * * *', run: () => cleanBin(db.write, clock.now()) }],
  adds: [
    eventPage.shiftAction.add({ path: 'edit/', label: 'plan.do.edit', icon: 'pencil', isFor: ({ mayChange }) => mayChange }, 30),
    eventPage.shiftAction.add(
      {
        path: 'cancel/',
        label: 'plan.do.cancel_shift',
        icon: 'calendar-x',
        isFor: ({ mayChange, isDraft, isOnly }) => mayChange && !isDraft && !isOnly,
      },
      90,
    ),
    eventPage.shiftAction.add(
      {
        path: 'delete/',
        label: 'plan.do.delete_shift',
        icon: 'trash-2',
        isFor: ({ mayChange, isOnly }) => mayChange && !isOnly,
      },
      91,
    ),
    notificationKind.add(shiftMoved, 30),
    notificationKind.add(eventCancelled, 40),
    notificationKind.add(eventPublished, 120),
    erasing('responsibilities', removeResponsible),
  ],
})
