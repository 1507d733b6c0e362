import { type GuardianshipRefusal, refuseGuardianship } from '#features/accounts/users/rules.ts'
import { bySignInName, type ExistingPerson, type Identity, type KnownPeople, keyOf } from './identity.ts'
import type { Catalogue, Judgement } from './judgement.ts'
import type { GuardianProblemCode, RowInput, RowProblem } from './row.ts'

export type JudgedRow = { row: RowInput; identity: Identity; judgement: Judgement }
/** `guardians`: those whom the person does not have yet. */
export type PlannedGuardians = { guardians: { key: string; name: string }[]; problems: RowProblem[] }

type Judging = { catalogue: Catalogue; known: KnownPeople; today: string; endsAtAge: boolean }

/** Somebody of the list or with an account, or both. */
type Candidate = { key: string; person: ExistingPerson | undefined; rows: readonly JudgedRow[] }

/**
 * Which guardians the row of a person adds, by the rules of the pages of people. Guardians of the list can be in any row. Undefined: the
 * row names none, or cannot be imported anyway.
 */
export function planGuardians(
  judged: readonly JudgedRow[],
  { catalogue, known, today, endsAtAge }: Judging,
): (row: JudgedRow) => PlannedGuardians | undefined {
  const byKey = Map.groupBy(judged, ({ identity }) => identity.key)
  const keysByName = new Map(
    judged.flatMap(({ row, identity }) => [
      ...(row.username === null ? [] : [[row.username.toLowerCase(), identity.key] as const]),
      ...(row.email && !identity.isShared ? [[row.email.toLowerCase(), identity.key] as const] : []),
    ]),
  )
  const peopleByKey = new Map(judged.flatMap(({ identity: { key, person } }) => (person ? [[key, person] as const] : [])))
  const find = (name: string): Candidate | undefined => {
    const account = bySignInName(known, name)
    const key = account ? keyOf(account) : keysByName.get(name.toLowerCase())
    if (key === undefined) return undefined
    return { key, person: account ?? peopleByKey.get(key), rows: byKey.get(key) ?? [] }
  }
  const named = new Set(judged.flatMap(({ row }) => row.guardians.flatMap((name) => find(name)?.key ?? [])))
  const birthDateOf = ({ person, rows }: Candidate) =>
    rows.find(({ row }) => row.birthDate !== null)?.row.birthDate ?? person?.birthDate ?? null

  const check = (child: JudgedRow, guardian: Candidate): GuardianProblemCode | undefined => {
    const { identity, judgement } = child
    const self: Candidate = { key: identity.key, person: identity.person, rows: [child] }
    if (guardian.key === identity.key) return 'guardian_self'
    if (guardian.person?.isHidden) return 'guardian_unknown'
    const isRefused = ({ judgement: { verdict } }: JudgedRow) => verdict === 'error' || verdict === 'conflict'
    if (!guardian.person && guardian.rows.some(isRefused)) return 'guardian_row'
    const refusal = refuseGuardianship(
      {
        userId: guardian.person?.userId ?? -1,
        dateOfBirth: birthDateOf(guardian),
        isActive: guardian.person?.isActive ?? true,
        isServiceAccount: false,
        hasGuardian: Boolean(guardian.person?.guardianIds.length) || guardian.rows.some(({ row }) => row.guardians.length > 0),
      },
      {
        userId: identity.person?.userId ?? -2,
        dateOfBirth: birthDateOf(self),
        isGuardian: Boolean(identity.person?.isGuardian) || named.has(identity.key),
        isStaff: Boolean(identity.person?.isStaff),
        isSuperuser: Boolean(identity.person?.isSuperuser),
        isServiceAccount: false,
        permissionCount: countPermissions(judgement, catalogue),
      },
      { today, endsAtAge, exists: false },
    )
    return refusal && CODES[refusal]
  }

  return (child) => {
    const { row, identity, judgement } = child
    const isUsable = judgement.plan !== undefined || (judgement.verdict === 'same' && !judgement.problems.length)
    if (!row.guardians.length || !isUsable) return undefined
    const planned: PlannedGuardians = { guardians: [], problems: [] }
    for (const name of row.guardians) {
      const guardian = find(name)
      if (guardian?.person && identity.person?.guardianIds.includes(guardian.person.userId)) continue
      const code = guardian ? check(child, guardian) : 'guardian_unknown'
      if (code) planned.problems.push({ code, value: name })
      else planned.guardians.push({ key: guardian!.key, name: guardian!.person?.name ?? guardian!.rows[0]!.row.name })
    }
    return planned
  }
}

/** Of the account, and of groups that the row adds. */
function countPermissions({ person, plan }: Judgement, { powerfulGroups }: Catalogue): number {
  const groups = [...(person?.groupIds ?? []), ...(plan?.groups ?? []).filter((group) => typeof group === 'number')]
  return (person?.ownPermissions.length ?? 0) + groups.filter((id) => powerfulGroups.has(id)).length
}

const CODES: Record<GuardianshipRefusal, GuardianProblemCode | undefined> = {
  same_person: 'guardian_self',
  guardian_unknown: 'guardian_unknown',
  guardian_minor: 'guardian_minor',
  guardian_has_guardian: 'guardian_has_guardian',
  child_has_powers: 'child_has_powers',
  child_adult: 'child_adult',
  child_is_guardian: 'child_is_guardian',
  exists: undefined,
}
