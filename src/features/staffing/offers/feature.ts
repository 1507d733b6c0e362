import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { events } from '#features/events/events/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { deleteOffersOf } from './commands/join.ts'
import { deleteStandInsOf } from './commands/stand-in.ts'
import { deleteSwapsOf } from './commands/swap.ts'
import { offerTasks } from './jobs.ts'
import { offerPages } from './pages/answer.ts'
import { linePages } from './pages/line.ts'
import { standInPages } from './pages/stand-in.ts'
import { swapPages } from './pages/swap.ts'
import { offersPersonalData } from './personal-data.ts'
import { offersWords } from './words.ts'

export const offers = defineFeature({
  name: 'offers',
  uses: [users, settings, staffing, events, eligibility, participations],
  tables: ['stand_in', 'stand_in_person', 'swap', 'waiting_line', 'waiting_entry'],
  reads: ['event', 'event_type', 'participation', 'shift', 'user_profile'],
  words: offersWords,
  personalData: offersPersonalData,
  pages: [...linePages, ...offerPages, ...standInPages, ...swapPages],
  tasks: offerTasks,
  adds: [erasing('waiting lists', deleteOffersOf), erasing('stand-ins', deleteStandInsOf), erasing('swaps', deleteSwapsOf)],
})
