import { type Kysely, sql } from 'kysely'
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
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { isAddress, noAddress } from '#platform/no-address.ts'
import { rightsOf } from '../access.ts'
import { getImport, type PeopleImport } from '../queries/imports.ts'
import { foldName } from '../rules/columns.ts'
import type { ExistingPerson } from '../rules/identity.ts'
import type { ImportRights, Plan, Reference } from '../rules/judgement.ts'
import { type Checked, judgeImport, storeVerdicts } from './check.ts'

export const IMPORT_TASK = 'people_import'
const BATCH = 1000
const MAX_ATTEMPTS = 3
const UNIQUE_VIOLATION = '23505'

type ApplyChoice = { goodRowsOnly: boolean; sendsInvitations: boolean /** False: the caller applies it. */; addsJob?: boolean }

/** Queues the list; a job applies it. False: it is not open any more. */
export async function queueImport(context: CommandContext, id: number, choice: ApplyChoice): Promise<boolean> {
  rightsOf(context.actor)
  return transact(context.db, async (tx) => {
    const queued = await tx
      .updateTable('people_import')
      .set({
        state: 'waiting',
        refusal: null,
        good_rows_only: choice.goodRowsOnly,
        sends_invitations: choice.sendsInvitations,
        done: 0,
        total: 0,
      })
      .where('id', '=', id)
      .where('state', '=', 'open')
      .returning('id')
      .executeTakeFirst()
    if (queued && choice.addsJob !== false) await addImportJob(tx, context, id)
    return queued !== undefined
  })
}

/** The job acts for the person who asked for it. */
export async function addImportJob(tx: Tx, { actor }: CommandContext, id: number): Promise<void> {
  const payload = { id, by: actor.kind === 'user' ? actor.userId : null }
  await sql`select graphile_worker.add_job(${IMPORT_TASK}, ${JSON.stringify(payload)}::json)`.execute(tx)
}

type ApplyOptions = {
  /** A test shows what happens without the rights of the importer. */
  rights?: ImportRights
  onProgress?: (done: number, total: number) => void
  /** Before the commit. */
  onCommit?: () => void
}

/** Another request took an address or a user name of the list after it was judged. */
class AddressTakenError extends Error {}

/** Applies a waiting list in one transaction: all of its rows, or all of its good rows, or nothing. */
export async function applyImport(context: CommandContext, id: number, options: ApplyOptions): Promise<void> {
  await context.db
    .updateTable('people_import')
    .set({ state: 'running' })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
  for (let attempt = 1; ; attempt++) {
    try {
      return await transact(context.db, async (tx) => {
        await applyIn(tx, context, id, options)
        options.onCommit?.()
      })
    } catch (error) {
      const isTaken = error instanceof AddressTakenError || (error as { code?: string }).code === UNIQUE_VIOLATION
      if (isTaken && attempt < MAX_ATTEMPTS) continue
      await reopen(context.db, id, 'failed')
      throw error
    }
  }
}

/** Nothing was written: the list can be changed and applied again. */
export async function reopen(db: Kysely<DB>, id: number, refusal: NonNullable<PeopleImport['refusal']>): Promise<void> {
  await db
    .updateTable('people_import')
    .set({ state: 'open', refusal })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'running'])
    .execute()
}

async function applyIn(tx: Tx, context: CommandContext, id: number, { rights, onProgress }: ApplyOptions): Promise<void> {
  // Two lists with the same people would wait for each other's rows.
  await sql`select pg_advisory_xact_lock(hashtext('turnout.people_import'))`.execute(tx)
  const list = await getImport(tx, id)
  if (list?.state !== 'running') return
  const checked = await judgeImport(tx, context, list, { locks: true, ...(rights ? { rights } : {}) })
  await storeVerdicts(tx, list, checked.judgements)
  const { counts } = checked.summary
  if (!list.goodRowsOnly && counts.conflict + counts.error > 0)
    return storeRefusal(tx, context, { id, checked, refusal: 'bad_rows' })
  const planned = checked.judgements
    .flatMap(({ number, plan, key, person }): PlannedRow[] => (plan ? [{ number, key, plan, person }] : []))
    // Guardians have no guardian: they come before their children.
    .toSorted((a, b) => Math.min(1, a.plan.guardians.length) - Math.min(1, b.plan.guardians.length))
  if (!planned.length) return storeRefusal(tx, context, { id, checked, refusal: 'nothing' })
  const references = await createReferences(tx, context, planned)
  const writing: Writing = { tx, context, list, references, ids: new Map() }
  for (let at = 0; at < planned.length; at += BATCH) {
    await writeBatch(writing, planned.slice(at, at + BATCH))
    const done = Math.min(at + BATCH, planned.length)
    onProgress?.(done, planned.length)
  }
  // Last, because it locks the row, and progress is written to it meanwhile.
  await tx
    .updateTable('people_import')
    .set({
      state: 'applied',
      summary: JSON.stringify(checked.summary),
      checked_at: context.now,
      applied_at: context.now,
      done: planned.length,
      total: planned.length,
    })
    .where('id', '=', id)
    .execute()
  const changes = { created: counts.new, changed: counts.updated, skipped: counts.conflict + counts.error }
  await record(tx, context, { kind: 'user.imported', subject: { kind: 'user', id: null }, changes })
}

type RefusedList = { id: number; checked: Checked; refusal: 'bad_rows' | 'nothing' }

async function storeRefusal(tx: Tx, { now }: CommandContext, { id, checked, refusal }: RefusedList): Promise<void> {
  await tx
    .updateTable('people_import')
    .set({ state: 'open', refusal, summary: JSON.stringify(checked.summary), checked_at: now })
    .where('id', '=', id)
    .execute()
}

type PlannedRow = { number: number; key: string; plan: Plan; person: ExistingPerson | undefined }
type References = { groups: ReadonlyMap<string, number>; qualifications: ReadonlyMap<string, number> }
type Writing = {
  tx: Tx
  context: CommandContext
  list: PeopleImport
  references: References
  /** Of people whom the import has added, by key. */
  ids: Map<string, number>
}

/** Creates the groups, without permissions, and the qualifications that people of the list get. */
async function createReferences(tx: Tx, context: CommandContext, planned: readonly PlannedRow[]): Promise<References> {
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

async function writeBatch(writing: Writing, rows: readonly PlannedRow[]): Promise<void> {
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
