import { type Kysely, sql } from 'kysely'
import { familySettings } from '#features/accounts/families/schema.ts'
import { dayOf } from '#features/accounts/users/rules.ts'
import { getPhoneCountry, getSettings } from '#features/operations/settings/queries.ts'
import { isStaff } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import { parsePhone } from '#platform/phone.ts'
import { rightsOf } from '../access.ts'
import { findFirstRows, getImport, type PeopleImport, readRows, type StoredRow } from '../queries/imports.ts'
import { findNamedQualifications, findPeopleOf, loadCatalogue } from '../queries/people.ts'
import { checkMapping } from '../rules/columns.ts'
import { indexPeople } from '../rules/identity.ts'
import {
  effectiveOrders,
  findOrders,
  headingsOf,
  type ImportSettings,
  type ImportSummary,
  suggestSettings,
} from '../rules/import.ts'
import { type ImportRights, type Judgement, VERDICTS } from '../rules/judgement.ts'
import { type Reading, type RowInput, readRow } from '../rules/row.ts'
import { findUnknownNames, judgeRows } from '../rules/verdict.ts'

export type Checked = { judgements: Judgement[]; summary: ImportSummary }

type Checking = {
  /** Locks the people of the list until the end of the transaction. */
  locks: boolean
  /** A test shows what happens without the rights of the importer. */
  rights?: ImportRights
}

/** Judges every row by the present state of the database. */
export async function judgeImport(
  db: Kysely<DB>,
  context: CommandContext,
  { id, settings }: Pick<PeopleImport, 'id' | 'settings'>,
  { locks, rights = rightsOf(context.actor) }: Checking,
): Promise<Checked> {
  const all: StoredRow[] = []
  for await (const batch of readRows(db, id, settings.sheet)) all.push(...batch)
  const rows = all.filter(({ number }) => number > settings.headingRow)
  const catalogue = await loadCatalogue(db, settings)
  const country = await getPhoneCountry(db)
  const orders = findOrders(rows, settings.uses)
  const reading: Reading = {
    uses: settings.uses,
    headings: headingsOf(all, settings.headingRow),
    orders: effectiveOrders(orders, settings.orders),
    today: dayOf(context.now, context.site.timeZone),
    isGroup: (folded) => catalogue.groups.has(folded),
    isQualification: (folded) => catalogue.qualifications.has(folded),
    parsePhone: (text) => parsePhone(text, country),
  }
  const inputs = rows.map((row) => readRow(row, reading))
  const people = await findPeopleOf(db, wantedOf(inputs), {
    seesHidden: context.actor.kind === 'anonymous' || isStaff(context.actor),
    timeZone: context.site.timeZone,
    locks,
  })
  const endsAtAge = !(await getSettings(db, familySettings)).guardianship_stays
  const { today } = reading
  const judgements = judgeRows(inputs, {
    catalogue,
    rights,
    known: indexPeople(people),
    today,
    endsAtAge,
    forNew: settings.forNew,
  })
  const counts = Object.fromEntries(
    VERDICTS.map((verdict) => [verdict, judgements.filter((each) => each.verdict === verdict).length]),
  ) as ImportSummary['counts']
  return { judgements, summary: { counts, unknown: findUnknownNames(inputs, catalogue), orders } }
}

function wantedOf(rows: readonly RowInput[]): { signInNames: string[]; names: string[] } {
  const lower = (texts: readonly string[]) => texts.filter(Boolean).map((text) => text.toLowerCase())
  return {
    signInNames: lower(rows.flatMap(({ email, username, guardians }) => [email, username ?? '', ...guardians])),
    names: lower(rows.filter(({ email, username }) => !email && username === null).map(({ name }) => name)),
  }
}

const BATCH = 2000

/** Writes the verdicts for the preview. */
export async function storeVerdicts(
  db: Kysely<DB>,
  { id, settings }: Pick<PeopleImport, 'id' | 'settings'>,
  judgements: readonly Judgement[],
): Promise<void> {
  await sql`update people_import_row set verdict = null, result = null, user_id = null where import_id = ${id} and verdict is not null`.execute(
    db,
  )
  for (let at = 0; at < judgements.length; at += BATCH) {
    const rows = judgements.slice(at, at + BATCH).map(({ number, verdict, name, email, problems, changes, person }) => ({
      number,
      verdict,
      result: { name, email, problems, changes },
      userId: person?.userId ?? null,
    }))
    await sql`
      update people_import_row r set verdict = n.verdict, result = n.result, user_id = n."userId"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n (number integer, verdict text, result jsonb, "userId" bigint)
      where r.import_id = ${id} and r.sheet = ${settings.sheet} and r.number = n.number`.execute(db)
  }
}

/** Judges the list and stores the verdicts; without columns for names and addresses, there is nothing to judge. */
export async function checkImport(context: CommandContext, id: number): Promise<void> {
  await transact(context.db, async (tx) => {
    const list = await getImport(tx, id)
    if (list?.state !== 'open') return
    const isReadable = checkMapping(list.settings.uses) === undefined
    const checked = isReadable ? await judgeImport(tx, context, list, { locks: false }) : undefined
    await storeVerdicts(tx, list, checked?.judgements ?? [])
    await tx
      .updateTable('people_import')
      .set({ summary: checked ? JSON.stringify(checked.summary) : null, checked_at: context.now, refusal: null })
      .where('id', '=', id)
      .execute()
  })
}

/** How far the first rows of a sheet are looked at for its headings. */
const FIRST_ROWS = 1000

/** Changes how the list is read, and judges it again. Another sheet or heading row makes a new suggestion for its columns. */
export async function changeSettings(context: CommandContext, id: number, wanted: ImportSettings): Promise<void> {
  rightsOf(context.actor)
  await transact(context.db, async (tx) => {
    const list = await getImport(tx, id)
    if (list?.state !== 'open') return
    const isOtherSheet = wanted.sheet !== list.settings.sheet
    const isOtherTable = isOtherSheet || wanted.headingRow !== list.settings.headingRow
    const rows = isOtherTable ? await findFirstRows(tx, id, wanted.sheet, FIRST_ROWS) : []
    const suggest = async () =>
      suggestSettings(wanted.sheet, rows, await findNamedQualifications(tx), isOtherSheet ? undefined : wanted.headingRow)
    const kept = wanted.forNew ? { forNew: wanted.forNew } : {}
    const settings = isOtherTable ? { ...(await suggest()), ...kept } : wanted
    await tx
      .updateTable('people_import')
      .set({ settings: JSON.stringify(settings) })
      .where('id', '=', id)
      .execute()
    await checkImport({ ...context, db: tx }, id)
  })
}
