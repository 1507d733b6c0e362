import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readMigrations } from '#platform/db/migrate.ts'
import { ANN } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

/** Runs a migration again, after undoing what it creates. */
async function repeatMigration(name: string, undo: string, rows: { table_name: string; row: object }[]) {
  const world = await openWorld()
  const migration = readMigrations().find((each) => each.name.endsWith(name))!
  await sql.raw(undo).execute(world.db.write)
  for (const { table_name, row } of rows)
    await world.db.write
      .insertInto('moved_in_row')
      .values({ table_name, row: JSON.stringify(row) })
      .execute()
  await sql.raw(migration.sql).execute(world.db.write)
  const left = await world.db.read.selectFrom('moved_in_row').select('table_name').execute()
  return { world, left: left.map(({ table_name }) => table_name) }
}

test('a migration converts requests for working hours of an earlier import', async () => {
  const undo = `alter table working_hours drop column request_id, drop column version;
    drop trigger working_hours_version on working_hours; drop index working_hours_date_idx; drop table decision_request`
  const request = (id: number, state: string, slug = 'ephios.grant_working_hours') => ({
    table_name: 'consequence',
    row: { id, slug, state, user_id: ANN.id, data: { hours: 2, date: '2031-01-01', reason: 'x' } },
  })
  const { world, left } = await repeatMigration('_hours', undo, [
    request(3, 'needs_confirmation'),
    request(4, 'denied'),
    request(5, 'executed', 'ephios.grant_qualification'),
  ])
  const rows = await world.db.read.selectFrom('decision_request').select(['id', 'kind', 'state']).orderBy('id').execute()
  assert.deepEqual(rows, [
    { id: 3, kind: 'working_hours', state: 'open' },
    { id: 4, kind: 'working_hours', state: 'refused' },
  ])
  assert.deepEqual(left, ['consequence'])
  const values = { kind: 'working_hours', user_id: ANN.id, data: '{}' }
  const next = await world.db.write.insertInto('decision_request').values(values).returning('id').executeTakeFirstOrThrow()
  assert.equal(next.id, 5)
})

test('a migration converts pages of an earlier import, except those that became settings', async () => {
  const page = (id: number, slug: string, isPublic: boolean) => ({
    table_name: 'pages_page',
    row: { id, slug, title: slug, content: 'Text', show_in_footer: true, publicly_visible: isPublic },
  })
  const { world, left } = await repeatMigration('_pages', 'drop table content_page', [
    page(7, 'hilfe', false),
    page(8, 'Impressum', true),
  ])
  const rows = await world.db.read.selectFrom('content_page').select(['id', 'slug', 'in_footer', 'is_public']).execute()
  assert.deepEqual(rows, [{ id: 7, slug: 'hilfe', in_footer: true, is_public: false }])
  assert.deepEqual(left, ['pages_page'])
})
