import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { contextAs } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { ANN, HELPERS, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { addHours } from '../commands.ts'

const codesOf = (body: { errors?: { pointer?: string; code: string }[] }) =>
  body.errors?.map(({ pointer, code }) => [pointer, code])
const LIST = '/api/working-hours/'
const VALUES = { date: '2031-04-02', hours: 2.5, reason: 'Cleaned the vehicles' }

describe('working hours of others by the API', async () => {
  const world = await openWorld()
  await world.db.write
    .insertInto('group_grant')
    .values({ group_id: PLANNERS.id, target_group_id: HELPERS.id, permission: 'decide_working_hours_for_group' })
    .execute()
  /** Decides about the hours of Helpers only. */
  const paul = world.as(PAUL, 'CONFIDENTIAL_WRITE', 'CONFIDENTIAL_READ')
  const entriesOf = async ({ id }: Person) =>
    (await journalOf(world, 'user', id)).map(({ kind, changes }) => ({ kind, keys: Object.keys(changes as object) }))

  test('an entry is added, changed and deleted', async () => {
    const added = await paul.post(LIST, { user: ANN.id, ...VALUES })
    assert.deepEqual([added.status, added.body], [201, { id: added.body.id, user: ANN.id, ...VALUES }])
    const address = added.headers.location!
    assert.equal((await paul.get(address)).headers.etag, added.headers.etag)
    const changed = await paul.patch(address, { hours: 3 }, added.headers.etag!)
    assert.deepEqual([changed.status, changed.body], [200, { ...added.body, hours: 3 }])
    assert.equal((await paul.patch(address, { hours: 4 }, added.headers.etag!)).status, 412)
    assert.equal((await paul.delete(address, added.headers.etag!)).status, 412)
    assert.equal((await paul.send('DELETE', address)).status, 428)
    assert.equal((await paul.delete(address, changed.headers.etag!)).status, 204)
    assert.equal(await paul.status(address), 404)
    assert.deepEqual(
      (await entriesOf(ANN)).map(({ kind }) => kind),
      ['working_hours.added', 'working_hours.changed', 'working_hours.deleted'],
    )
  })

  test('the journal entry is that of the page', async () => {
    const [one, two] = [await world.addPerson({ name: 'One' }), await world.addPerson({ name: 'Two' })]
    await addHours(contextAs(world, OLGA), one.id, VALUES)
    await world.as(OLGA, 'CONFIDENTIAL_WRITE').post(LIST, { user: two.id, ...VALUES })
    assert.deepEqual(await entriesOf(two), await entriesOf(one))
    assert.equal((await entriesOf(one)).length, 1)
  })

  for (const [what, value, status, errors] of [
    [
      'missing keys',
      {},
      400,
      [
        ['/user', 'invalid_type'],
        ['/date', 'invalid_type'],
        ['/hours', 'invalid_type'],
        ['/reason', 'invalid_type'],
      ],
    ],
    [
      'wrong values',
      { user: ANN.id, date: '2031-02-30', hours: 0, reason: ' ' },
      400,
      [
        ['/date', 'date_invalid'],
        ['/hours', 'amount_invalid'],
        ['/reason', 'reason_missing'],
      ],
    ],
    ['three decimals', { user: ANN.id, ...VALUES, hours: 1.255 }, 400, [['/hours', 'amount_invalid']]],
    ['a day in the future', { user: ANN.id, ...VALUES, date: '2031-05-02' }, 409, [['/date', 'date_future']]],
    [
      'a wrong type beside a day in the future',
      { user: ANN.id, ...VALUES, hours: 'many', date: '2031-05-02' },
      400,
      [
        ['/hours', 'invalid_type'],
        ['/date', 'date_future'],
      ],
    ],
    ['a person who does not exist', { user: 99_999, ...VALUES }, 400, [['/user', 'person_unknown']]],
  ] as const)
    test(`${what}: ${status}`, async () => {
      const answer = await paul.post(LIST, value)
      assert.deepEqual([answer.status, codesOf(answer.body)], [status, errors])
    })

  test('only those who decide about the hours of the person write them', async () => {
    const { body } = await paul.post(LIST, { user: ANN.id, ...VALUES })
    const address = `${LIST}${body.id}/`
    // Vera sees all profiles, and so their hours; Ann sees her own elsewhere.
    const vera = world.as(VERA, 'CONFIDENTIAL_WRITE')
    assert.equal((await vera.post(LIST, { user: ANN.id, ...VALUES })).status, 403)
    assert.equal((await vera.patch(address, { hours: 9 }, '*')).status, 403)
    assert.equal((await vera.delete(address, '*')).status, 403)
    const ann = world.as(ANN, 'CONFIDENTIAL_WRITE')
    assert.deepEqual(codesOf((await ann.post(LIST, { user: ANN.id, ...VALUES })).body), [['/user', 'person_unknown']])
    assert.equal((await ann.delete(address, '*')).status, 404)
    const others = await paul.post(LIST, { user: VERA.id, ...VALUES })
    assert.deepEqual(codesOf(others.body), [['/user', 'person_unknown']])
  })

  test('a dry run writes nothing', async () => {
    const person = await world.addPerson({ name: 'Dry' })
    const { status } = await world
      .as(OLGA, 'CONFIDENTIAL_WRITE')
      .post(LIST, { user: person.id, ...VALUES }, { query: 'dry_run=true' })
    assert.deepEqual([status, await entriesOf(person)], [200, []])
  })

  test('of many changes based on the same version, one is carried out', async () => {
    const { headers } = await paul.post(LIST, { user: ANN.id, ...VALUES })
    const answers = await Promise.all([3, 4, 5, 6].map((hours) => paul.patch(headers.location!, { hours }, headers.etag!)))
    const statuses = answers.map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 200).length, 1, `${statuses}`)
    assert.ok(
      statuses.every((status) => [200, 409, 412].includes(status)),
      `${statuses}`,
    )
  })
})
