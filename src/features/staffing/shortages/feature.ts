import { users } from '#features/accounts/users/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { forecast } from '#features/staffing/forecast/feature.ts'
import { inquiries } from '#features/staffing/inquiries/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { homePage } from '#platform/features/home.ts'
import { layout } from '#platform/features/layout.ts'
import { shortagesApi } from './api.ts'
import { shortShiftsPart } from './kinds/part.ts'
import { weeklyShortages } from './kinds/weekly-shortages.ts'
import { planningPart } from './layout.ts'
import { shortagesLink, shortagesPage } from './pages/shortages.ts'
import { shortagesWords } from './words.ts'

export const shortages = defineFeature({
  name: 'shortages',
  uses: [notificationKinds, users, staffing, events, eligibility, disposition, inquiries, forecast],
  reads: ['audience', 'event', 'event_type', 'journal', 'participation', 'shift', 'shift_forecast', 'user_group', 'user_profile'],
  words: shortagesWords,
  endpoints: shortagesApi,
  pages: [shortagesPage],
  adds: [
    notificationKind.add(weeklyShortages, 310),
    shortShiftsPart,
    homePage.link.add(shortagesLink, 20),
    layout.ownPart.add(planningPart, 20),
  ],
})
