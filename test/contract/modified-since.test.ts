import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { SCOPES } from '#platform/auth/scopes.ts'
import { ANN, BEN, HELPERS, OLGA, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('modified_since', async () => {
  const world = await openWorld()
  const type = await world.addType({ title: 'Race' })
  const first = await world.addEvent({ type, seenBy: [HELPERS], shifts: [{}, {}] })
  const second = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
  const ann = await world.addParticipation({ who: ANN, shift: first.shifts[0]! })
  const ben = await world.addParticipation({ who: BEN, shift: second.shifts[0]! })
  const qualification = await world.addQualification('First aid')
  const olga = world.as(OLGA, ...SCOPES)
  const { write } = world.db

  /** The time of the database, which writes the times of modification. */
  const now = async (): Promise<string> =>
    (await sql<{ time: Date }>`select clock_timestamp() as time`.execute(write)).rows[0]!.time.toISOString()
  const changed = async (list: string, since: string): Promise<number[]> => olga.ids(`/api/${list}/`, { modified_since: since })

  /** Runs the change and returns what each list has since. */
  async function after(change: () => Promise<unknown>): Promise<Record<string, number[]>> {
    // The time has milliseconds on the wire, so wait for the next one.
    const before = new Date(Date.parse(await now()) + 1).toISOString()
    while ((await now()) <= before);
    await change()
    const names = ['events', 'shifts', 'participations', 'users']
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await changed(name, before)])))
  }
  const nothing = { events: [], shifts: [], participations: [], users: [] }

  test('lists everything since the beginning and nothing from the future', async () => {
    for (const [list, count] of [
      ['events', 2],
      ['shifts', 3],
      ['participations', 2],
      ['users', 5],
    ] as const) {
      assert.equal((await changed(list, '2000-01-01')).length, count, list)
      assert.deepEqual(await changed(list, '2100-01-01'), [], list)
    }
    assert.equal((await olga.get('/api/events/?modified_since=x')).body.errors[0].parameter, 'modified_since')
    assert.equal(await olga.status(`/api/events/${first.id}/?modified_since=2100-01-01`), 404)
  })
  test('an event changes by its own fields, with its shifts', async () => {
    const found = await after(() => write.updateTable('event').set({ title: 'New' }).where('id', '=', second.id).execute())
    assert.deepEqual(found, { ...nothing, events: [second.id], shifts: second.shifts })
  })
  test('an event changes by a shift', async () => {
    const shift = write.updateTable('shift').set({ label: 'New' }).where('id', '=', first.shifts[1]!)
    assert.deepEqual(await after(() => shift.execute()), { ...nothing, events: [first.id], shifts: first.shifts })
  })
  test('an event changes by the title of its type', async () => {
    const found = await after(() => write.updateTable('event_type').set({ title: 'New' }).where('id', '=', type).execute())
    assert.deepEqual(found, { ...nothing, events: [first.id] })
  })
  test('a participation changes by its state, and the event by its statistics', async () => {
    const found = await after(() => write.updateTable('participation').set({ state: 0 }).where('id', '=', ann).execute())
    assert.deepEqual(found, { ...nothing, events: [first.id], shifts: first.shifts, participations: [ann] })
  })
  test('a participation changes by a comment', async () => {
    const comment = { participation_id: ben, text: 'Later', visible_for: 2, author_kind: 'participant' }
    const insert = async () => {
      const created_at = new Date(await now())
      await write
        .insertInto('participation_comment')
        .values({ ...comment, created_at })
        .execute()
    }
    const found = await after(insert)
    assert.deepEqual(found, { ...nothing, participations: [ben] })
  })
  test('a user changes by name and by qualifications, but not by signing in', async () => {
    const rename = write.updateTable('user_profile').set({ display_name: 'Annie' }).where('id', '=', ANN.id)
    assert.deepEqual(await after(() => rename.execute()), { ...nothing, users: [ANN.id] })
    assert.deepEqual(await after(() => world.holds(BEN, qualification)), { ...nothing, users: [BEN.id] })
    const grants = write.updateTable('qualification_grant').set({ expires_at: new Date('2040-01-01') })
    assert.deepEqual(await after(() => grants.execute()), { ...nothing, users: [BEN.id] })
    assert.deepEqual(await after(() => write.deleteFrom('qualification_grant').execute()), { ...nothing, users: [BEN.id] })
    const signIn = write.updateTable('user_profile').set({ last_sign_in_at: new Date() }).where('id', '=', VERA.id)
    assert.deepEqual(await after(() => signIn.execute()), nothing)
  })
  test('a statement that changes nothing is no modification', async () => {
    const same = write.updateTable('user_profile').set({ display_name: 'Vera' }).where('id', '=', VERA.id)
    assert.deepEqual(await after(() => same.execute()), nothing)
  })
  test('goes together with cursors and other filters', async () => {
    const { body } = await olga.get('/api/shifts/?modified_since=2000-01-01&limit=2&cursor=&ordering=-id')
    assert.deepEqual(
      body.results.map(({ id }: { id: number }) => id),
      [...first.shifts, ...second.shifts].sort((a, b) => b - a).slice(0, 2),
    )
    assert.match(body.next, /modified_since=2000-01-01/)
  })
})

describe('users by e-mail address', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, ...SCOPES)
  await world.addPerson({ name: 'Hidden', email: 'hidden@a.example', isVisible: false })

  const CASES: [query: string, ids: number[]][] = [
    ['email=ann@a.example', [ANN.id]],
    ['email=ANN@A.Example', [ANN.id]],
    ['email=ann@a.example,ben@a.example', [ANN.id, BEN.id]],
    ['email=ann@a.example&email=+ben@a.example+,', [ANN.id, BEN.id]],
    ['email=ann@a.example,ann@a.example', [ANN.id]],
    ['email=ann', []],
    ['email=%25@a.example', []],
    ['email=hidden@a.example,vera@a.example', [VERA.id]],
    ['email=ann@a.example,ben@a.example&search=ben', [BEN.id]],
  ]
  for (const [query, ids] of CASES)
    test(`?${query} finds ${ids.length}`, async () => assert.deepEqual(await olga.ids('/api/users/', query), ids))
  test('a blank parameter counts as absent', async () => {
    assert.deepEqual(await olga.ids('/api/users/', 'email='), await olga.ids('/api/users/'))
  })
  test('takes at most 100 addresses', async () => {
    const many = Array.from({ length: 100 }, (_, n) => `p${n}@a.example`)
    assert.equal(await olga.status('/api/users/', { query: { email: many.join(',') } }), 200)
    const { status, body } = await olga.get('/api/users/', { query: { email: [...many, 'ann@a.example'].join(',') } })
    assert.deepEqual([status, body.errors[0].parameter, body.errors[0].code], [400, 'email', 'too_many_values'])
    assert.equal((await olga.get('/api/users/?email=a%00b')).body.errors[0].code, 'null_character')
  })
})
