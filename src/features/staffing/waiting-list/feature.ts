import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { settingsPage } from '#features/operations/settings/points.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { waitingListSettings } from '#features/staffing/eligibility/schema.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { waitingListApi } from './api.ts'
import { deleteOffersOf } from './commands/join.ts'
import { offerTasks } from './jobs.ts'
import { offerPart } from './kinds/part.ts'
import { placeOffered } from './kinds/place-offered.ts'
import { offerPages, waitingListOffer } from './pages/answer.ts'
import { waitingListPages } from './pages/waiting-list.ts'
import { waitingListPersonalData } from './personal-data.ts'
import { offerKinds } from './points.ts'
import { waitingRows } from './queries/stored-rows.ts'
import { waitingListWords } from './words.ts'

export const waitingList = defineFeature({
  name: 'waiting-list',
  module: {
    name: 'waiting_list',
    icon: 'list-checks',
    presets: ['medical', 'club', 'festival'],
    countUses: () => sql`select count(*)::int from waiting_entry`,
  },
  uses: [removedShifts, notificationKinds, users, settings, staffing, events, eligibility, participations],
  tables: ['waiting_line', 'waiting_entry'],
  impersonalTables: {
    waiting_line: 'settings of shifts',
  },
  reads: ['event', 'shift', 'user_profile'],
  words: waitingListWords,
  personalData: waitingListPersonalData,
  pages: [...waitingListPages, ...offerPages],
  apiTags: {
    'waiting lists': 'Who waits for a place of a full shift, and answers to offered places.',
  },
  endpoints: waitingListApi,
  tasks: offerTasks,
  adds: [
    ...waitingRows,
    settingsPage.section.add({ legend: 'instance.rules', settings: waitingListSettings }, 50),
    notificationKind.add(placeOffered, 70),
    offerPart,
    offerKinds.add(waitingListOffer),
    erasing('waiting lists', deleteOffersOf),
  ],
  sampleData: async () => (await import('./sample.ts')).loadWaiting,
})
