import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { settingsPage } from '#features/operations/settings/points.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { deleteOffersOf } from './commands/join.ts'
import { deleteStandInsOf } from './commands/stand-in.ts'
import { deleteSwapsOf } from './commands/swap.ts'
import { offerTasks } from './jobs.ts'
import { offerPart, standInPart, swapPart } from './kinds/parts.ts'
import { placeOffered } from './kinds/place-offered.ts'
import { standInReport } from './kinds/stand-in-report.ts'
import { standInResult } from './kinds/stand-in-result.ts'
import { standInWanted } from './kinds/stand-in-wanted.ts'
import { swapProposed } from './kinds/swap-proposed.ts'
import { swapReport } from './kinds/swap-report.ts'
import { swapResult } from './kinds/swap-result.ts'
import { offerPages } from './pages/answer.ts'
import { linePages } from './pages/line.ts'
import { standInPages } from './pages/stand-in.ts'
import { swapPages } from './pages/swap.ts'
import { offersPersonalData } from './personal-data.ts'
import { exchangeSettings } from './schema.ts'
import { offersWords } from './words.ts'

export const offers = defineFeature({
  name: 'offers',
  uses: [notificationKinds, users, settings, staffing, events, eligibility, participations],
  tables: ['stand_in', 'stand_in_person', 'swap', 'waiting_line', 'waiting_entry'],
  impersonalTables: {
    waiting_line: 'settings of shifts',
  },
  reads: ['event', 'event_type', 'participation', 'shift', 'user_profile'],
  words: offersWords,
  personalData: offersPersonalData,
  pages: [...linePages, ...offerPages, ...standInPages, ...swapPages],
  tasks: offerTasks,
  adds: [
    settingsPage.section.add({ legend: 'instance.rules', settings: exchangeSettings }, 52),
    notificationKind.add(placeOffered, 70),
    notificationKind.add(standInWanted, 80),
    notificationKind.add(standInResult, 90),
    notificationKind.add(swapProposed, 100),
    notificationKind.add(swapResult, 110),
    notificationKind.add(standInReport, 260),
    notificationKind.add(swapReport, 270),
    offerPart,
    standInPart,
    swapPart,
    erasing('waiting lists', deleteOffersOf),
    erasing('stand-ins', deleteStandInsOf),
    erasing('swaps', deleteSwapsOf),
  ],
})
