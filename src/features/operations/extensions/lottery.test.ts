import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { Extension } from '#extension'
import { eraseAccount } from '#features/accounts/users/commands/account-state.ts'
import { makeBackup } from '#features/operations/backup/commands/backup.ts'
import { checkArchive, restoreBackup } from '#features/operations/backup/commands/restore.ts'
import { mergeAccounts } from '#features/operations/privacy/commands/merge.ts'
import { readRows } from '#features/operations/privacy/queries/export.ts'
import { signUp } from '#features/staffing/participations/commands/sign-up.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { transact } from '#platform/db/transaction.ts'
import { personalDataOf } from '#platform/features/personal-data.ts'
import { contextAs } from '#test/support/command-context.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { namedExtensions } from '#test/support/extensions.ts'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { importExtensions } from './commands/check.ts'
import { recreateTables } from './commands/migrations.ts'
import { personalFeature } from './commands/personal.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const FOLDER = 'extensions/lottery'
type Ticket = { person_id: number | null; number: string; has_priority: boolean; won: boolean }

describe('the lottery, loaded from its folder', async () => {
  const world = await openWorld({ extensions: namedExtensions([FOLDER]) })
  const { db } = world
  const paul = await browserOf(world, PAUL)
  const olga = await browserOf(world, OLGA)
  const lottery = (await importExtensions([FOLDER], ROOT)).get('lottery') as Extension

  async function addPeople(...names: string[]): Promise<Person[]> {
    const people: Person[] = []
    for (const name of names) people.push(await world.addPerson({ name }))
    return people
  }
  /** A shift with places for a number of people, for which these have registered. */
  async function addShift(people: readonly Person[], places: number, day = 4) {
    const { id, shifts } = await world.addEvent({
      seenBy: [HELPERS, ...people],
      responsible: [PAUL],
      shifts: [
        {
          start: `2031-05-${String(day).padStart(2, '0')}T08:00:00Z`,
          flow: 'x_lottery_draw',
          flowConfiguration: { signup_until: '2031-05-02T00:00:00Z' },
          configuration: { maximum_number_of_participants: places },
          stats: { free: places, max: places },
        },
      ],
    })
    for (const person of people)
      assert.equal((await signUp(contextAs(world, person), { shiftId: shifts[0]! })).ok, true, person.name)
    return { eventId: id, shiftId: shifts[0]! }
  }
  /** Endpoints of extensions are in no description of the API that answers could be compared with. */
  async function askApi(person: Person, shiftId: number) {
    const authorization = `Bearer ${await world.token(person, ['ME_READ'])}`
    return world.app.app.inject({ url: `/api/x/lottery/shifts/${shiftId}/`, headers: { authorization, host: 'a.example' } })
  }
  const pathOf = (shiftId: number) => `/x/lottery/shifts/${shiftId}/`
  async function afterSignUp<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = world.now
    world.now = new Date('2031-05-02T00:00:01Z')
    try {
      return await work()
    } finally {
      world.now = before
    }
  }
  async function draw(shiftId: number, browser = paul) {
    await browser.get(pathOf(shiftId))
    return browser.post(`${pathOf(shiftId)}draw/`)
  }
  const ticketsOf = async (shiftId: number) =>
    (
      await sql<Ticket>`select t.person_id, t.number, t.has_priority, t.won from x_lottery.ticket t
        join x_lottery.draw d on d.id = t.draw_id where d.shift_id = ${shiftId} order by t.has_priority desc, t.number`.execute(
        db.read,
      )
    ).rows
  const statesOf = async (shiftId: number) =>
    new Map(
      (await db.read.selectFrom('participation').select(['user_id', 'state']).where('shift_id', '=', shiftId).execute()).map(
        ({ user_id, state }) => [user_id, state],
      ),
    )

  test('is a module, and a way to join in the form of a shift', async () => {
    const modules = (await olga.get('/manage/modules/')).body
    assert.match(modules, /<h2>Lottery <span class="badge tone-good">/)
    assert.match(modules, /Version 1\.0\.0/)
    const { shiftId } = await addShift([], 1)
    const form = (await paul.get(`/shifts/${shiftId}/edit/`)).body
    assert.match(form, /<option value="x_lottery_draw" selected[^>]*>They register, and places are drawn/)
  })

  test('draws once, after the date, by those who may change the event', async () => {
    const people = await addPeople('Ada', 'Bea', 'Cid')
    const { eventId, shiftId } = await addShift(people, 2)
    const ada = await browserOf(world, people[0]!)
    assert.match(
      (await ada.get(`/events/${eventId}-harbour-run/`)).body,
      new RegExp(`Places are drawn[\\s\\S]*${pathOf(shiftId)}`),
    )
    assert.match((await ada.get(pathOf(shiftId))).body, /Register until[\s\S]*3 people have registered · 2 places/)
    await draw(shiftId)
    assert.deepEqual(await ticketsOf(shiftId), [])
    await afterSignUp(async () => {
      assert.equal((await draw(shiftId, ada)).statusCode, 404)
      assert.equal((await draw(shiftId)).statusCode, 303)
      const tickets = await ticketsOf(shiftId)
      assert.deepEqual(
        tickets.map(({ won }) => won),
        [true, true, false],
      )
      await draw(shiftId)
      assert.deepEqual(await ticketsOf(shiftId), tickets)
      const states = await statesOf(shiftId)
      for (const { person_id, won } of tickets) assert.equal(states.get(person_id), won ? 1 : 3)
    })
  })

  test('shows seed and numbers to everybody, and names to those who plan', async () => {
    const people = await addPeople('Dora', 'Emil')
    const { shiftId } = await addShift(people, 1)
    await afterSignUp(() => draw(shiftId))
    const dora = await browserOf(world, people[0]!)
    const [own, planned] = [(await dora.get(pathOf(shiftId))).body, (await paul.get(pathOf(shiftId))).body]
    assert.match(own, /Result[\s\S]*You/)
    assert.doesNotMatch(own, /Emil/)
    assert.match(planned, /Emil/)
    const { seed, tickets } = (await askApi(people[0]!, shiftId)).json() as { seed: string; tickets: { number: string }[] }
    const { numberOf } = (await import(join(ROOT, FOLDER, 'draw.js'))) as { numberOf: (seed: string, id: number) => string }
    assert.deepEqual(
      tickets.map(({ number }) => number),
      people.map(({ id }) => numberOf(seed, id)).sort(),
    )
    const stranger = await world.addPerson({ name: 'Nobody' })
    assert.equal((await (await browserOf(world, stranger)).get(pathOf(shiftId))).statusCode, 404)
    assert.equal((await askApi(stranger, shiftId)).statusCode, 404)
  })

  test('prefers those who went without last time', async () => {
    const people = await addPeople('Fay', 'Gil', 'Hal')
    const first = await addShift(people, 2, 6)
    await afterSignUp(() => draw(first.shiftId))
    const loser = (await ticketsOf(first.shiftId)).find(({ won }) => !won)!.person_id
    const second = await addShift(people, 1, 7)
    await afterSignUp(() => draw(second.shiftId))
    const [winner] = await ticketsOf(second.shiftId)
    assert.deepEqual([winner!.person_id, winner!.has_priority, winner!.won], [loser, true, true])
  })

  test('gives no place beyond a limit that refuses: it goes to the next person whom no limit refuses', async (t) => {
    const people = await addPeople('Pia', 'Quin', 'Rob')
    const { shiftId } = await addShift(people, 1, 8)
    const group = await world.addGroup('Rested', [people[2]!])
    await db.write
      .insertInto('work_limit')
      .values([
        { kind: 'hours_per_week', value: 1, blocks: true },
        { kind: 'hours_per_week', value: 60, blocks: true, group_id: group.id },
      ])
      .execute()
    t.after(() => db.write.deleteFrom('work_limit').execute())
    // The default of an hour would be as long as the limit.
    await db.write
      .updateTable('shift')
      .set({ end_time: new Date('2031-05-08T12:00:00Z') })
      .where('id', '=', shiftId)
      .execute()
    await db.write
      .updateTable('participation')
      .set({ end_time: new Date('2031-05-08T12:00:00Z') })
      .where('shift_id', '=', shiftId)
      .execute()
    assert.equal((await afterSignUp(() => draw(shiftId))).statusCode, 303)
    const { rows: tickets } = await sql<Ticket & { beyond: boolean }>`
      select t.person_id, t.won, t.is_beyond_limits as beyond from x_lottery.ticket t join x_lottery.draw d on d.id = t.draw_id
      where d.shift_id = ${shiftId} order by t.number`.execute(db.read)
    const place = tickets.findIndex(({ won }) => won)
    assert.equal(tickets[place]!.person_id, people[2]!.id)
    assert.deepEqual(
      tickets.map(({ beyond }) => beyond),
      tickets.map((_, index) => index < place),
    )
    const states = await statesOf(shiftId)
    assert.deepEqual(
      people.map(({ id }) => states.get(id)),
      [3, 3, 1],
    )
  })

  test('is switched off and on: pages, API and the choice are gone, and data stays', async () => {
    const people = await addPeople('Ida')
    const { eventId, shiftId } = await addShift(people, 1)
    await afterSignUp(() => draw(shiftId))
    const api = async () => (await askApi(people[0]!, shiftId)).statusCode
    const turn = async (to: 'on' | 'off') => {
      await olga.get('/manage/modules/')
      await olga.post('/manage/modules/switch/', { form: { modules: 'x_lottery', to } })
    }
    await turn('off')
    assert.equal((await paul.get(pathOf(shiftId))).statusCode, 404)
    assert.equal(await api(), 404)
    assert.doesNotMatch((await paul.get(`/events/${eventId}-harbour-run/`)).body, /Places are drawn/)
    await turn('on')
    assert.equal((await paul.get(pathOf(shiftId))).statusCode, 200)
    assert.equal(await api(), 200)
  })

  test('is in the download, follows a merge, and keeps the numbers after an erasure', async () => {
    const [kim, lea, lou] = (await addPeople('Kim', 'Lea', 'Lou')) as [Person, Person, Person]
    const { shiftId } = await addShift([kim, lea], 1)
    await afterSignUp(() => draw(shiftId))
    const tables = personalDataOf([personalFeature('lottery', lottery.personalData!)])
    const table = tables.find(({ table: name }) => (name as string) === 'x_lottery.ticket')!
    const rows: unknown[] = []
    for await (const page of readRows(db.read, table, kim.id)) rows.push(...page)
    assert.equal(rows.length, 1)
    assert.equal((await mergeAccounts(contextAs(world, OLGA), { remainingId: lou.id, otherId: kim.id }, { tables })).ok, true)
    const merged = await ticketsOf(shiftId)
    assert.deepEqual(merged.map(({ person_id }) => person_id).sort(), [lea.id, lou.id].sort())
    await transact(db.write, (tx) => eraseAccount(tx, contextAs(world, OLGA), lea.id))
    const left = await ticketsOf(shiftId)
    assert.deepEqual(left.map(({ person_id }) => person_id).sort(), [lou.id, null])
    assert.deepEqual(
      left.map(({ number }) => number),
      merged.map(({ number }) => number),
    )
  })

  test('is kept for three years: older draws go with their numbers', async () => {
    const { shiftId } = await addShift(await addPeople('Oda'), 1)
    await afterSignUp(() => draw(shiftId))
    const [rule] = personalFeature('lottery', [], lottery.retention).retention!
    assert.equal(await rule!.getDays?.(db.read), 1095)
    const { rows } = await sql<{ drawn_at: Date }>`select drawn_at from x_lottery.draw where shift_id = ${shiftId}`.execute(
      db.read,
    )
    const drawnAt = rows[0]!.drawn_at
    await sql`update x_lottery.draw set drawn_at = drawn_at + interval '1 day' where shift_id <> ${shiftId}`.execute(db.write)
    const aMomentLater = new Date(drawnAt.getTime() + 1)
    assert.deepEqual(await rule!.find(db.read, drawnAt), { count: 0, oldest: null })
    assert.deepEqual(await rule!.find(db.read, aMomentLater), { count: 1, oldest: drawnAt })
    assert.equal(await rule!.remove({ db: db.write } as never, drawnAt), 0)
    assert.equal(await rule!.remove({ db: db.write } as never, aMomentLater), 1)
    assert.deepEqual(await ticketsOf(shiftId), [])
  })

  test('is in a backup, and comes back with its own migrations', async () => {
    const people = await addPeople('Max', 'Nia')
    const { shiftId } = await addShift(people, 1)
    await afterSignUp(() => draw(shiftId))
    const folder = mkdtempSync(join(tmpdir(), 'lottery-backup-'))
    after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'a.backup')
    const files = makeMemoryStore()
    const site = { url: 'https://a.example', timeZone: 'Europe/Berlin', language: 'en' }
    const keyring = makeKeyring('k'.repeat(32))
    await makeBackup(db.read, { path, files, keyring, secretKey: 'k'.repeat(32), site, turnout: '0.2.0', now: world.now })
    const checked = await checkArchive(path, undefined)
    assert.deepEqual(checked.manifest.extensions, [{ name: 'lottery', version: '1.0.0', migrations: ['draws', 'limits'] }])
    const fresh = await freshDatabase()
    const other = openTestDatabase({ url: fresh.url })
    after(async () => {
      await other.close()
      await fresh.drop()
    })
    const count = async () =>
      (await sql<{ count: number }>`select count(*)::int as count from x_lottery.ticket`.execute(other.read)).rows[0]!.count
    const create = (tx: Parameters<typeof recreateTables>[0]) => recreateTables(tx, lottery, ['draws', 'limits'])
    await restoreBackup(other.write, { path, files, replace: false, extensions: [{ name: 'lottery', create }] }, checked)
    const { rows } = await sql`select count(*)::int as count from x_lottery.ticket`.execute(db.read)
    assert.deepEqual([{ count: await count() }], rows)
    const restored = await other.read.selectFrom('extension_migration').select(['extension_name', 'name']).execute()
    assert.deepEqual(
      restored.map(({ name }) => name),
      ['draws', 'limits'],
    )
    // Without its code, everything else is restored, and the extension begins anew.
    await restoreBackup(other.write, { path, files, replace: true }, checked)
    await assert.rejects(count(), /x_lottery/)
    assert.deepEqual(await other.read.selectFrom('extension_migration').selectAll().execute(), [])
  })
})
