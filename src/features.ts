import { auditLog } from '#features/audit-log/feature.ts'
import { autoFill } from '#features/auto-fill/feature.ts'
import { availability } from '#features/availability/feature.ts'
import { backup } from '#features/backup/feature.ts'
import { buildingBlocks } from '#features/building-blocks/feature.ts'
import { changes } from '#features/changes/feature.ts'
import { checkIn } from '#features/check-in/feature.ts'
import { companions } from '#features/companions/feature.ts'
import { disposition } from '#features/disposition/feature.ts'
import { eligibility } from '#features/eligibility/feature.ts'
import { events } from '#features/events/feature.ts'
import { families } from '#features/families/feature.ts'
import { federation } from '#features/federation/feature.ts'
import { files } from '#features/files/feature.ts'
import { finding } from '#features/finding/feature.ts'
import { firstSteps } from '#features/first-steps/feature.ts'
import { grid } from '#features/grid/feature.ts'
import { guests } from '#features/guests/feature.ts'
import { hours } from '#features/hours/feature.ts'
import { identityProviders } from '#features/identity-providers/feature.ts'
import { inbox } from '#features/inbox/feature.ts'
import { inquiries } from '#features/inquiries/feature.ts'
import { instance } from '#features/instance/feature.ts'
import { joining } from '#features/joining/feature.ts'
import { limits } from '#features/limits/feature.ts'
import { mails } from '#features/mails/feature.ts'
import { messages } from '#features/messages/feature.ts'
import { moving } from '#features/moving/feature.ts'
import { notifications } from '#features/notifications/feature.ts'
import { oauth } from '#features/oauth/feature.ts'
import { offers } from '#features/offers/feature.ts'
import { pages } from '#features/pages/feature.ts'
import { participations } from '#features/participations/feature.ts'
import { people } from '#features/people/feature.ts'
import { peopleImport } from '#features/people-import/feature.ts'
import { planning } from '#features/planning/feature.ts'
import { privacy } from '#features/privacy/feature.ts'
import { profiles } from '#features/profiles/feature.ts'
import { programmes } from '#features/programmes/feature.ts'
import { push } from '#features/push/feature.ts'
import { qualificationRequests } from '#features/qualification-requests/feature.ts'
import { qualifications } from '#features/qualifications/feature.ts'
import { questionnaires } from '#features/questionnaires/feature.ts'
import { reports } from '#features/reports/feature.ts'
import { requests } from '#features/requests/feature.ts'
import { resources } from '#features/resources/feature.ts'
import { rosters } from '#features/rosters/feature.ts'
import { secondFactor } from '#features/second-factor/feature.ts'
import { series } from '#features/series/feature.ts'
import { serviceAccounts } from '#features/service-accounts/feature.ts'
import { shiftForms } from '#features/shift-forms/feature.ts'
import { shortages } from '#features/shortages/feature.ts'
import { signIn } from '#features/sign-in/feature.ts'
import { staffing } from '#features/staffing/feature.ts'
import { templates } from '#features/templates/feature.ts'
import { tokens } from '#features/tokens/feature.ts'
import { users } from '#features/users/feature.ts'
import { webApp } from '#features/web-app/feature.ts'
import { webhooks } from '#features/webhooks/feature.ts'
import type { Feature } from '#platform/feature.ts'

/** Every feature. A feature uses only those before it. */
export const FEATURES: readonly Feature[] = [
  qualifications,
  users,
  people,
  instance,
  tokens,
  secondFactor,
  signIn,
  oauth,
  serviceAccounts,
  identityProviders,
  push,
  buildingBlocks,
  staffing,
  events,
  questionnaires,
  limits,
  availability,
  eligibility,
  participations,
  companions,
  offers,
  shiftForms,
  planning,
  series,
  templates,
  programmes,
  disposition,
  grid,
  checkIn,
  autoFill,
  resources,
  federation,
  guests,
  rosters,
  finding,
  inquiries,
  shortages,
  files,
  pages,
  requests,
  profiles,
  families,
  hours,
  reports,
  joining,
  qualificationRequests,
  peopleImport,
  firstSteps,
  auditLog,
  webApp,
  changes,
  notifications,
  inbox,
  messages,
  mails,
  privacy,
  webhooks,
  backup,
  moving,
]
