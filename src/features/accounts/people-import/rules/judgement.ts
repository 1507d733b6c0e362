import type { ExistingPerson } from './identity.ts'
import type { PersonLanguage, RowProblem } from './row.ts'

export const VERDICTS = ['new', 'updated', 'same', 'conflict', 'error'] as const
export type Verdict = (typeof VERDICTS)[number]

/** For a name that is unknown here: create it, leave it out, or use the group or qualification with this id. */
export type NameChoice = 'create' | 'skip' | number

/** What all new people get. */
export type ForNew = { language?: PersonLanguage; group?: number }

/** What the importer may do, by the rules of the pages of people. */
export type ImportRights = {
  /** Existing people and qualifications of people. */
  mayChange: boolean
  mayAssign: (groupId: number) => boolean
  mayCreateGroups: boolean
  mayCreateQualifications: boolean
  /** User name, contact address and guardians: they decide who gets into the account, or acts for it. */
  mayChangeAddress: (person: ExistingPerson) => boolean
}

/** Keys are folded names. */
export type Catalogue = {
  groups: ReadonlyMap<string, number>
  groupNames: ReadonlyMap<number, string>
  /** Groups that give permissions. */
  powerfulGroups: ReadonlySet<number>
  groupChoices: Readonly<Record<string, NameChoice>>
  qualifications: ReadonlyMap<string, number>
  qualificationNames: ReadonlyMap<number, string>
  qualificationChoices: Readonly<Record<string, NameChoice>>
}

/** An id, or the name of a group or qualification that the import creates. */
export type Reference = number | { create: string }
export type PlannedGrant = { qualification: Reference; until: string | null }

/** What the import does with a person; without `userId` it creates one. Absent values stay as they are. */
export type Plan = {
  userId?: number
  name?: string
  email?: string
  username?: string
  /** An address that another person signs in with: mails go there. */
  contactEmail?: string
  birthDate?: string
  phone?: string
  language?: PersonLanguage
  groups: Reference[]
  grants: PlannedGrant[]
  /** Keys of people: of this list, or `keyOf` an account. */
  guardians: string[]
}

/** One change for the preview; without `from` something is added. */
export type Change = {
  field:
    | 'contact'
    | 'contact_changed'
    | 'username'
    | 'guardian'
    | 'name'
    | 'birth_date'
    | 'phone'
    | 'language'
    | 'group'
    | 'qualification'
  from?: string
  to: string
}

export type Judgement = {
  number: number
  verdict: Verdict
  problems: RowProblem[]
  changes: Change[]
  plan?: Plan | undefined
  /** The account; undefined: there is none, or the importer may not see it. */
  person: ExistingPerson | undefined
  name: string
  /** Or the user name. */
  email: string
  /** See `identify`. */
  key: string
}
