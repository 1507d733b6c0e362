import { sql } from 'kysely'
import { users } from '#features/accounts/users/feature.ts'
import { erasing } from '#features/accounts/users/points.ts'
import { browse } from '#features/events/browse/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { eventPage, forPlanners } from '#features/events/events/points.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notificationKind } from '#features/messaging/notification-kinds/points.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { settingsPage } from '#features/operations/settings/points.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { boardPage } from '#features/staffing/disposition/points.ts'
import { askPath } from '#features/staffing/disposition/rules/paths.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { exchanges } from '#features/staffing/exchanges/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { signupPageFor } from '#features/staffing/participations/pages/signup.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { defineFeature } from '#platform/features/feature.ts'
import { homePage } from '#platform/features/home.ts'
import { askApi } from './api/ask.ts'
import { ownInquiriesApi } from './api/own.ts'
import { inquiryReads } from './api/reads.ts'
import { deleteInquiriesOf } from './commands/end.ts'
import { inquiryTasks } from './jobs.ts'
import { inquiry } from './kinds/inquiry.ts'
import { inquiryPart } from './kinds/part.ts'
import { answerPages } from './pages/answer.ts'
import { askPages } from './pages/ask.ts'
import { inquiriesPersonalData } from './personal-data.ts'
import { findOpenInquiries } from './queries/open.ts'
import { inquiryRows } from './queries/stored-rows.ts'
import { inquirySettings } from './schema.ts'
import { inquiriesWords } from './words.ts'

export const inquiries = defineFeature({
  name: 'inquiries',
  module: {
    name: 'inquiries',
    icon: 'message-square-text',
    presets: ['brigade', 'medical'],
    countUses: () => sql`select count(*)::int from inquiry`,
  },
  uses: [
    removedShifts,
    notificationKinds,
    users,
    settings,
    staffing,
    events,
    eligibility,
    participations,
    exchanges,
    disposition,
    browse,
  ],
  tables: ['inquiry', 'inquiry_person'],
  reads: ['event', 'participation', 'push_device', 'shift', 'user_profile'],
  words: inquiriesWords,
  personalData: inquiriesPersonalData,
  endpoints: [...inquiryReads, ...askApi, ...ownInquiriesApi],
  pages: [...askPages, ...answerPages(signupPageFor)],
  tasks: inquiryTasks,
  adds: [
    ...inquiryRows,
    boardPage.link.add(
      {
        label: 'board.ask',
        icon: 'send',
        path: (board) => ('shift' in board && !board.isPast ? askPath(board.shift) : undefined),
      },
      10,
    ),
    eventPage.shiftAction.add(
      {
        path: 'ask/',
        label: 'board.ask',
        icon: 'send',
        isFor: (shift) => forPlanners(shift) && shift.isOpen,
        isMain: ({ isShort }) => isShort,
      },
      15,
    ),
    settingsPage.section.add({ legend: 'instance.rules', settings: inquirySettings }, 46),
    notificationKind.add(inquiry, 60),
    inquiryPart,
    erasing('inquiries', deleteInquiriesOf),
    homePage.answer.add(findOpenInquiries),
  ],
})
