import { hash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Extension } from '#extension'
import { splitStatements } from '#platform/db/migration-effects.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { schemaOf } from '../rules/names.ts'

type Migrated = Pick<Extension, 'name' | 'migrations' | 'personalData' | 'retention'>

const checksumOf = (text: string): string => hash('sha256', text, 'hex')

/**
 * Creates and changes the tables of an extension, and checks what it says about them, in one transaction: an extension that is refused has
 * changed nothing. Throws the reason.
 */
export const migrateExtension = (db: Kysely<DB>, extension: Migrated): Promise<void> =>
  transact(db, async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    // Nodes that start at the same time wait for each other.
    await sql`select pg_advisory_xact_lock(7318604216)`.execute(tx)
    await applyMigrations(tx, extension)
    await checkDeclarations(tx, extension)
  })

async function applyMigrations(tx: Tx, { name, migrations = [] }: Migrated): Promise<void> {
  const applied = await tx
    .selectFrom('extension_migration')
    .select(['name', 'checksum'])
    .where('extension_name', '=', name)
    .execute()
  for (const done of applied) {
    const known = migrations.find((each) => each.name === done.name)
    if (!known)
      throw new Error(
        `its tables have the migration ${done.name}, which this version does not know: install the newer version again`,
      )
    if (checksumOf(known.sql) !== done.checksum)
      throw new Error(`the migration ${done.name} was changed after it had been applied`)
  }
  const pending = migrations.filter((each) => !applied.some((done) => done.name === each.name))
  if (migrations.length) await sql`create schema if not exists ${sql.id(schemaOf(name))}`.execute(tx)
  for (const migration of pending) {
    await runIn(tx, name, migration)
    await tx
      .insertInto('extension_migration')
      .values({ extension_name: name, name: migration.name, checksum: checksumOf(migration.sql) })
      .execute()
  }
}

/** Creates the tables of a backup again, as these migrations left them. What was applied is restored with the rows of Turnout. */
export async function recreateTables(tx: Tx, { name, migrations = [] }: Migrated, applied: readonly string[]): Promise<void> {
  await sql`create schema ${sql.id(schemaOf(name))}`.execute(tx)
  for (const migration of migrations) if (applied.includes(migration.name)) await runIn(tx, name, migration)
}

/** They would end the transaction that makes a refused extension change nothing. */
const CONTROL = /^(abort|begin|commit|end|prepare|release|reset|rollback|savepoint|set|start)\b/i

async function runIn(tx: Tx, name: string, migration: { name: string; sql: string }): Promise<void> {
  const control = splitStatements(migration.sql).find((statement) => CONTROL.test(statement))
  if (control !== undefined) throw new Error(`the migration ${migration.name} has the statement ${control.slice(0, 40)}`)
  const before = await describeCore(tx, name)
  await sql`set local search_path = ${sql.id(schemaOf(name))}`.execute(tx)
  try {
    // Several statements cannot be prepared; the comment keeps the driver from preparing them.
    await sql.raw(`/* ${migration.name} */ ${migration.sql}`).execute(tx)
  } catch (cause) {
    throw new Error(`the migration ${migration.name} failed: ${(cause as Error).message}`, { cause })
  }
  await sql`set local search_path to default`.execute(tx)
  if ((await describeCore(tx, name)) !== before)
    throw new Error(`the migration ${migration.name} changes more than its own schema`)
}

/** Tables, columns, indexes and functions of all other schemas. */
async function describeCore(tx: Tx, name: string): Promise<string> {
  const { state } = await rowsOf(tx).one(sql<{ state: string }>`
    select md5(string_agg(object, ' ' order by object)) as state from (
      select concat_ws(' ', c.oid, a.attname, a.atttypid, a.attnotnull, a.attisdropped) as object
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      left join pg_attribute a on a.attrelid = c.oid
      where n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast', ${schemaOf(name)}) and n.nspname not like 'pg\\_temp%'
      union all
      select concat_ws(' ', p.oid, md5(p.prosrc)) from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname not in ('pg_catalog', 'information_schema', ${schemaOf(name)})
      union all
      select concat_ws(' ', t.oid, t.tgenabled) from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where not t.tgisinternal and n.nspname <> ${schemaOf(name)}
    ) objects`)
  return state
}

/** The names that columns have which refer to people, even if no foreign key says so. */
const NAMES_OF_PEOPLE = ['person', 'person_id', 'user', 'user_id', 'profile_id']

type Column = { table: string; column: string; nullable: boolean; isPersonal: boolean }

async function checkDeclarations(tx: Tx, { name, personalData = [], retention = [] }: Migrated): Promise<void> {
  const columns = await rowsOf(tx).all(sql<Column>`
    select c.relname as table, a.attname as column, not a.attnotnull as nullable,
      a.attname = any (${NAMES_OF_PEOPLE}) or exists (select from pg_constraint k where k.contype = 'f' and k.conrelid = c.oid
        and a.attnum = any (k.conkey) and k.confrelid = 'public.user_profile'::regclass) as "isPersonal"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = ${schemaOf(name)} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped order by 1, a.attnum`)
  const find = (table: string, column: string) => columns.find((each) => each.table === table && each.column === column)
  const undeclared = columns.filter(
    ({ table, column, isPersonal }) => isPersonal && !personalData.some((each) => each.table === table && each.column === column),
  )
  const faults = [
    ...undeclared.map(({ table, column }) => `${table}.${column} refers to a person and is not in personalData`),
    ...[...personalData, ...retention]
      .filter(({ table, column }) => !find(table, column))
      .map(({ table, column }) => `there is no column ${table}.${column}`),
    ...personalData
      .filter(({ table, column, whenErased }) => whenErased === 'clear' && find(table, column)?.nullable === false)
      .map(({ table, column }) => `${table}.${column} cannot be cleared: it is not null`),
  ]
  if (faults.length) throw new Error(faults.join('; '))
}
