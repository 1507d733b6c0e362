import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import { HELPERS, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('search', async () => {
  const world = await openWorld()
  const seenBy = [HELPERS]
  const event = async (title: string, description: string | null, location: string, label: string) => {
    const made = await world.addEvent({ title, description, location, seenBy, shifts: [{ label }] })
    return { event: made.id, shift: made.shifts[0]! }
  }
  const run = await event('Harbour Run', 'Ten kilometres along the quay', 'Pier 3', 'Early "bird"')
  const fair = await event('Übung am Fluß', null, 'Bürgerhaus', 'ÄRZTE')
  const sale = await event('50% off_day', "Bring O'Neill, please", 'C:\\market', 'late, shift')
  const all = [run, fair, sale]
  const zoe = await world.addPerson({ name: 'Zoë Öztürk', email: 'Zoe_1%@b.example' })
  const olga = world.as(OLGA, ...SCOPES)

  type Case = [search: string, events: { event: number }[]]
  const EVENTS: Case[] = [
    ['harbour', [run]],
    ['HARBOUR', [run]],
    ['arbo', [run]],
    ['kilometres', [run]],
    ['pier', [run]],
    ['run pier', [run]],
    ['pier,run', [run]],
    ['run  ,  pier', [run]],
    ['run bürgerhaus', []],
    ['harbour xyz', []],
    ['"harbour run"', [run]],
    ['"run harbour"', []],
    ["'along the quay'", [run]],
    ['"along the" pier', [run]],
    ['"harbour', []],
    ["o'neill", [sale]],
    ['übung', [fair]],
    ['ÜBUNG', [fair]],
    ['BÜRGER', [fair]],
    ['fluß', [fair]],
    ['FLUSS', []],
    ['fluss', []],
    ['ubung', []],
    ['%', [sale]],
    ['50%', [sale]],
    ['5%o', []],
    ['_', [sale]],
    ['f_d', [sale]],
    ['h_rbour', []],
    ['\\', [sale]],
    ['c:\\m', [sale]],
    ['\\%', []],
    ['', all],
    ['   ', all],
    [',', all],
    [' , ,', all],
    ['""', all],
    ["'  '", all],
    ["'", all],
    ['"', all],
    ['e', all],
    ['(', []],
    ['.*', []],
    ['null', []],
    ['👩‍🚒', []],
    ['service', []],
  ]
  for (const [search, found] of EVENTS)
    test(`${JSON.stringify(search)} finds ${found.length} events`, async () => {
      const ids = found.map((each) => each.event)
      assert.deepEqual((await olga.ids('/api/events/', { search })).sort(), ids.sort())
    })

  const SHIFTS: [search: string, shifts: { shift: number }[]][] = [
    ['early', [run]],
    ['HARBOUR', [run]],
    ['harbour early', [run]],
    ['harbour late', []],
    ['ärzte', [fair]],
    ['Übung', [fair]],
    ['"late, shift"', [sale]],
    ['late,shift', [sale]],
    ['50%', [sale]],
    ['bird"', [run]],
    ['pier', []],
    ['kilometres', []],
    ['', all],
    ['"', all],
    ["'", all],
    ['" early', [run]],
  ]
  for (const [search, found] of SHIFTS)
    test(`${JSON.stringify(search)} finds ${found.length} shifts`, async () => {
      assert.deepEqual(
        await olga.ids('/api/shifts/', { search }),
        found.map(({ shift }) => shift),
      )
    })

  const PEOPLE: [search: string, ids: number[]][] = [
    ['zoë', [zoe.id]],
    ['ZOË', [zoe.id]],
    ['öztürk b.example', [zoe.id]],
    ['zoe_1%@', [zoe.id]],
    ['zoe01', []],
    ['ann', [1]],
    ['a.example', [1, 2, 3, 4, 5]],
    ['"zoë öztürk"', [zoe.id]],
    ['+49', []],
    ['1990-03-14', []],
    ['', [1, 2, 3, 4, 5, zoe.id]],
  ]
  for (const [search, ids] of PEOPLE)
    test(`${JSON.stringify(search)} finds ${ids.length} participations`, async () =>
      assert.deepEqual(await olga.ids('/api/users/', { search }), ids))

  for (const path of ['/api/events/', '/api/shifts/', '/api/users/', '/api/events/1/', '/api/shifts/1/', '/api/users/1/'])
    test(`${path} refuses a NUL character`, async () => {
      for (const search of ['%00', 'a%00b', '%22a%00%22']) {
        const { status, body } = await olga.get(`${path}?search=${search}`)
        assert.equal(status, 400)
        assert.deepEqual(body.errors, [
          { parameter: 'search', code: 'null_character', detail: 'Null characters are not allowed.' },
        ])
      }
    })
  for (const path of ['/api/events/', '/api/shifts/', '/api/users/'])
    test(`${path} looks for 50 different words`, async () => {
      const numbers = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`).join(' ')
      assert.equal(await olga.status(`${path}?search=${encodeURIComponent(numbers(50))}`), 200)
      assert.equal(await olga.status(`${path}?search=${encodeURIComponent('a '.repeat(1_000))}`), 200)
      const { status, body } = await olga.get(`${path}?search=${encodeURIComponent(numbers(51))}`)
      assert.deepEqual([status, body.errors[0].code], [400, 'too_many_values'])
    })
  test('the last value of a repeated parameter applies', async () => {
    assert.deepEqual(await olga.ids('/api/events/', { search: ['xyz', 'harbour'] }), [run.event])
    assert.deepEqual(
      await olga.ids('/api/events/', { search: ['%00', ''] }),
      all.map((each) => each.event),
    )
  })
  test('other lists ignore the parameter', async () => {
    for (const path of [
      '/api/participations/',
      '/api/participations-userinfo/',
      '/api/users/me/participations/',
      '/api/buildingblocks/',
      `/api/users/by_email/${zoe.email.replace('%', '%25')}/`,
      '/api/users/me/',
    ])
      assert.equal(await olga.status(`${path}?search=%00xyz`), 200, path)
  })
})
