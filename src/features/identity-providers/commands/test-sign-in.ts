import type { CommandContext } from '#platform/auth/context.ts'
import type { SignedInPerson } from '../provider.ts'
import { findGroupNames, findQualificationNames, getManagedProvider } from '../queries.ts'
import {
  type AccountDecision,
  type ClaimProblem,
  type Claims,
  matchGroups,
  matchQualifications,
  mayLinkByEmail,
  type ProvidedEmail,
  readEmail,
} from '../rules.ts'
import type { IdentityProvider } from '../schema.ts'
import { decideByClaims, readClaims } from './claims.ts'

export type TestResult = {
  provider: { id: number; label: string }
  subject: string
  email: ProvidedEmail
  claims: Claims
  decision: AccountDecision
  groups: { names: string[]; created: string[]; ignored: string[] } | undefined
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
  const groups = await findGroupNames(db)
  const qualifications = await findQualificationNames(db)
  const matched = received.groupNames && matchGroups(received.groupNames, groups)
  const known =
    received.qualificationNames && matchQualifications(received.qualificationNames, provider.qualificationUuids, qualifications)
  const nameOf = (id: number) => groups.find((group) => group.id === id)?.name ?? ''
  const defaults = (await getManagedProvider(db, provider.id))?.defaultGroupIds ?? []
  return {
    provider: { id: provider.id, label: provider.label },
    subject: person.subject,
    email: readEmail(person, provider.trustsEmail),
    claims: { ...person.idToken, ...person.userinfo },
    decision: await decideByClaims(db, provider, person, { mayLinkByEmail }),
    groups: {
      names: [...new Set([...(matched?.ids ?? []), ...defaults])].map(nameOf),
      created: provider.createMissingGroups ? (matched?.missing ?? []) : [],
      ignored: provider.createMissingGroups ? [] : (matched?.missing ?? []),
    },
    qualifications: known && {
      titles: known.ids.map((id) => qualifications.find((each) => each.id === id)?.title ?? ''),
      unknown: known.unknown,
    },
    problems: received.problems,
  }
}
