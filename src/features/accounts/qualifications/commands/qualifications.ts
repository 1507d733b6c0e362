import { sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { qualificationHooks } from '../points.ts'
import { findQualifications, findUses, inclusionsOf, type Qualification, type Uses } from '../queries.ts'
import { formStateOf } from '../rules/form-state.ts'
import { findCycle } from '../rules/inclusion.ts'
import type { QualificationForm } from '../schema.ts'

export type Guard = { lock: (tx: Tx) => Promise<void>; checked: () => Promise<void> }
/** Serialises changes of inclusions: two valid changes can create a cycle together. The trigger of the table takes the same lock. */
export const GUARD: Guard = {
  lock: async (tx) => void (await sql`select pg_advisory_xact_lock(hashtext('turnout.qualification_closure'))`.execute(tx)),
  checked: async () => {},
}

export type SaveOutcome = { ok: true; id: number } | SaveRefusal
export type SaveRefusal =
  | { ok: false; reason: 'gone' | 'no_category' | 'unknown_included' | 'changed_meanwhile' }
  /** Titles along the cycle; the first is also the last. */
  | { ok: false; reason: 'cycle'; path: string[] }

/** Has no holders yet, so no statistics change. */
export async function createQualification(context: CommandContext, form: QualificationForm): Promise<SaveOutcome> {
  return transact(context.db, async (tx) => {
    await GUARD.lock(tx)
    const all = await findQualifications(tx, context.now)
    const refusal = (await checkCategory(tx, form)) ?? checkIncluded(all, form.includes)
    if (refusal) return refusal
    const { id } = await tx.insertInto('qualification').values(columnsOf(form)).returning('id').executeTakeFirstOrThrow()
    await addInclusions(tx, id, form.includes)
    const { seen: _seen, ...written } = form
    await record(tx, context, { kind: 'qualification.created', subject: { kind: 'qualification', id }, changes: written })
    return { ok: true, id }
  })
}

export async function changeQualification(
  context: CommandContext,
  id: number,
  { seen, ...form }: QualificationForm,
  guard: Guard = GUARD,
): Promise<SaveOutcome> {
  return transact(context.db, async (tx) => {
    await guard.lock(tx)
    const all = await findQualifications(tx, context.now)
    const before = all.find((one) => one.id === id)
    if (!before) return { ok: false, reason: 'gone' }
    if (seen !== undefined && seen !== formStateOf(before)) return { ok: false, reason: 'changed_meanwhile' }
    const refusal = (await checkCategory(tx, form)) ?? checkIncluded(all, form.includes) ?? checkCycle(all, id, form.includes)
    await guard.checked()
    if (refusal) return refusal
    await tx.updateTable('qualification').set(columnsOf(form)).where('id', '=', id).execute()
    const gone = before.includes.filter((included) => !form.includes.includes(included))
    const added = form.includes.filter((included) => !before.includes.includes(included))
    if (gone.length)
      await tx.deleteFrom('qualification_inclusion').where('qualification_id', '=', id).where('included_id', 'in', gone).execute()
    await addInclusions(tx, id, added)
    if (gone.length || added.length) await qualificationHooks.of(context.site).markShiftsStale(tx, context.now)
    const { title, abbreviation, categoryId, includes, validMonths } = before
    await record(tx, context, {
      kind: 'qualification.changed',
      subject: { kind: 'qualification', id },
      changes: { ...form, before: { title, abbreviation, category: categoryId, includes, valid_months: validMonths } },
    })
    return { ok: true, id }
  })
}

const columnsOf = (form: Omit<QualificationForm, 'seen'>) => ({
  title: form.title,
  abbreviation: form.abbreviation,
  category_id: form.category,
  valid_months: form.valid_months,
})

async function checkCategory(tx: Tx, { category }: Pick<QualificationForm, 'category'>): Promise<SaveRefusal | undefined> {
  const found = await tx
    .selectFrom('qualification_category')
    .select('id')
    .where('id', '=', category)
    .forKeyShare()
    .executeTakeFirst()
  return found ? undefined : { ok: false, reason: 'no_category' }
}

function checkIncluded(all: readonly Qualification[], includes: readonly number[]): SaveRefusal | undefined {
  const known = new Set(all.map(({ id }) => id))
  return includes.every((id) => known.has(id)) ? undefined : { ok: false, reason: 'unknown_included' }
}

function checkCycle(all: readonly Qualification[], id: number, includes: readonly number[]): SaveRefusal | undefined {
  const cycle = findCycle(inclusionsOf(all), id, includes)
  if (!cycle) return undefined
  return { ok: false, reason: 'cycle', path: cycle.map((step) => all.find((one) => one.id === step)?.title ?? '') }
}

async function addInclusions(tx: Tx, id: number, includes: readonly number[]): Promise<void> {
  if (!includes.length) return
  const rows = includes.map((included_id) => ({ qualification_id: id, included_id }))
  await tx.insertInto('qualification_inclusion').values(rows).execute()
}

type DeleteInput = { keepTransitivity: boolean; moveTo: number | null }
export type DeleteOutcome =
  | { ok: true; title: string; moved: number }
  | { ok: false; reason: 'gone' }
  | { ok: false; reason: 'no_target' }
  | { ok: false; reason: 'needed'; uses: Uses }

/** Refused while upcoming shifts require the qualification in their configuration, because nobody could sign up for them. */
export async function deleteQualification(context: CommandContext, id: number, input: DeleteInput): Promise<DeleteOutcome> {
  return transact(context.db, async (tx) => {
    await GUARD.lock(tx)
    const all = await findQualifications(tx, context.now)
    const gone = all.find((one) => one.id === id)
    if (!gone) return { ok: false, reason: 'gone' }
    const uses = await findUses(tx, id, context.now)
    if (uses.shifts) return { ok: false, reason: 'needed', uses }
    if (input.moveTo !== null && (input.moveTo === id || !all.some((one) => one.id === input.moveTo)))
      return { ok: false, reason: 'no_target' }
    if (input.keepTransitivity) await keepTransitiveInclusions(tx, all, gone)
    const moved =
      input.moveTo === null
        ? 0
        : await qualificationHooks.of(context.site).moveGrants(tx, { from: id, to: input.moveTo, now: context.now })
    await qualificationHooks.of(context.site).markShiftsStale(tx, context.now)
    await tx.deleteFrom('qualification').where('id', '=', id).execute()
    const { title, uuid } = gone
    await record(tx, context, {
      kind: 'qualification.deleted',
      subject: { kind: 'qualification', id },
      changes: { title, uuid, ...input, moved, holders: gone.holders },
    })
    return { ok: true, title, moved }
  })
}

/** Qualifications that included the deleted one now include its inclusions directly. */
async function keepTransitiveInclusions(tx: Tx, all: readonly Qualification[], { id, includes }: Qualification): Promise<void> {
  const rows = all
    .filter((one) => one.includes.includes(id))
    .flatMap((above) =>
      includes
        .filter((below) => !above.includes.includes(below))
        .map((included_id) => ({ qualification_id: above.id, included_id })),
    )
  if (rows.length) await tx.insertInto('qualification_inclusion').values(rows).execute()
}
