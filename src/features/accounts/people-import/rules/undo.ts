/** The present state of a person that an import wrote. */
export type PresentPerson = {
  display_name: string
  email: string
  date_of_birth: string | null
  phone: string | null
  preferred_language: string
  username: string | null
  contact_email: string | null
  groupIds: readonly number[]
  grants: readonly { id: number; until: string | null }[]
  guardianIds: readonly number[]
  /** Acts for somebody whom undo leaves. */
  isGuardian: boolean
  isPrivileged: boolean
  hasSignedIn: boolean
  takesPart: boolean
}

/** Of new people the values before are null, and `before` of grants is absent. */
export type WrittenValues = {
  profile: Readonly<Record<string, readonly [before: string | null, after: string | null]>>
  groups: readonly number[]
  grants: readonly { id: number; before?: string | null; after: string | null }[]
  guardians?: readonly number[]
}

/** Why undo leaves a person as they are. */
export type KeptReason = 'signed_in' | 'takes_part' | 'is_guardian' | 'changed'

const instantOf = (text: string | null): number | null => (text === null ? null : Date.parse(text))

/** Whether everything that the import wrote is still there. */
function isAsWritten(person: PresentPerson, { profile, groups, grants, guardians = [] }: WrittenValues): boolean {
  const values = person as unknown as Record<string, unknown>
  return (
    Object.entries(profile).every(([name, [, after]]) => values[name] === after) &&
    groups.every((id) => person.groupIds.includes(id)) &&
    guardians.every((id) => person.guardianIds.includes(id)) &&
    grants.every(({ id, after }) => person.grants.some((held) => held.id === id && instantOf(held.until) === instantOf(after)))
  )
}

/** A new person is deleted only if the account was never used and nothing was added to it. */
export function findReasonToKeep(
  person: PresentPerson,
  written: WrittenValues,
  outcome: 'created' | 'changed',
): KeptReason | undefined {
  if (outcome === 'created') {
    if (person.hasSignedIn) return 'signed_in'
    if (person.takesPart) return 'takes_part'
    if (person.isGuardian) return 'is_guardian'
    const hasMore =
      person.groupIds.length > written.groups.length ||
      person.grants.length > written.grants.length ||
      person.guardianIds.length > (written.guardians?.length ?? 0)
    if (hasMore || person.isPrivileged) return 'changed'
  }
  return isAsWritten(person, written) ? undefined : 'changed'
}
