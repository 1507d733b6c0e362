import { assistants } from '#features/access/assistants/feature.ts'
import { identityProviders } from '#features/access/identity-providers/feature.ts'
import { oauth } from '#features/access/oauth/feature.ts'
import { secondFactor } from '#features/access/second-factor/feature.ts'
import { serviceAccounts } from '#features/access/service-accounts/feature.ts'
import { signIn } from '#features/access/sign-in/feature.ts'
import { tokens } from '#features/access/tokens/feature.ts'
import { viewing } from '#features/access/viewing/feature.ts'
import { families } from '#features/accounts/families/feature.ts'
import { joining } from '#features/accounts/joining/feature.ts'
import { ownProfile } from '#features/accounts/own-profile/feature.ts'
import { people } from '#features/accounts/people/feature.ts'
import { peopleActions } from '#features/accounts/people-actions/feature.ts'
import { peopleImport } from '#features/accounts/people-import/feature.ts'
import { qualificationRequests } from '#features/accounts/qualification-requests/feature.ts'
import { qualifications } from '#features/accounts/qualifications/feature.ts'
import { requests } from '#features/accounts/requests/feature.ts'
import { users } from '#features/accounts/users/feature.ts'
import { browse } from '#features/events/browse/feature.ts'
import { buildingBlocks } from '#features/events/building-blocks/feature.ts'
import { contentPages } from '#features/events/content-pages/feature.ts'
import { events } from '#features/events/events/feature.ts'
import { files } from '#features/events/files/feature.ts'
import { questionnaires } from '#features/events/questionnaires/feature.ts'
import { resources } from '#features/events/resources/feature.ts'
import { translations } from '#features/events/translations/feature.ts'
import { channels } from '#features/messaging/channels/feature.ts'
import { inbox } from '#features/messaging/inbox/feature.ts'
import { mails } from '#features/messaging/mails/feature.ts'
import { messages } from '#features/messaging/messages/feature.ts'
import { notificationKinds } from '#features/messaging/notification-kinds/feature.ts'
import { notifications } from '#features/messaging/notifications/feature.ts'
import { offline } from '#features/messaging/offline/feature.ts'
import { push } from '#features/messaging/push/feature.ts'
import { checkIn } from '#features/on-the-day/check-in/feature.ts'
import { hours } from '#features/on-the-day/hours/feature.ts'
import { reports } from '#features/on-the-day/reports/feature.ts'
import { auditLog } from '#features/operations/audit-log/feature.ts'
import { backup } from '#features/operations/backup/feature.ts'
import { extensions } from '#features/operations/extensions/feature.ts'
import { firstSteps } from '#features/operations/first-steps/feature.ts'
import { handbook } from '#features/operations/handbook/feature.ts'
import { importEphios } from '#features/operations/import-ephios/feature.ts'
import { modules } from '#features/operations/modules/feature.ts'
import { privacy } from '#features/operations/privacy/feature.ts'
import { settings } from '#features/operations/settings/feature.ts'
import { status } from '#features/operations/status/feature.ts'
import { planning } from '#features/planning/planning/feature.ts'
import { programmes } from '#features/planning/programmes/feature.ts'
import { removedShifts } from '#features/planning/removed-shifts/feature.ts'
import { series } from '#features/planning/series/feature.ts'
import { shiftForms } from '#features/planning/shift-forms/feature.ts'
import { shiftTable } from '#features/planning/shift-table/feature.ts'
import { templates } from '#features/planning/templates/feature.ts'
import { timeline } from '#features/planning/timeline/feature.ts'
import { changeFeed } from '#features/sharing/change-feed/feature.ts'
import { federation } from '#features/sharing/federation/feature.ts'
import { guests } from '#features/sharing/guests/feature.ts'
import { webhooks } from '#features/sharing/webhooks/feature.ts'
import { autoFill } from '#features/staffing/auto-fill/feature.ts'
import { availability } from '#features/staffing/availability/feature.ts'
import { companions } from '#features/staffing/companions/feature.ts'
import { disposition } from '#features/staffing/disposition/feature.ts'
import { eligibility } from '#features/staffing/eligibility/feature.ts'
import { exchanges } from '#features/staffing/exchanges/feature.ts'
import { forecast } from '#features/staffing/forecast/feature.ts'
import { inquiries } from '#features/staffing/inquiries/feature.ts'
import { participations } from '#features/staffing/participations/feature.ts'
import { peopleTimes } from '#features/staffing/people-times/feature.ts'
import { rosters } from '#features/staffing/rosters/feature.ts'
import { shortages } from '#features/staffing/shortages/feature.ts'
import { staffing } from '#features/staffing/staffing/feature.ts'
import { waitingList } from '#features/staffing/waiting-list/feature.ts'
import { workingTimeLimits } from '#features/staffing/working-time-limits/feature.ts'
import type { Feature } from '#platform/features/feature.ts'
import { collectModuleAdditions } from '#platform/features/modules.ts'
import { registerWords } from '#platform/i18n/catalogue.ts'

/** Every feature. A feature uses only those before it. */
export const FEATURES: readonly Feature[] = [
  notificationKinds,
  qualifications,
  users,
  people,
  peopleActions,
  settings,
  handbook,
  modules,
  tokens,
  secondFactor,
  viewing,
  signIn,
  oauth,
  serviceAccounts,
  assistants,
  identityProviders,
  push,
  channels,
  removedShifts,
  buildingBlocks,
  staffing,
  events,
  questionnaires,
  workingTimeLimits,
  availability,
  eligibility,
  participations,
  companions,
  waitingList,
  exchanges,
  shiftForms,
  planning,
  series,
  templates,
  programmes,
  shiftTable,
  disposition,
  peopleTimes,
  timeline,
  checkIn,
  resources,
  federation,
  guests,
  rosters,
  browse,
  inquiries,
  forecast,
  shortages,
  files,
  contentPages,
  translations,
  requests,
  ownProfile,
  families,
  hours,
  autoFill,
  reports,
  joining,
  qualificationRequests,
  peopleImport,
  firstSteps,
  auditLog,
  offline,
  changeFeed,
  notifications,
  inbox,
  messages,
  mails,
  privacy,
  webhooks,
  extensions,
  backup,
  status,
  importEphios,
]

registerWords(FEATURES.flatMap(({ words = [] }) => words))

/** What they add to each other, with every module on. */
export const ADDED = collectModuleAdditions(FEATURES)
