import { auditLogWords } from '#features/audit-log/words.ts'
import { autoFillWords } from '#features/auto-fill/words.ts'
import { availabilityWords } from '#features/availability/words.ts'
import { buildingBlocksWords } from '#features/building-blocks/words.ts'
import { changesWords } from '#features/changes/words.ts'
import { checkInWords } from '#features/check-in/words.ts'
import { companionsWords } from '#features/companions/words.ts'
import { dispositionWords } from '#features/disposition/words.ts'
import { eligibilityWords } from '#features/eligibility/words.ts'
import { eventsWords } from '#features/events/words.ts'
import { familiesWords } from '#features/families/words.ts'
import { federationWords } from '#features/federation/words.ts'
import { filesWords } from '#features/files/words.ts'
import { findingWords } from '#features/finding/words.ts'
import { firstStepsWords } from '#features/first-steps/words.ts'
import { gridWords } from '#features/grid/words.ts'
import { guestsWords } from '#features/guests/words.ts'
import { hoursWords } from '#features/hours/words.ts'
import { identityProvidersWords } from '#features/identity-providers/words.ts'
import { inboxWords } from '#features/inbox/words.ts'
import { inquiriesWords } from '#features/inquiries/words.ts'
import { instanceWords } from '#features/instance/words.ts'
import { joiningWords } from '#features/joining/words.ts'
import { limitsWords } from '#features/limits/words.ts'
import { mailsWords } from '#features/mails/words.ts'
import { messagesWords } from '#features/messages/words.ts'
import { notificationsWords } from '#features/notifications/words.ts'
import { oauthWords } from '#features/oauth/words.ts'
import { offersWords } from '#features/offers/words.ts'
import { pagesWords } from '#features/pages/words.ts'
import { participationsWords } from '#features/participations/words.ts'
import { peopleWords } from '#features/people/words.ts'
import { peopleImportWords } from '#features/people-import/words.ts'
import { planningWords } from '#features/planning/words.ts'
import { privacyWords } from '#features/privacy/words.ts'
import { profilesWords } from '#features/profiles/words.ts'
import { programmesWords } from '#features/programmes/words.ts'
import { pushWords } from '#features/push/words.ts'
import { qualificationRequestsWords } from '#features/qualification-requests/words.ts'
import { qualificationsWords } from '#features/qualifications/words.ts'
import { questionnairesWords } from '#features/questionnaires/words.ts'
import { reportsWords } from '#features/reports/words.ts'
import { requestsWords } from '#features/requests/words.ts'
import { resourcesWords } from '#features/resources/words.ts'
import { rostersWords } from '#features/rosters/words.ts'
import { secondFactorWords } from '#features/second-factor/words.ts'
import { seriesWords } from '#features/series/words.ts'
import { serviceAccountsWords } from '#features/service-accounts/words.ts'
import { shiftFormsWords } from '#features/shift-forms/words.ts'
import { shortagesWords } from '#features/shortages/words.ts'
import { signInWords } from '#features/sign-in/words.ts'
import { staffingWords } from '#features/staffing/words.ts'
import { templatesWords } from '#features/templates/words.ts'
import { tokensWords } from '#features/tokens/words.ts'
import { usersWords } from '#features/users/words.ts'
import { webAppWords } from '#features/web-app/words.ts'
import { webhooksWords } from '#features/webhooks/words.ts'

/** The texts of every feature. */
export const FEATURE_WORDS = [
  qualificationsWords,
  usersWords,
  peopleWords,
  instanceWords,
  auditLogWords,
  tokensWords,
  secondFactorWords,
  signInWords,
  oauthWords,
  serviceAccountsWords,
  identityProvidersWords,
  buildingBlocksWords,
  staffingWords,
  eventsWords,
  eligibilityWords,
  participationsWords,
  firstStepsWords,
  peopleImportWords,
  shiftFormsWords,
  planningWords,
  seriesWords,
  templatesWords,
  webAppWords,
  companionsWords,
  dispositionWords,
  rostersWords,
  guestsWords,
  findingWords,
  autoFillWords,
  availabilityWords,
  gridWords,
  checkInWords,
  familiesWords,
  limitsWords,
  inquiriesWords,
  offersWords,
  shortagesWords,
  reportsWords,
  resourcesWords,
  questionnairesWords,
  filesWords,
  pagesWords,
  requestsWords,
  hoursWords,
  qualificationRequestsWords,
  federationWords,
  joiningWords,
  mailsWords,
  profilesWords,
  programmesWords,
  pushWords,
  notificationsWords,
  inboxWords,
  messagesWords,
  changesWords,
  webhooksWords,
  privacyWords,
]
