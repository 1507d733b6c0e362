import { sql } from 'kysely'
import { createCategory } from '#features/accounts/qualifications/commands/categories.ts'
import { createQualification } from '#features/accounts/qualifications/commands/qualifications.ts'
import { findCategories } from '#features/accounts/qualifications/queries.ts'
import {
  addGuardianships,
  changePeople,
  createPeople,
  type Grant,
  type NewPerson,
  type PersonChange,
} from '#features/accounts/users/commands/imported-people.ts'
import { createProvidedGroups } from '#features/accounts/users/commands/provided-accounts.ts'
import { accountHooks } from '#features/accounts/users/points.ts'
import { endOfDay } from '#features/accounts/users/rules.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { randomSecret } from '#platform/auth/secrets.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { isAddress, noAddress } from '#platform/no-address.ts'
import { foldName } from '#platform/spreadsheet/fold-name.ts'
import type { PeopleImport } from '../queries/imports.ts'
import type { ExistingPerson } from '../rules/identity.ts'
import type { Plan, Reference } from '../rules/judgement.ts'

export const UNIQUE_VIOLATION = '23505'

/** Another request took an address or a user name of the list after it was judged. */
export class AddressTakenError extends Error {}

export type PlannedRow = { number: number; key: string; plan: Plan; person: ExistingPerson | undefined }
type References = { groups: ReadonlyMap<string, number>; qualifications: ReadonlyMap<string, number> }

export type Writing = {
  tx: Tx
  context: CommandContext
  list: PeopleImport
  references: References
  /** Of people whom the import has added, by key. */
  ids: Map<string, number>
}

/** Creates the groups, without permissions, and the qualifications that people of the list get. */
export async function createReferences(tx: Tx, context: CommandContext, planned: readonly PlannedRow[]): Promise<References> {
  const nameOf = (reference: Reference): string[] => (typeof reference === 'number' ? [] : [reference.create])
  const byKey = (names: readonly string[]) => new Map(names.toReversed().map((name) => [foldName(name), name]))
  const groupNames = byKey(planned.flatMap(({ plan }) => plan.groups.flatMap(nameOf)))
  const titles = byKey(planned.flatMap(({ plan }) => plan.grants.flatMap(({ qualification }) => nameOf(qualification))))
  const groups = new Map<string, number>()
  for (const [key, name] of groupNames) {
    const [id] = await createProvidedGroups(tx, context, [name])
    if (id !== undefined) groups.set(key, id)
  }
  const qualifications = new Map<string, number>()
  if (titles.size) {
    const inTx = { ...context, db: tx }
    const [first] = await findCategories(tx)
    const title = context.site.defaultLanguage === 'de' ? 'Allgemein' : 'General'
    const category = first?.id ?? (await createCategory(inTx, { title, show_with_user: true, rank: 0 }))
    for (const [key, name] of titles) {
      const made = await createQualification(inTx, { title: name, abbreviation: '', category, includes: [], valid_months: null })
      if (made.ok) qualifications.set(key, made.id)
    }
  }
  return { groups, qualifications }
}

const resolve = (reference: Reference, created: ReadonlyMap<string, number>): number =>
  typeof reference === 'number' ? reference : created.get(foldName(reference.create))!

/** What was written about a person, so that it can be undone. Days and times as text. */
export type Written = {
  /** Each with the value before; of new people without. */
  profile: Record<string, [before: string | null, after: string | null]>
  groups: number[]
  /** `before` absent: was not held. */
  grants: { id: number; before?: string | null; after: string | null }[]
  /** Guardianships that were added; absent: none. */
  guardians?: number[]
}

export async function writeBatch(writing: Writing, rows: readonly PlannedRow[]): Promise<void> {
  const { tx, context, list } = writing
  const guardiansOf = ({ plan }: PlannedRow) => plan.guardians.map((key) => writing.ids.get(key) ?? Number(key.slice(1)))
  const added = rows
    .filter(({ plan }) => plan.userId === undefined)
    .map((row) => ({ ...row, person: newPersonOf(writing, row.plan) }))
  const ids = await createPeople(
    tx,
    context,
    added.map(({ person }) => person),
  )
  if (ids.size < added.length) throw new AddressTakenError()
  const idOf = ({ email }: NewPerson) => ids.get(email.toLowerCase())!
  for (const { key, person } of added) writing.ids.set(key, idOf(person))
  const changed = rows.filter(({ plan }) => plan.userId !== undefined).map((row) => ({ ...row, change: changeOf(writing, row) }))
  await changePeople(
    tx,
    context,
    changed.map(({ change }) => change),
  )
  const outcomes: Outcome[] = [
    ...added.map(({ person, ...row }) => ({
      number: row.number,
      userId: idOf(person),
      outcome: 'created',
      written: { ...writtenOfNew(person), ...writtenGuardians(guardiansOf({ ...row, person: undefined })) },
    })),
    ...changed.map(({ change, ...row }) => ({
      number: row.number,
      userId: change.userId,
      outcome: 'changed',
      written: { ...writtenOfChange(change), ...writtenGuardians(guardiansOf(row)) },
    })),
  ]
  await addGuardianships(
    tx,
    context,
    outcomes.flatMap(({ userId, written }) => (written.guardians ?? []).map((guardianId) => ({ guardianId, childId: userId }))),
  )
  await storeOutcomes(tx, list, outcomes)
  // People without an address and without a user name have no sign-in.
  const invited = added.filter(
    ({ person }) => isAddress(person.email) || (person.username !== null && person.contactEmail !== null),
  )
  if (list.sendsInvitations)
    await accountHooks.of(context.site).sendWelcomeMails(
      tx,
      context,
      invited.map(({ person }) => idOf(person)),
    )
}

const writtenGuardians = (guardians: number[]): Pick<Written, 'guardians'> => (guardians.length ? { guardians } : {})
const grantsOf = ({ context, references }: Writing, plan: Plan): Grant[] =>
  plan.grants.map(({ qualification, until }) => ({
    qualificationId: resolve(qualification, references.qualifications),
    expiresAt: until === null ? null : endOfDay(until, context.site.timeZone),
  }))

/** Two names in a list can mean the same group. */
const groupsOf = ({ references }: Writing, plan: Plan): number[] => [
  ...new Set(plan.groups.map((group) => resolve(group, references.groups))),
]

const newPersonOf = (writing: Writing, plan: Plan): NewPerson => ({
  name: plan.name!,
  email: plan.email ?? noAddress(randomSecret(20)),
  contactEmail: plan.contactEmail ?? null,
  username: plan.username ?? null,
  birthDate: plan.birthDate ?? null,
  phone: plan.phone ?? null,
  language: plan.language ?? writing.context.site.defaultLanguage ?? 'en',
  groupIds: groupsOf(writing, plan),
  grants: [...new Map(grantsOf(writing, plan).map((grant) => [grant.qualificationId, grant])).values()],
})

function changeOf(writing: Writing, { plan, ...row }: PlannedRow): PersonChange {
  const person = row.person!
  const held = new Map(person.grants.map(({ qualificationId, expiresAt }) => [qualificationId, expiresAt]))
  return {
    userId: person.userId,
    profile: {
      ...(plan.name === undefined ? {} : { display_name: [person.name, plan.name] }),
      ...(plan.username === undefined ? {} : { username: [person.username, plan.username] }),
      ...(plan.contactEmail === undefined ? {} : { contact_email: [person.contactEmail, plan.contactEmail] }),
      ...(plan.birthDate === undefined ? {} : { date_of_birth: [person.birthDate, plan.birthDate] }),
      ...(plan.phone === undefined ? {} : { phone: [person.phone, plan.phone] }),
      ...(plan.language === undefined ? {} : { preferred_language: [person.language, plan.language] }),
    },
    addedGroups: groupsOf(writing, plan),
    removedGroups: [],
    grants: [...new Map(grantsOf(writing, plan).map((grant) => [grant.qualificationId, grant])).values()].map((grant) => {
      const before = held.get(grant.qualificationId)
      return {
        qualificationId: grant.qualificationId,
        before: before === undefined || before === null ? before : new Date(before),
        after: grant.expiresAt,
      }
    }),
  }
}

const writtenOfNew = ({
  name,
  email,
  username,
  contactEmail,
  birthDate,
  phone,
  language,
  groupIds,
  grants,
}: NewPerson): Written => ({
  profile: {
    display_name: [null, name],
    email: [null, email],
    username: [null, username],
    contact_email: [null, contactEmail],
    date_of_birth: [null, birthDate],
    phone: [null, phone],
    preferred_language: [null, language],
  },
  groups: [...groupIds],
  grants: grants.map(({ qualificationId, expiresAt }) => ({ id: qualificationId, after: expiresAt?.toISOString() ?? null })),
})

const writtenOfChange = ({ profile, addedGroups, grants }: PersonChange): Written => ({
  profile,
  groups: [...addedGroups],
  grants: grants.map(({ qualificationId, before, after }) => ({
    id: qualificationId,
    ...(before === undefined ? {} : { before: before?.toISOString() ?? null }),
    after: after?.toISOString() ?? null,
  })),
})

type Outcome = { number: number; userId: number; outcome: string; written: Written }

async function storeOutcomes(tx: Tx, { id, settings }: PeopleImport, rows: readonly Outcome[]): Promise<void> {
  await sql`
    update people_import_row r set outcome = n.outcome, user_id = n."userId", written = n.written
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (number integer, "userId" bigint, outcome text, written jsonb)
    where r.import_id = ${id} and r.sheet = ${settings.sheet} and r.number = n.number`.execute(tx)
}
