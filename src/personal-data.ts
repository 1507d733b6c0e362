import { autoFillPersonalData } from '#features/auto-fill/personal-data.ts'
import { availabilityPersonalData } from '#features/availability/personal-data.ts'
import { checkInPersonalData } from '#features/check-in/personal-data.ts'
import { eventsPersonalData } from '#features/events/personal-data.ts'
import { federationPersonalData } from '#features/federation/personal-data.ts'
import { filesPersonalData } from '#features/files/personal-data.ts'
import { guestsPersonalData } from '#features/guests/personal-data.ts'
import { hoursPersonalData } from '#features/hours/personal-data.ts'
import { identityProvidersPersonalData } from '#features/identity-providers/personal-data.ts'
import { inquiriesPersonalData } from '#features/inquiries/personal-data.ts'
import { joiningPersonalData } from '#features/joining/personal-data.ts'
import { messagesPersonalData } from '#features/messages/personal-data.ts'
import { notificationsPersonalData } from '#features/notifications/personal-data.ts'
import { oauthPersonalData } from '#features/oauth/personal-data.ts'
import { offersPersonalData } from '#features/offers/personal-data.ts'
import { participationsPersonalData } from '#features/participations/personal-data.ts'
import { peopleImportPersonalData } from '#features/people-import/personal-data.ts'
import { privacyPersonalData } from '#features/privacy/personal-data.ts'
import { profilesPersonalData } from '#features/profiles/personal-data.ts'
import { programmesPersonalData } from '#features/programmes/personal-data.ts'
import { pushPersonalData } from '#features/push/personal-data.ts'
import { qualificationRequestsPersonalData } from '#features/qualification-requests/personal-data.ts'
import { questionnairesPersonalData } from '#features/questionnaires/personal-data.ts'
import { requestsPersonalData } from '#features/requests/personal-data.ts'
import { secondFactorPersonalData } from '#features/second-factor/personal-data.ts'
import { serviceAccountsPersonalData } from '#features/service-accounts/personal-data.ts'
import { signInPersonalData } from '#features/sign-in/personal-data.ts'
import { staffingPersonalData } from '#features/staffing/personal-data.ts'
import { templatesPersonalData } from '#features/templates/personal-data.ts'
import { tokensPersonalData } from '#features/tokens/personal-data.ts'
import { usersPersonalData } from '#features/users/personal-data.ts'
import { webhooksPersonalData } from '#features/webhooks/personal-data.ts'
import { DELETE, MOVE, type PersonalTable } from '#platform/db/personal-table.ts'

/** Tables of the platform. */
const platformPersonalData: readonly PersonalTable[] = [
  {
    table: 'idempotency_key',
    column: 'user_id',
    export: { section: 'repeated_requests', only: ['key', 'status', 'created_at'] },
    merge: DELETE,
    erased: 'deleted',
  },
  {
    table: 'journal',
    column: 'person_id',
    export: { section: 'log_about_me', without: { actor_id: 'other_person', request_id: 'derived' } },
    merge: MOVE,
    erased: 'cleared',
  },
  {
    table: 'journal',
    column: 'actor_id',
    where: "t.actor_kind = 'user'",
    export: {
      section: 'log_by_me',
      without: { personal: 'other_person', person_id: 'other_person', request_id: 'derived' },
    },
    merge: MOVE,
    erased: 'anonymous',
  },
]

/**
 * Every table with data of people who have an account: what they download, what an erasure leaves, and what happens when two accounts
 * become one. A table that refers to `user_profile` needs an entry for each such column in its feature. The download has this order.
 */
export const PERSONAL_DATA: readonly PersonalTable[] = [
  ...usersPersonalData,
  ...participationsPersonalData,
  ...questionnairesPersonalData,
  ...staffingPersonalData,
  ...checkInPersonalData,
  ...hoursPersonalData,
  ...requestsPersonalData,
  ...qualificationRequestsPersonalData,
  ...eventsPersonalData,
  ...messagesPersonalData,
  ...notificationsPersonalData,
  ...pushPersonalData,
  ...filesPersonalData,
  ...signInPersonalData,
  ...identityProvidersPersonalData,
  ...secondFactorPersonalData,
  ...joiningPersonalData,
  ...peopleImportPersonalData,
  ...availabilityPersonalData,
  ...profilesPersonalData,
  ...inquiriesPersonalData,
  ...offersPersonalData,
  ...templatesPersonalData,
  ...programmesPersonalData,
  ...autoFillPersonalData,
  ...tokensPersonalData,
  ...oauthPersonalData,
  ...serviceAccountsPersonalData,
  ...webhooksPersonalData,
  ...federationPersonalData,
  ...guestsPersonalData,
  ...platformPersonalData,
  ...privacyPersonalData,
]
