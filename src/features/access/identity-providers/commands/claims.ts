import {
  createProvidedGroups,
  type ProvidedData,
  updateProvidedPerson,
} from '#features/accounts/users/commands/provided-accounts.ts'
import { findGroupsWithRights } from '#features/accounts/users/queries/group-rights.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { SignedInPerson } from '../provider.ts'
import { findQualificationNames, getAccountByEmail, getGroupRules, getLinkedAccount } from '../queries.ts'
import { type AccountDecision, decideAccount, type mayLinkByEmail } from '../rules/accounts.ts'
import { type ClaimProblem, matchQualifications, readEmail, readList, readProfile } from '../rules/claims.ts'
import type { decideGroups } from '../rules/groups.ts'
import type { IdentityProvider } from '../schema.ts'
import { noteWithheldGroups } from './group-mappings.ts'

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
  { guard }: { guard: { decideGroups: typeof decideGroups } },
): Promise<void> {
  const data: ProvidedData = { ...received.data }
  // A claim of the wrong type changes nothing.
  const values = provider.groupClaim ? received.groupNames : []
  if (values) {
    const rules = await getGroupRules(tx, provider.id)
    const decision = guard.decideGroups({ values, groups: await findGroupsWithRights(tx), ...rules })
    const created = provider.createMissingGroups ? await createProvidedGroups(tx, context, decision.missing) : []
    await noteWithheldGroups(tx, context, provider.id, decision)
    const mode = provider.groupClaim ? 'set' : 'add'
    data.groups = { mode, ids: [...decision.joins, ...created], keptIds: decision.keeps }
  }
  if (received.qualificationNames)
    data.qualificationIds = matchQualifications(
      received.qualificationNames,
      provider.qualificationUuids,
      await findQualificationNames(tx),
    ).ids
  await updateProvidedPerson(tx, context, { userId, providerId: provider.id, data })
}
