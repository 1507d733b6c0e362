import type { AccountHooks } from '#features/users/commands/people.ts'
import { createProvidedGroups, type ProvidedData, updateProvidedPerson } from '#features/users/commands/provided-accounts.ts'
import { dayOf } from '#features/users/rules.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SignedInPerson } from '../provider.ts'
import { findGroupNames, findQualificationNames, getAccountByEmail, getLinkedAccount, getManagedProvider } from '../queries.ts'
import {
  type AccountDecision,
  type ClaimProblem,
  decideAccount,
  matchGroups,
  matchQualifications,
  type mayLinkByEmail,
  readEmail,
  readList,
  readProfile,
} from '../rules.ts'
import type { IdentityProvider } from '../schema.ts'

export type SignInHooks = Pick<AccountHooks, 'onMembershipsChanged' | 'onQualificationsChanged'>

/** Which account the claims belong to. */
export async function decideByClaims(
  tx: CommandContext['db'],
  provider: IdentityProvider,
  person: SignedInPerson,
  guard: { mayLinkByEmail: typeof mayLinkByEmail },
): Promise<AccountDecision> {
  const email = readEmail(person, provider.trustsEmail)
  const linked = await getLinkedAccount(tx, person)
  const holder = email.ok ? await getAccountByEmail(tx, email.email) : undefined
  return decideAccount({ linked, email, holder, createsAccounts: provider.createsAccounts }, guard.mayLinkByEmail)
}

type ReceivedClaims = {
  data: ProvidedData
  groupNames: string[] | undefined
  qualificationNames: string[] | undefined
  problems: ClaimProblem[]
}

/** Claims of the wrong type are listed in `problems` and change nothing. */
export function readClaims({ now, site }: CommandContext, provider: IdentityProvider, person: SignedInPerson): ReceivedClaims {
  const claims = { ...person.idToken, ...person.userinfo }
  const { profile, problems } = readProfile(claims, dayOf(now, site.timeZone))
  const read = (claim: string): string[] | undefined => {
    if (!claim) return undefined
    const list = readList(claims, claim)
    if ('values' in list) return list.values
    problems.push(list.problem)
    return undefined
  }
  const groupNames = read(provider.groupClaim)
  const qualificationNames = read(provider.qualificationClaim)
  return { data: profile, groupNames, qualificationNames, problems }
}

/** Writes what the claims say about the account. */
export async function updateAccount(
  tx: Tx,
  context: CommandContext,
  { provider, userId, received }: { provider: IdentityProvider; userId: number; received: ReceivedClaims },
  hooks: SignInHooks,
): Promise<void> {
  const data: ProvidedData = { ...received.data }
  const defaults = (await getManagedProvider(tx, provider.id))?.defaultGroupIds ?? []
  if (!provider.groupClaim) data.groups = { mode: 'add', ids: defaults }
  else if (received.groupNames) {
    const { ids, missing } = matchGroups(received.groupNames, await findGroupNames(tx))
    const created = provider.createMissingGroups ? await createProvidedGroups(tx, context, missing) : []
    data.groups = { mode: 'set', ids: [...new Set([...ids, ...created, ...defaults])] }
  }
  if (received.qualificationNames)
    data.qualificationIds = matchQualifications(
      received.qualificationNames,
      provider.qualificationUuids,
      await findQualificationNames(tx),
    ).ids
  await updateProvidedPerson(tx, context, { userId, providerId: provider.id, data }, hooks)
}
