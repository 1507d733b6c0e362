import { type Kysely, sql } from 'kysely'
import type { PersonalColumn, Retention } from '#extension'
import { erasing } from '#features/accounts/users/points.ts'
import { DELETE, MOVE, missing, type PersonalTable } from '#platform/db/personal-table.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { Feature } from '#platform/features/feature.ts'
import type { RetentionRule } from '#platform/features/retention.ts'
import { moduleOf, schemaOf, sectionOf } from '../rules/names.ts'

/**
 * What Turnout does with the data of an extension without its code: download, erasure, merging of accounts, deletion after a time. It is the
 * same while the extension is off or broken.
 */
export function personalFeature(name: string, columns: readonly PersonalColumn[], retention: readonly Retention[] = []): Feature {
  return {
    name: moduleOf(name),
    uses: [],
    personalData: columns.map((column) => personalTable(name, column)),
    retention: retention.map((rule) => retentionRule(name, rule)),
    adds: columns.length ? [erasing(`extension ${name}`, (tx, userId) => erase(tx, name, columns, userId))] : [],
  }
}

const tableOf = (name: string, table: string) => `${schemaOf(name)}.${table}`

function personalTable(name: string, { table, column, withhold = [], whenErased, whenMerged }: PersonalColumn): PersonalTable {
  const moving = typeof whenMerged === 'object' ? missing(...whenMerged.moveUnless) : whenMerged === 'move' ? MOVE : DELETE
  return {
    table: tableOf(name, table) as PersonalTable['table'],
    column,
    export: {
      section: sectionOf(name, table, column),
      without: Object.fromEntries(withhold.map((each) => [each, 'other_person' as const])),
    },
    merge: moving,
    erased: ({ delete: 'deleted', clear: 'cleared', keep: 'anonymous' } as const)[whenErased],
  }
}

async function erase(tx: Tx, name: string, columns: readonly PersonalColumn[], userId: number): Promise<void> {
  for (const { table, column, whenErased } of columns) {
    const [rows, person] = [sql.table(tableOf(name, table)), sql.ref(column)]
    if (whenErased === 'delete') await sql`delete from ${rows} where ${person} = ${userId}`.execute(tx)
    if (whenErased === 'clear') await sql`update ${rows} set ${person} = null where ${person} = ${userId}`.execute(tx)
  }
}

function retentionRule(name: string, { table, column, days }: Retention): RetentionRule {
  const [rows, at] = [sql.table(tableOf(name, table)), sql.ref(column)]
  return {
    name: `${moduleOf(name)}_${table}`,
    getDays: async () => days,
    find: async (db: Kysely<DB>, before) =>
      rowsOf(db).one(sql<{ count: number; oldest: Date | null }>`
        select count(*)::int as count, min(${at}) as oldest from ${rows} where ${at} < ${before}`),
    remove: async ({ db }, before) =>
      Number((await sql`delete from ${rows} where ${at} < ${before}`.execute(db)).numAffectedRows ?? 0),
  }
}
