import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findUnbalancedTables, RowCounter } from './report.ts'

const FACTS = {
  sharedAddresses: [],
  activeUsers: 0,
  usersWithoutPassword: 0,
  disabledApplications: [],
  hidesLocalSignIn: false,
}
const REST = { notes: [], unknownColumns: [], facts: FACTS, identityProviders: [] }

/** A counter for tables with so many rows. */
async function makeCounter(rows: Record<string, number>): Promise<{ counter: RowCounter; progress: [number, number][] }> {
  const progress: [number, number][] = []
  const source = { tables: new Map(Object.entries(rows)), count: async (table: string) => rows[table]! }
  const counter = await RowCounter.create(source, (done, of) => progress.push([done, of]))
  return { counter, progress }
}

describe('the report of an import', () => {
  test('lists tables with rows by name, and what happened to the rows', async () => {
    const { counter } = await makeCounter({ shift: 3, event: 4, empty: 0 })
    counter.count('event', 'imported', 2)
    counter.count('event', 'skipped')
    counter.count('event', 'kept')
    counter.count('shift', 'ignored')
    const report = counter.makeReport(REST)
    assert.deepEqual(report.tables, [
      { table: 'event', found: 4, imported: 2, skipped: 1, kept: 1, ignored: 0 },
      { table: 'shift', found: 3, imported: 0, skipped: 0, kept: 0, ignored: 1 },
    ])
    assert.deepEqual(report.facts, FACTS)
    assert.deepEqual(
      findUnbalancedTables(report).map(({ table }) => table),
      ['shift'],
    )
  })

  test('finds a table with a row too many or too few in any count', () => {
    const table = { table: 'event', found: 10, imported: 4, skipped: 3, kept: 2, ignored: 1 }
    const isUnbalanced = (change: Partial<typeof table>) =>
      findUnbalancedTables({ ...REST, omissions: [], tables: [{ ...table, ...change }] }).length === 1
    assert.equal(isUnbalanced({}), false)
    for (const change of [{ found: 11 }, { imported: 5 }, { skipped: 2 }, { kept: 3 }, { ignored: 0 }])
      assert.equal(isUnbalanced(change), true, JSON.stringify(change))
  })

  test('names rows that are not needed once per reason, with the details in order', async () => {
    const { counter } = await makeCounter({ core_notification: 5, api_refreshtoken: 1 })
    const [old, other] = [
      { what: 'Old', why: 'gone' },
      { what: 'Other', why: 'unknown' },
    ]
    counter.omit('core_notification', old)
    counter.omit('core_notification', { ...other, detail: 'b' })
    counter.omit('core_notification', { ...other, detail: 'a' }, 2)
    counter.omit('core_notification', { ...other, detail: 'b' })
    counter.omit('api_refreshtoken', old)
    counter.omit('api_refreshtoken', { what: 'Never', why: 'no rows' }, 0)
    const { tables, omissions } = counter.makeReport(REST)
    assert.deepEqual(omissions, [
      { ...old, rows: 2, details: [] },
      { ...other, rows: 4, details: ['a', 'b'] },
    ])
    assert.deepEqual(
      tables.map(({ ignored }) => ignored),
      [1, 5],
    )
  })

  test('counts all rows of tables that are never needed', async () => {
    const { counter } = await makeCounter({ django_session: 7, django_migrations: 0, event: 1 })
    const { tables, omissions } = counter.makeReport(REST)
    assert.deepEqual(omissions, [{ what: 'Sessions', why: 'everybody signs in once more', rows: 7, details: [] }])
    assert.deepEqual(findUnbalancedTables({ ...REST, omissions, tables: tables.filter(({ table }) => table !== 'event') }), [])
  })

  test('tells the progress after each 1,000 rows, and never more rows than there are', async () => {
    const { counter, progress } = await makeCounter({ event: 2_500, shift: 10 })
    for (let n = 0; n < 999; n++) counter.count('event', 'imported')
    assert.deepEqual(progress, [])
    counter.count('event', 'imported')
    counter.count('event', 'imported', 1_100)
    counter.count('event', 'imported', 400)
    counter.count('a table that was added meanwhile', 'kept', 1_000)
    // Shifts count twice: their statistics are computed at the end.
    assert.deepEqual(progress, [
      [1_000, 2_520],
      [2_100, 2_520],
      [2_520, 2_520],
    ])
  })

  test('tells one progress for rows and statistics, which ends at the end', async () => {
    const { counter, progress } = await makeCounter({ event: 1_000, shift: 1_000 })
    counter.count('event', 'imported', 1_000)
    counter.count('shift', 'imported', 1_000)
    // Statistics of shifts that were imported.
    counter.advance(500)
    counter.finish()
    counter.finish()
    assert.deepEqual(progress, [
      [1_000, 3_000],
      [2_000, 3_000],
      [3_000, 3_000],
    ])
  })

  test('ends the progress, also between two steps of 1,000 rows', async () => {
    const { counter, progress } = await makeCounter({ event: 10 })
    counter.count('event', 'imported', 10)
    counter.finish()
    assert.deepEqual(progress, [[10, 10]])
  })

  test('names the groups and people who lose something, and values of imported rows', async () => {
    const { counter } = await makeCounter({ auth_group_permissions: 3 })
    const lost = { what: 'Permissions', why: 'none here', detail: 'core.add_shift' }
    counter.omit('auth_group_permissions', { ...lost, holder: 'group “B”' })
    counter.omit('auth_group_permissions', { ...lost, holder: 'group “A”' })
    counter.omit('auth_group_permissions', { ...lost, detail: 'core.add_comment' })
    const icons = { what: 'Icons', why: 'not shown' }
    const { tables, omissions } = counter.makeReport(REST, [{ ...icons, detail: 'Vehicles: truck' }, icons])
    assert.deepEqual(omissions, [
      { what: 'Permissions', why: 'none here', rows: 3, details: ['core.add_comment', 'core.add_shift (group “A”, group “B”)'] },
      { ...icons, rows: 2, details: ['Vehicles: truck'] },
    ])
    assert.equal(tables[0]!.ignored, 3)
  })
})
