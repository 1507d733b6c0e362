import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { record } from '#platform/journal/journal.ts'
import { qualificationHooks } from '../points.ts'
import { findExistingQualifications } from '../queries.ts'
import { type ExchangedQualification, planImport } from '../rules/catalogue-import.ts'
import { GUARD } from './qualifications.ts'

type ImportOutcome = { ok: true; added: number; changed: number } | { ok: false; reason: 'cycle'; path: string[] }

/** Adds the chosen entries of a catalogue and updates existing qualifications from it. Removes nothing. */
export async function importCatalogue(
  context: CommandContext,
  input: { entries: readonly ExchangedQualification[]; chosen: ReadonlySet<string> },
): Promise<ImportOutcome> {
  return transact(context.db, async (tx) => {
    await GUARD.lock(tx)
    const known = await findExistingQualifications(tx)
    const plan = planImport(input.entries, known, input.chosen)
    const titles = new Map([...known, ...input.entries].map(({ uuid, title }) => [uuid, title]))
    if (!plan.ok) return { ...plan, path: plan.path.map((uuid) => titles.get(uuid) ?? uuid) }
    const categories = await storeCategories(tx, plan.entries)
    const here = new Set(known.map(({ uuid }) => uuid))
    for (const { uuid, title, abbreviation, category, valid_months } of plan.entries) {
      const period = valid_months === undefined ? {} : { valid_months }
      const values = { title, abbreviation, category_id: categories.get(category.uuid)!, is_imported: true, ...period }
      if (here.has(uuid)) await tx.updateTable('qualification').set(values).where('uuid', '=', uuid).execute()
      else
        await tx
          .insertInto('qualification')
          .values({ uuid, ...values })
          .execute()
    }
    await storeInclusions(tx, plan.includes)
    await qualificationHooks.of(context.site).markShiftsStale(tx, context.now)
    const added = plan.entries.filter(({ uuid }) => !here.has(uuid)).length
    const counts = { added, changed: plan.entries.length - added }
    await record(tx, context, { kind: 'qualification.imported', subject: { kind: 'qualification', id: null }, changes: counts })
    return { ok: true, ...counts }
  })
}

/** Creates the categories of the entries; existing categories stay unchanged. */
async function storeCategories(tx: Tx, entries: readonly ExchangedQualification[]): Promise<Map<string, number>> {
  const wanted = new Map(entries.map(({ category }) => [category.uuid, category.title]))
  if (!wanted.size) return new Map()
  const rows = [...wanted].map(([uuid, title]) => ({ uuid, title }))
  await tx
    .insertInto('qualification_category')
    .values(rows)
    .onConflict((conflict) => conflict.column('uuid').doNothing())
    .execute()
  const stored = await tx
    .selectFrom('qualification_category')
    .select(['id', 'uuid'])
    .where('uuid', 'in', [...wanted.keys()])
    .execute()
  return new Map(stored.map(({ id, uuid }) => [uuid, id]))
}

async function storeInclusions(tx: Tx, includes: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const rows = await tx.selectFrom('qualification').select(['id', 'uuid']).execute()
  const idOf = new Map(rows.map(({ id, uuid }) => [uuid, id]))
  const edges = [...includes].flatMap(([uuid, included]) =>
    included.map((below) => ({ qualification_id: idOf.get(uuid)!, included_id: idOf.get(below)! })),
  )
  if (!edges.length) return
  await tx
    .insertInto('qualification_inclusion')
    .values(edges)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
