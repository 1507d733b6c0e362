import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Permission } from '#platform/auth/permissions.ts'
import { contextAs } from '#test/support/command-context.ts'
import { journalOf } from '#test/support/journal.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { createCategory } from '../commands/categories.ts'
import { createQualification } from '../commands/qualifications.ts'

const codesOf = (body: { errors?: { pointer?: string; code: string }[] }) =>
  body.errors?.map(({ pointer, code }) => [pointer, code])

describe('the catalogue of qualifications by the API', async () => {
  const world = await openWorld()
  const olga = world.as(OLGA, 'CONFIDENTIAL_WRITE', 'PUBLIC_READ')
  const category = await createCategory(contextAs(world, OLGA), { title: 'Medical', show_with_user: true, rank: 0 })
  const add = async (title: string, direct_includes: number[] = []) =>
    (await olga.post('/api/qualifications/', { title, category_id: category, direct_includes })).body as {
      id: number
      uuid: string
    }
  const addressOf = ({ id }: { id: number }) => `/api/qualifications/${id}/`
  const entriesOf = async (kind: string, id: number) =>
    (await journalOf(world, kind, id)).map((entry) => ({ kind: entry.kind, changes: entry.changes }))

  test('a qualification is added, changed and deleted', async () => {
    const below = await add('Below')
    const added = await olga.post('/api/qualifications/', {
      title: 'Medic',
      abbreviation: 'M',
      category_id: category,
      direct_includes: [below.id],
      valid_months: 24,
    })
    assert.equal(added.status, 201)
    assert.deepEqual(
      [added.body.title, added.body.abbreviation, added.body.category_id, added.body.direct_includes, added.body.includes],
      ['Medic', 'M', category, [below.id], [below.uuid]],
    )
    assert.equal((await olga.get(added.headers.location!)).headers.etag, added.headers.etag)
    const changed = await olga.patch(addressOf(added.body), { title: 'Paramedic' }, added.headers.etag!)
    assert.deepEqual(
      [changed.body.title, changed.body.abbreviation, changed.body.direct_includes, changed.body.valid_months],
      ['Paramedic', 'M', [below.id], 24],
    )
    const endless = await olga.patch(addressOf(below), { valid_months: null }, '*')
    assert.equal(endless.body.valid_months, null)
    for (const valid_months of [0, 601]) assert.equal((await olga.patch(addressOf(below), { valid_months }, '*')).status, 400)
    assert.equal((await olga.delete(addressOf(added.body), added.headers.etag!)).status, 412)
    assert.equal((await olga.delete(addressOf(added.body), changed.headers.etag!)).status, 204)
    assert.equal(await olga.status(addressOf(added.body)), 404)
    assert.deepEqual(
      (await entriesOf('qualification', added.body.id)).map(({ kind }) => kind),
      ['qualification.created', 'qualification.changed', 'qualification.deleted'],
    )
  })

  test('the journal entries are those of the pages', async () => {
    const byPage = await createQualification(contextAs(world, OLGA), {
      title: 'Same',
      abbreviation: '',
      category,
      includes: [],
      valid_months: null,
    })
    assert.ok(byPage.ok)
    assert.deepEqual(await entriesOf('qualification', (await add('Same')).id), await entriesOf('qualification', byPage.id))
    const form = { title: 'Sea', show_with_user: true, rank: 0 }
    const { body } = await olga.post('/api/qualification-categories/', { title: 'Sea' })
    const paged = await createCategory(contextAs(world, OLGA), form)
    assert.deepEqual(await entriesOf('qualification_category', body.id), await entriesOf('qualification_category', paged))
  })

  test('holders of a deleted qualification get another one', async () => {
    const [from, to] = [await add('Old'), await add('New')]
    await world.db.write.insertInto('qualification_grant').values({ user_id: ANN.id, qualification_id: from.id }).execute()
    const none = await olga.send('DELETE', addressOf(from), { move_to: from.id }, { headers: { 'if-match': '*' } })
    assert.deepEqual([none.status, codesOf(none.body)], [409, [['/move_to', 'no_target']]])
    assert.equal((await olga.send('DELETE', addressOf(from), { move_to: to.id }, { headers: { 'if-match': '*' } })).status, 204)
    const held = await world.db.read
      .selectFrom('qualification_grant')
      .select('qualification_id')
      .where('user_id', '=', ANN.id)
      .execute()
    assert.deepEqual(held, [{ qualification_id: to.id }])
  })

  test('mistakes and refusals name the key and the code', async () => {
    const [one, two] = [await add('One'), await add('Two')]
    await olga.patch(addressOf(one), { direct_includes: [two.id] }, '*')
    const cases: [Promise<{ status: number; body: never }>, number, [string, string][]][] = [
      [
        olga.post('/api/qualifications/', { title: ' ', category_id: category, abbreviation: 'x'.repeat(255) }) as never,
        400,
        [
          ['/title', 'title_missing'],
          ['/abbreviation', 'too_long'],
        ],
      ],
      [olga.post('/api/qualifications/', { title: 'X', category_id: 99_999 }) as never, 409, [['/category_id', 'no_category']]],
      [
        olga.post('/api/qualifications/', { title: 'X', category_id: category, direct_includes: [99_999] }) as never,
        409,
        [['/direct_includes', 'unknown_included']],
      ],
      [olga.patch(addressOf(two), { direct_includes: [one.id] }, '*') as never, 409, [['/direct_includes', 'cycle']]],
      [
        olga.post('/api/qualification-categories/', { title: '', rank: 12_345_678 }) as never,
        400,
        [
          ['/title', 'title_missing'],
          ['/rank', 'rank_wrong'],
        ],
      ],
    ]
    for (const [attempt, status, errors] of cases) {
      const answer = await attempt
      assert.deepEqual([answer.status, codesOf(answer.body)], [status, errors])
    }
  })

  test('a qualification that upcoming shifts need is not deleted', async () => {
    const needed = await add('Needed')
    await world.addEvent({
      shifts: [{ start: '2031-06-01T08:00:00Z', configuration: { required_qualification_ids: [needed.id] } }],
    })
    const { status, body } = await olga.delete(addressOf(needed), '*')
    assert.deepEqual([status, codesOf(body)], [409, [[undefined, 'needed']]])
  })

  test('a category is added, changed and deleted when it is empty', async () => {
    const added = await olga.post('/api/qualification-categories/', { title: 'Water', rank: 3 })
    assert.deepEqual([added.status, added.body.show_with_user, added.body.rank], [201, true, 3])
    const address = added.headers.location!
    const changed = await olga.patch(address, { show_with_user: false }, added.headers.etag!)
    assert.deepEqual([changed.body.title, changed.body.rank, changed.body.show_with_user], ['Water', 3, false])
    assert.equal((await olga.patch(address, { rank: 4 }, added.headers.etag!)).status, 412)
    const used = await olga.post('/api/qualifications/', { title: 'Swimmer', category_id: added.body.id })
    assert.deepEqual(codesOf((await olga.delete(address, '*')).body), [[undefined, 'in_use']])
    await olga.delete(addressOf(used.body), '*')
    assert.equal((await olga.delete(address, changed.headers.etag!)).status, 204)
  })

  describe('each permission is needed', async () => {
    const all: Permission[] = ['add_qualification', 'change_qualification', 'delete_qualification']
    const one = await add('Guarded')
    const empty = await createCategory(contextAs(world, OLGA), { title: 'Empty', show_with_user: true, rank: 0 })
    const dry = { query: 'dry_run=true' }
    for (const [missing, expected] of [
      [undefined, [200, 200, 204, 200, 200, 204]],
      ['add_qualification', [403, 200, 204, 403, 200, 204]],
      ['change_qualification', [200, 403, 204, 200, 403, 204]],
      ['delete_qualification', [200, 200, 403, 200, 200, 403]],
    ] as const)
      test(`without ${missing ?? 'none of them'}: ${expected}`, async () => {
        const person = await world.addPerson({ name: `No ${missing}`, permissions: all.filter((each) => each !== missing) })
        const caller = world.as(person, 'CONFIDENTIAL_WRITE')
        const categoryAddress = `/api/qualification-categories/${empty}/`
        const statuses = [
          await caller.post('/api/qualifications/', { title: 'X', category_id: category }, dry),
          await caller.patch(addressOf(one), { title: 'X' }, '*', dry),
          await caller.delete(addressOf(one), '*', dry),
          await caller.post('/api/qualification-categories/', { title: 'X' }, dry),
          await caller.patch(categoryAddress, { title: 'X' }, '*', dry),
          await caller.delete(categoryAddress, '*', dry),
        ].map(({ status }) => status)
        assert.deepEqual(statuses, expected)
        assert.equal((await entriesOf('qualification', one.id)).length, 1)
      })
  })
})
