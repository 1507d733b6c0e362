import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { readTable } from '#platform/spreadsheet/read.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { openWorld } from '#test/support/world.ts'
import { applyImport, queueImport } from './commands/apply.ts'
import { changeSettings, checkImport } from './commands/check.ts'
import { startImport } from './commands/start.ts'
import { queueUndo, undoImport } from './commands/undo.ts'
import { getImport } from './queries/imports.ts'

const ROWS = chooseSize({ usual: 4000, full: 20_000 })
/** Updates and undo have the same batches; fewer rows show that statements do not grow with people. */
const FEWER = chooseSize({ usual: 1500, full: 3000 })

describe(`a list with ${ROWS} rows`, async () => {
  const world = await openWorld()
  await sql`set statement_timeout = 0`.execute(world.db.write)
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  await world.addQualification('First aid')
  let statements = 0
  const watched = new WeakSet<object>()
  world.db.writePool.on('acquire', (client) => {
    if (watched.has(client)) return
    watched.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      statements++
      return query(...args)
    }) as typeof client.query
  })
  const context = contextOf(world, actorOf(stella, { isStaff: true }))
  const line = (n: number, phone: string) =>
    `Person ${n};person${n}@club.example;${1950 + (n % 60)}-0${1 + (n % 9)}-11;${phone};Team ${n % 20};First aid (2035-01-0${1 + (n % 9)})`
  const listWith = (phone: string, rows = ROWS) =>
    `Name;Email;Birthday;Phone;Groups;Qualifications\n${Array.from({ length: rows }, (_, n) => line(n, phone)).join('\n')}\n`
  const people = async () =>
    (
      await sql<{ people: number; members: number; grants: number; entries: number }>`
      select (select count(*)::int from user_profile where email like 'person%') as people,
        (select count(*)::int from user_group_member m join user_profile u on u.id = m.user_id where u.email like 'person%') as members,
        (select count(*)::int from qualification_grant g join user_profile u on u.id = g.user_id where u.email like 'person%') as grants,
        (select count(*)::int from journal j where j.kind = 'user.created' and j.personal is not null) as entries`.execute(
        world.db.read,
      )
    ).rows[0]
  let id = 0

  /** Statements per batch of 1,000 or 2,000 rows, and some for groups and the list itself. */
  async function counted(most: number, work: () => Promise<unknown>): Promise<void> {
    statements = 0
    await work()
    assert.ok(statements <= most, `${statements} statements`)
  }

  test('is stored and judged with few statements', () =>
    counted(chooseSize({ usual: 60, full: 100 }), async () => {
      id = await startImport(context, { fileName: 'large.csv', spreadsheet: readTable(listWith('040 123456')) })
      await checkImport(context, id)
      const list = (await getImport(world.db.write, id))!
      assert.deepEqual([list.summary!.counts.error, list.summary!.unknown.length], [ROWS, 20])
      const groupChoices = Object.fromEntries(list.summary!.unknown.map(({ key }) => [key, 'create' as const]))
      await changeSettings(context, id, { ...list.settings, groupChoices })
      assert.equal((await getImport(world.db.write, id))!.summary!.counts.new, ROWS)
    }))

  test('is imported with few statements and tells its progress', () =>
    counted(chooseSize({ usual: 160, full: 320 }), async () => {
      await queueImport(context, id, { goodRowsOnly: false, sendsInvitations: true })
      const seen: number[] = []
      await applyImport(context, id, { onProgress: (done) => seen.push(done) })
      assert.deepEqual([seen.length, seen.at(-1)], [ROWS / 1000, ROWS])
      assert.deepEqual(await people(), { people: ROWS, members: ROWS, grants: ROWS, entries: ROWS })
    }))

  test('changes nothing when it is imported again', async () => {
    const again = await startImport(context, { fileName: 'large.csv', spreadsheet: readTable(listWith('+49 40 123456')) })
    await checkImport(context, again)
    assert.equal((await getImport(world.db.write, again))!.summary!.counts.same, ROWS)
  })

  test('updates many people and is undone with few statements', async () => {
    const spreadsheet = readTable(listWith('040 654321', FEWER))
    const changed = await startImport(context, { fileName: 'large.csv', spreadsheet })
    const withNewPhone = async () =>
      (
        await sql<{ count: number }>`select count(*)::int as count from user_profile where phone = '+4940654321'`.execute(
          world.db.read,
        )
      ).rows[0]!.count
    await queueImport(context, changed, { goodRowsOnly: false, sendsInvitations: false })
    await counted(chooseSize({ usual: 40, full: 60 }), () => applyImport(context, changed, {}))
    assert.equal(await withNewPhone(), FEWER)
    await queueUndo(context, changed)
    await counted(chooseSize({ usual: 40, full: 60 }), () => undoImport(context, changed, {}))
    assert.equal(await withNewPhone(), 0)
  })
})
