import type { Kysely } from 'kysely'
import type { UserActor } from '#platform/auth/actor.ts'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { type Addition, extensionPoint, hookPoint } from '#platform/features/extension-points.ts'
import type { Html } from '#platform/html/html.ts'
import { DEFAULT_PHONE_COUNTRY, type PhoneCountry } from '#platform/phone.ts'
import type { AccountPlace, Mention, PlaceAtPartner } from './rules.ts'

/** What other features do when an account changes, in the transaction of the change, and what they know about it. */
type AccountHooks = {
  /** The country of phone numbers without a country code. */
  getPhoneCountry: (db: Kysely<DB>) => Promise<PhoneCountry>
  /** Whether people may not change their own name. */
  isOwnNameLocked: (db: Kysely<DB>) => Promise<boolean>
  /** Queues a mail with a link to choose the first password. */
  sendWelcomeMail: (tx: Tx, context: CommandContext, userId: number) => Promise<void>
  /** Queues welcome mails for many people at once; nobody is notified about each. */
  sendWelcomeMails: (tx: Tx, context: CommandContext, userIds: readonly number[]) => Promise<void>
  /** Queues a mail with a link to choose a new password. */
  sendResetMail: (tx: Tx, context: CommandContext, email: string) => Promise<void>
  /** Queues a mail to the address that the account had before, in case somebody else changed it. */
  announceEmailChange: (tx: Tx, context: CommandContext, change: { userId: number; formerEmail: string }) => Promise<void>
  /** Sends what was left out while the address of the person did not work. */
  resumeMails: (tx: Tx, context: CommandContext, userId: number) => Promise<void>
  endSessions: (tx: Tx, userId: number) => Promise<unknown>
  revokeTokens: (tx: Tx, context: CommandContext, userId: number) => Promise<unknown>
  /** Ends links in sent mails. */
  endLinks: (tx: Tx, userId: number) => Promise<unknown>
  /** Deletes the personal data that other features hold. */
  deletePersonalData: (tx: Tx, context: CommandContext, userId: number) => Promise<void>
  /** Frees the person's future places and withdraws their requests. */
  giveUpPlaces: (
    tx: Tx,
    context: CommandContext,
    userId: number,
    cause: 'account_deactivated' | 'account_deleted',
  ) => Promise<void>
  /** What `giveUpPlaces` would free, for the page that asks before. */
  findPlaces: (context: RequestContext, userId: number) => Promise<AccountPlace[]>
  /** Places at partner instances, which stay as they are. */
  findPlacesAtPartners: (context: RequestContext, userId: number) => Promise<PlaceAtPartner[]>
  /** Texts of others that name the person and stay as they are. */
  findMentions: (context: RequestContext, userId: number) => Promise<Mention[]>
  /** Marks the shifts of these people for a new matching. */
  onQualificationsChanged: (tx: Tx, userIds: readonly number[], now: Date) => Promise<void>
  /** Finds out which places of these people need a group that they have left or joined again. `left`: groups. */
  onMembershipsChanged: (tx: Tx, change: { userIds: readonly number[]; left: readonly number[]; now: Date }) => Promise<void>
}

const doNothing = async (): Promise<void> => {}
const findNone = async (): Promise<never[]> => []

export const accountHooks = hookPoint<AccountHooks>('users.account', {
  getPhoneCountry: async () => DEFAULT_PHONE_COUNTRY,
  isOwnNameLocked: async () => false,
  sendWelcomeMail: doNothing,
  sendWelcomeMails: doNothing,
  sendResetMail: doNothing,
  announceEmailChange: doNothing,
  resumeMails: doNothing,
  endSessions: doNothing,
  revokeTokens: doNothing,
  endLinks: doNothing,
  deletePersonalData: doNothing,
  giveUpPlaces: doNothing,
  findPlaces: findNone,
  findPlacesAtPartners: findNone,
  findMentions: findNone,
  onQualificationsChanged: doNothing,
  onMembershipsChanged: doNothing,
})

/** Revokes everything besides the password that can act for a person. */
export async function endCredentials(tx: Tx, context: CommandContext, userId: number): Promise<void> {
  const hooks = accountHooks.of(context.site)
  await hooks.revokeTokens(tx, context, userId)
  await hooks.endLinks(tx, userId)
}

export type ErasedPerson = {
  context: CommandContext
  userId: number
  /** Finds what identifies the person in texts; undefined if nothing does. */
  pattern: string | undefined
  /** Replaces what the pattern finds. */
  replacement: string
}

/** A part of the erasure of a person, besides the profile. */
type ErasureStep = {
  name: string
  /** Rewrites texts of others instead of deleting rows of the person. Such steps come last. */
  isRedaction?: true
  run: (tx: Tx, person: ErasedPerson) => Promise<unknown>
}

/** Steps of features above come first, because their rows refer to those of features below. */
export const erasureSteps = extensionPoint<ErasureStep>('users.erasure', { isAlwaysOn: true })

/** An erasure step that deletes rows of a person. */
export const erasing = (name: string, run: (tx: Tx, userId: number) => Promise<unknown>): Addition =>
  erasureSteps.add({ name, run: (tx, { userId }) => run(tx, userId) })

/** An erasure step that finds the person in texts. */
export const redacting = (
  name: string,
  run: (tx: Tx, person: ErasedPerson & { pattern: string }) => Promise<unknown>,
): Addition =>
  erasureSteps.add({
    name,
    isRedaction: true,
    run: async (tx, person) => person.pattern !== undefined && run(tx, { ...person, pattern: person.pattern }),
  })

/** A section of the own profile page. */
export const profileSections = extensionPoint<(context: RequestContext<UserActor>) => Promise<Html | undefined>>('users.profile')
