import { findGroupsWithRights, type GroupWithRights } from '#features/accounts/users/queries/group-rights.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { SignedInPerson } from '../provider.ts'
import { findQualificationNames, getGroupRules } from '../queries.ts'
import { type AccountDecision, mayLinkByEmail } from '../rules/accounts.ts'
import { type ClaimProblem, type Claims, matchQualifications, type ProvidedEmail, readEmail } from '../rules/claims.ts'
import { decideGroups, type Withheld } from '../rules/groups.ts'
import { judgeFactor } from '../rules/proofs.ts'
import type { IdentityProvider } from '../schema.ts'
import { decideByClaims, readClaims } from './claims.ts'

export type TestResult = {
  provider: { id: number; label: string }
  subject: string
  email: ProvidedEmail
  claims: Claims
  decision: AccountDecision
  /** Whether the provider states a second factor, and whether it counts. */
  factor: 'counts' | 'stated' | 'none'
  /** Whether the provider says when the person proved who they are. */
  tellsTime: boolean
  groups: {
    joined: GroupWithRights[]
    withheld: (Withheld & { group: GroupWithRights })[]
    created: string[]
    ignored: string[]
    /** To name the groups for which another one may publish or approve. */
    all: GroupWithRights[]
  }
  qualifications: { titles: string[]; unknown: string[] } | undefined
  problems: ClaimProblem[]
}

/** What a sign-in would do, without doing it. */
export async function describeSignIn(
  context: CommandContext,
  provider: IdentityProvider,
  person: SignedInPerson,
): Promise<TestResult> {
  const { db } = context
  const received = readClaims(context, provider, person)
  const all = await findGroupsWithRights(db)
  const qualifications = await findQualificationNames(db)
  const rules = await getGroupRules(db, provider.id)
  const decided = decideGroups({ values: received.groupNames ?? [], groups: all, ...rules })
  const find = (id: number) => all.find((group) => group.id === id)
  const known =
    received.qualificationNames && matchQualifications(received.qualificationNames, provider.qualificationUuids, qualifications)
  return {
    provider: { id: provider.id, label: provider.label },
    subject: person.subject,
    email: readEmail(person, provider.trustsEmail),
    claims: { ...person.idToken, ...person.userinfo },
    decision: await decideByClaims(db, provider, person, { mayLinkByEmail }),
    factor: judgeFactor(person.idToken, provider),
    tellsTime: person.idToken.auth_time !== undefined,
    groups: {
      joined: decided.joins.flatMap((id) => find(id) ?? []),
      withheld: decided.withheld.flatMap((each) => {
        const group = find(each.groupId)
        return group ? [{ ...each, group }] : []
      }),
      created: provider.createMissingGroups ? decided.missing : [],
      ignored: provider.createMissingGroups ? [] : decided.missing,
      all,
    },
    qualifications: known && {
      titles: known.ids.map((id) => qualifications.find((each) => each.id === id)?.title ?? ''),
      unknown: known.unknown,
    },
    problems: received.problems,
  }
}
