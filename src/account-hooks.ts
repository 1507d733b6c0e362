import { removeDefaultResponsible } from '#features/events/commands/event-type-people.ts'
import { deleteExternalParticipations } from '#features/federation/commands/delete-external-participations.ts'
import { findPlacesAbroad } from '#features/federation/queries/statements.ts'
import { clearReasonsOf } from '#features/hours/commands.ts'
import { deleteIdentitiesOf } from '#features/identity-providers/commands/links.ts'
import { deleteNotificationsOf } from '#features/notifications/commands/inbox.ts'
import { removePushDevicesOf } from '#features/notifications/commands/push-devices.ts'
import { deleteConsentsOf, revokeGrantsOf } from '#features/oauth/commands/consents.ts'
import { deleteAnswersOf, deleteCommentsOf } from '#features/participations/commands/cascades.ts'
import { giveUpPlaces } from '#features/participations/commands/departures.ts'
import { findPlacesAhead } from '#features/participations/queries/departures.ts'
import { removeResponsible } from '#features/planning/commands/events.ts'
import { deleteProofsOf } from '#features/qualification-requests/commands/requests.ts'
import { deleteRequestsOf } from '#features/requests/commands.ts'
import { queueAccountMail, queueWelcomeMail } from '#features/sign-in/commands/links.ts'
import type { EndCredentials } from '#features/sign-in/commands/passwords.ts'
import { deleteDevicesOf, deleteLinksOf, endSessionsOf } from '#features/sign-in/commands/sessions.ts'
import { updateLeftGroups } from '#features/staffing/commands/place-basis.ts'
import { markShiftsOfPerson } from '#features/staffing/commands/statistics.ts'
import { deleteTokensOf, revokeTokensOf } from '#features/tokens/commands/personal.ts'
import type { AccountHooks } from '#features/users/commands/people.ts'
import { deleteWebhooksOf } from '#features/webhooks/commands/webhooks.ts'

/** Revokes everything besides the password that can act for a person. */
export const endCredentials: EndCredentials = async (tx, context, userId) => {
  await revokeTokensOf(tx, context, userId)
  await revokeGrantsOf(tx, userId, context.now)
}

export const accountHooks: AccountHooks = {
  sendWelcomeMail: queueWelcomeMail,
  sendResetMail: async (tx, { now, site }, email) => {
    await queueAccountMail(tx, { kind: 'reset_password', sealedEmail: site.keyring.seal(email), at: now.toISOString() })
  },
  announceEmailChange: async (tx, { now, site }, { userId, formerEmail }) => {
    const sealedEmail = site.keyring.seal(formerEmail)
    await queueAccountMail(tx, { kind: 'email_changed', userId, sealedEmail, at: now.toISOString() })
  },
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
  deletePersonalData: async (tx, _context, userId) => {
    await deleteDevicesOf(tx, userId)
    await deleteIdentitiesOf(tx, userId)
    await deleteTokensOf(tx, userId)
    await deleteConsentsOf(tx, userId)
    await deleteCommentsOf(tx, userId)
    await removeResponsible(tx, userId)
    await removeDefaultResponsible(tx, userId)
    await deleteExternalParticipations(tx, userId)
    await deleteNotificationsOf(tx, userId)
    await deleteProofsOf(tx, userId)
    await removePushDevicesOf(tx, userId)
    await deleteRequestsOf(tx, userId)
    await deleteAnswersOf(tx, userId)
    await clearReasonsOf(tx, userId)
    await deleteWebhooksOf(tx, userId)
  },
  onQualificationsChanged: markShiftsOfPerson,
  onMembershipsChanged: updateLeftGroups,
}
