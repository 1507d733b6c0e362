import { removeDefaultResponsible } from '#features/events/commands/event-type-people.ts'
import { forgetAbroad } from '#features/federation/commands/forget-abroad.ts'
import { forgetNewsOf } from '#features/notifications/commands/read.ts'
import { endGrantsOf, forgetConsentsOf } from '#features/oauth/commands/consents.ts'
import { forgetComments } from '#features/participations/commands/forgetting.ts'
import { removeResponsible } from '#features/planning/commands/responsible.ts'
import { queueAccountMail, welcomePerson } from '#features/sign-in/commands/links.ts'
import type { EndCredentials } from '#features/sign-in/commands/passwords.ts'
import { endLinksOf, endSessionsOf, forgetDevicesOf } from '#features/sign-in/commands/sessions.ts'
import { markShiftsOfPerson } from '#features/staffing/commands/statistics.ts'
import { endTokensOf, forgetTokensOf } from '#features/tokens/commands/personal.ts'
import type { AccountDuties } from '#features/users/commands/people.ts'

/** Whatever else can act for a person ends with their password. */
export const endCredentials: EndCredentials = async (tx, context, userId) => {
  await endTokensOf(tx, context, userId)
  await endGrantsOf(tx, userId, context.now)
}

/** What other features do for those who manage people. */
export const accountDuties: AccountDuties = {
  welcome: welcomePerson,
  sendReset: async (tx, { now, site }, email) => {
    await queueAccountMail(tx, { kind: 'reset_password', sealedEmail: site.keyring.seal(email), at: now.toISOString() })
  },
  endSessions: async (tx, userId) => {
    await endSessionsOf(tx, userId)
  },
  endCredentials: async (tx, context, userId) => {
    await endCredentials(tx, context, userId)
    await endLinksOf(tx, userId)
  },
  forget: async (tx, _context, userId) => {
    await forgetDevicesOf(tx, userId)
    await forgetTokensOf(tx, userId)
    await forgetConsentsOf(tx, userId)
    await forgetComments(tx, userId)
    await removeResponsible(tx, userId)
    await removeDefaultResponsible(tx, userId)
    await forgetAbroad(tx, userId)
    await forgetNewsOf(tx, userId)
  },
  qualificationsChanged: markShiftsOfPerson,
}
