import { deleteIdentitiesOf } from '#features/access/identity-providers/commands/links.ts'
import { deleteConsentsOf, revokeGrantsOf } from '#features/access/oauth/commands/consents.ts'
import { deleteDutyOf, deleteFactorsOf } from '#features/access/second-factor/commands/factors.ts'
import {
  deleteAccountMailsOf,
  queueAccountMail,
  queueWelcomeMail,
  queueWelcomeMails,
} from '#features/access/sign-in/commands/links.ts'
import type { EndCredentials } from '#features/access/sign-in/commands/passwords.ts'
import { deleteDevicesOf, deleteLinksOf, endSessionsOf } from '#features/access/sign-in/commands/sessions.ts'
import { deleteTokensOf, revokeTokensOf } from '#features/access/tokens/commands/personal.ts'
import { deleteRegistrationsOfPerson } from '#features/accounts/joining/commands/registrations.ts'
import { deleteProfileOf } from '#features/accounts/own-profile/commands/picture.ts'
import { deleteImportedRowsAbout, deleteImportedRowsOf } from '#features/accounts/people-import/commands/start.ts'
import { deleteProofsOf } from '#features/accounts/qualification-requests/commands/requests.ts'
import { deleteRequestsOf } from '#features/accounts/requests/commands.ts'
import type { ImportHooks } from '#features/accounts/users/commands/imported-people.ts'
import type { AccountHooks } from '#features/accounts/users/commands/people.ts'
import { removeDefaultResponsible } from '#features/events/events/commands/event-type-people.ts'
import { resumeMails } from '#features/messaging/mails/commands/outbox.ts'
import { redactMessagesBy } from '#features/messaging/messages/commands.ts'
import { deleteNotificationsOf, redactNotifications } from '#features/messaging/notifications/commands/notifications.ts'
import { removePushDevicesOf } from '#features/messaging/push/commands/devices.ts'
import { deleteMarksOf } from '#features/on-the-day/check-in/commands/marks.ts'
import { clearReasonsOf } from '#features/on-the-day/hours/commands.ts'
import { deleteMovedRowsAbout } from '#features/operations/import-ephios/commands/erasure.ts'
import { deleteErasureRequestOf } from '#features/operations/privacy/commands/erasure-requests.ts'
import { findMentions, findNames, getIdentifyingPattern } from '#features/operations/privacy/queries/identifying.ts'
import { REDACTED } from '#features/operations/privacy/rules/identifying.ts'
import { getInstanceSettings, getPhoneCountry } from '#features/operations/settings/queries.ts'
import { removeResponsible } from '#features/planning/planning/commands/events.ts'
import { stopAutomaticOf } from '#features/planning/programmes/commands/source.ts'
import { removeFromTemplates } from '#features/planning/templates/commands.ts'
import { deleteExternalParticipations } from '#features/sharing/federation/commands/delete-external-participations.ts'
import { findPlacesAbroad } from '#features/sharing/federation/queries/statements.ts'
import { deleteDeliveriesAbout, deleteWebhooksOf } from '#features/sharing/webhooks/commands/webhooks.ts'
import { deleteAvailabilityOf } from '#features/staffing/availability/commands/entries.ts'
import { forgetCompanionNames } from '#features/staffing/companions/commands.ts'
import { deleteInquiriesOf } from '#features/staffing/inquiries/commands/end.ts'
import { deleteOffersOf } from '#features/staffing/offers/commands/join.ts'
import { deleteStandInsOf } from '#features/staffing/offers/commands/stand-in.ts'
import { deleteSwapsOf } from '#features/staffing/offers/commands/swap.ts'
import { deleteAnswersOf, deleteCommentsOf, redactCommentsBy } from '#features/staffing/participations/commands/cascades.ts'
import { giveUpPlaces } from '#features/staffing/participations/commands/departures.ts'
import { findPlacesAhead } from '#features/staffing/participations/queries/departures.ts'
import { updateLeftGroups } from '#features/staffing/staffing/commands/place-basis.ts'
import { markShiftsOfPeople, markShiftsOfPerson } from '#features/staffing/staffing/commands/statistics.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { deleteKeysAbout } from '#platform/http/idempotency.ts'
import { redactJournal } from '#platform/journal/journal.ts'

/** Revokes everything besides the password that can act for a person. */
export const endCredentials: EndCredentials = async (tx, context, userId) => {
  await revokeTokensOf(tx, context, userId)
  await revokeGrantsOf(tx, userId, context.now)
}

type Erased = {
  context: CommandContext
  userId: number
  /** Finds what identifies the person in texts. */
  pattern: string | undefined
}
type ErasureStep = { name: string; run: (tx: Tx, erased: Erased) => Promise<unknown> }

const deleting = (name: string, run: (tx: Tx, userId: number) => Promise<unknown>): ErasureStep => ({
  name,
  run: (tx, { userId }) => run(tx, userId),
})
const redacting = (name: string, run: (tx: Tx, pattern: string, userId: number) => Promise<unknown>): ErasureStep => ({
  name,
  run: async (tx, { userId, pattern }) => pattern === undefined || run(tx, pattern, userId),
})

/** What the erasure of a person deletes besides the profile; `erasure.test.ts` tries it without each of them. */
export const ERASURE_STEPS: readonly ErasureStep[] = [
  { name: 'account mails', run: (tx, { context, userId }) => deleteAccountMailsOf(tx, context, userId) },
  deleting('devices', deleteDevicesOf),
  deleting('second factors', deleteFactorsOf),
  deleting('duty of a second factor', deleteDutyOf),
  deleting('identities', deleteIdentitiesOf),
  deleting('tokens', deleteTokensOf),
  deleting('consents', deleteConsentsOf),
  deleting('comments', deleteCommentsOf),
  deleting('responsibilities', removeResponsible),
  deleting('default responsibilities', removeDefaultResponsible),
  deleting('responsibilities in templates', removeFromTemplates),
  deleting('programmes applied automatically', stopAutomaticOf),
  deleting('places at partners', deleteExternalParticipations),
  deleting('notifications', deleteNotificationsOf),
  deleting('inquiries', deleteInquiriesOf),
  deleting('attendance', deleteMarksOf),
  deleting('waiting lists', deleteOffersOf),
  deleting('stand-ins', deleteStandInsOf),
  deleting('swaps', deleteSwapsOf),
  deleting('proofs', deleteProofsOf),
  deleting('requests', deleteRequestsOf),
  deleting('answers', deleteAnswersOf),
  { name: 'names of companions', run: (tx, { context, userId }) => forgetCompanionNames(tx, context, userId) },
  deleting('reasons of working hours', clearReasonsOf),
  deleting('webhooks', deleteWebhooksOf),
  deleting('registrations', deleteRegistrationsOfPerson),
  deleting('imported rows', deleteImportedRowsOf),
  deleting('picture and change of address', deleteProfileOf),
  deleting('availability', deleteAvailabilityOf),
  deleting('erasure request', deleteErasureRequestOf),
  {
    name: 'repeated requests',
    run: async (tx, { context, userId, pattern }) => {
      const names = await findNames(tx, userId)
      await deleteKeysAbout(tx, { userId, pattern, names, unseal: context.site.keyring.unseal })
    },
  },
  redacting('comments about others', (tx, pattern, userId) => redactCommentsBy(tx, userId, pattern, REDACTED)),
  redacting('messages to others', async (tx, pattern, userId) => {
    await redactMessagesBy(tx, userId, pattern, REDACTED)
    await redactNotifications(tx, pattern, REDACTED)
  }),
  redacting('webhook deliveries', deleteDeliveriesAbout),
  redacting('rows of imports', deleteImportedRowsAbout),
  redacting('rows of the former system', deleteMovedRowsAbout),
  redacting('log', (tx, pattern) => redactJournal(tx, pattern, REDACTED)),
]

export const accountHooks: AccountHooks = {
  getPhoneCountry,
  isOwnNameLocked: async (db) => (await getInstanceSettings(db)).own_name_locked,
  sendWelcomeMail: queueWelcomeMail,
  sendResetMail: async (tx, { now, site }, email) => {
    await queueAccountMail(tx, { kind: 'reset_password', sealedEmail: site.keyring.seal(email), at: now.toISOString() })
  },
  announceEmailChange: async (tx, { now, site }, { userId, formerEmail }) => {
    const sealedEmail = site.keyring.seal(formerEmail)
    await queueAccountMail(tx, { kind: 'email_changed', userId, sealedEmail, at: now.toISOString() })
  },
  resumeMails,
  endSessions: async (tx, userId) => {
    await endSessionsOf(tx, userId)
    await removePushDevicesOf(tx, userId)
  },
  endCredentials: async (tx, context, userId) => {
    await endCredentials(tx, context, userId)
    await deleteLinksOf(tx, userId)
  },
  giveUpPlaces: (tx, context, userId, cause) => giveUpPlaces(tx, context, { who: { kind: 'local', id: userId }, cause }),
  findPlaces: findPlacesAhead,
  findPlacesAbroad,
  deletePersonalData: async (tx, context, userId) => {
    // Read first: the steps delete where former names and addresses are stored.
    const pattern = await getIdentifyingPattern(tx, userId)
    for (const { run } of ERASURE_STEPS) await run(tx, { context, userId, pattern })
  },
  findMentions: async ({ db }, userId) => {
    const pattern = await getIdentifyingPattern(db, userId)
    return pattern === undefined ? [] : findMentions(db, pattern)
  },
  onQualificationsChanged: markShiftsOfPerson,
  onMembershipsChanged: updateLeftGroups,
}

/** The same for many people at once. */
export const importHooks: ImportHooks = {
  onQualificationsChanged: markShiftsOfPeople,
  onMembershipsChanged: updateLeftGroups,
  sendWelcomeMails: queueWelcomeMails,
}
