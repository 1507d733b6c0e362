import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { settingsPage } from '#features/operations/settings/points.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { shiftRows } from '#features/planning/removed-shifts/points.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { waitingList } from '#features/staffing/waiting-list/feature.ts'
import { offerKinds, placeSteps, waitingListPage } from '#features/staffing/waiting-list/points.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { exchangeReads } from './api/reads.ts'
import { standInsApi } from './api/stand-ins.ts'
import { swapsApi } from './api/swaps.ts'
import { continueSearches } from './commands/search.ts'
import { deleteStandInsOf } from './commands/stand-in.ts'
import { deleteSwapsOf, endSwaps } from './commands/swap.ts'
import { standInPart, swapPart } from './kinds/parts.ts'
import { standInReport } from './kinds/stand-in-report.ts'
import { standInResult } from './kinds/stand-in-result.ts'
import { standInWanted } from './kinds/stand-in-wanted.ts'
import { swapProposed } from './kinds/swap-proposed.ts'
import { swapReport } from './kinds/swap-report.ts'
import { swapResult } from './kinds/swap-result.ts'
import { standInOffer, swapOffer } from './pages/answer.ts'
import { standInsSection, swapsSection } from './pages/planner.ts'
import { standInPages } from './pages/stand-in.ts'
import { swapPages } from './pages/swap.ts'
import { exchangesPersonalData } from './personal-data.ts'
import { exchangeSettings } from './schema.ts'
import { exchangesWords } from './words.ts'

export const exchanges = defineFeature({
  name: 'exchanges',
  module: {
    name: 'exchanges',
    icon: 'repeat',
    presets: ['brigade', 'medical'],
    countUses: () => sql`select (select count(*) from stand_in)::int + (select count(*) from swap)::int`,
    needs: ['waiting_list'],
  },
  uses: [removedShifts, notificationKinds, users, settings, staffing, events, eligibility, participations, waitingList],
  tables: ['stand_in', 'stand_in_person', 'swap'],
  reads: ['event', 'event_type', 'participation', 'shift', 'user_profile', 'waiting_entry'],
  words: exchangesWords,
  personalData: exchangesPersonalData,
  endpoints: [...exchangeReads, ...standInsApi, ...swapsApi],
  pages: [...standInPages, ...swapPages],
  adds: [
    shiftRows.add({ table: 'stand_in', column: 'shift_id', of: 'shift', lost: 'the search ends' }),
    shiftRows.add({ table: 'stand_in_person', column: 'stand_in_id', of: 'stand_in', lost: 'the search ends' }),
    shiftRows.add({ table: 'swap', column: 'shift_id', of: 'shift', lost: 'the proposal ends' }),
    settingsPage.section.add({ legend: 'instance.rules', settings: exchangeSettings }, 52),
    notificationKind.add(standInWanted, 80),
    notificationKind.add(standInResult, 90),
    notificationKind.add(swapProposed, 100),
    notificationKind.add(swapResult, 110),
    notificationKind.add(standInReport, 260),
    notificationKind.add(swapReport, 270),
    standInPart,
    swapPart,
    offerKinds.add(standInOffer),
    offerKinds.add(swapOffer),
    waitingListPage.section.add(standInsSection),
    waitingListPage.section.add(swapsSection),
    placeSteps.add(continueSearches),
    placeSteps.add(endSwaps),
    erasing('stand-ins', deleteStandInsOf),
    erasing('swaps', deleteSwapsOf),
  ],
  sampleData: async () => (await import('./sample.ts')).loadExchanges,
})
