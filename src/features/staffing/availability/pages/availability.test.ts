import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const PAGE = '/settings/availability/'

describe('availability', async () => {
  const world = await openWorld()
  const { read, write } = world.db
  const ann = await browserOf(world, ANN)
  const weekly = () => read.selectFrom('weekly_time').selectAll().orderBy('id').execute()
  const periods = () => read.selectFrom('day_period').selectAll().orderBy('id').execute()
  // 5 May 2031 is a Monday.
  const { shifts } = await world.addEvent({
    title: 'Harbour run',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [
      {
        start: '2031-05-05T08:00:00+02:00',
        end: '2031-05-05T12:00:00+02:00',
        flow: 'request_confirm',
        configuration: { minimum_number_of_participants: 1 },
      },
    ],
  })
  const warnings = async () => {
    const { body } = await world.as(ANN, 'ME_READ').get(`/api/shifts/${shifts[0]}/eligibility/`)
    return [body.sign_up.allowed, ...body.warnings.map(({ code }: { code: string }) => code)]
  }

  test('people enter weekly times and days, and see them', async () => {
    const page = await ann.get(PAGE)
    assert.match(page.body, /You have not entered weekly times/)
    assert.deepEqual(checkMarkup(page.body), [])
    const form = { kind: 'cannot', weekday: '1', from: '7 Uhr', until: '15:30' }
    assert.equal((await ann.post(PAGE, { form })).statusCode, 303)
    assert.equal(
      (await ann.post(`${PAGE}days/`, { form: { days_kind: 'can', first: '2031-05-12', last: '2031-05-16' } })).statusCode,
      303,
    )
    const after = (await ann.get(PAGE)).body
    assert.match(after, /Monday 07:00–15:30/)
    assert.match(after, /12 May.*16 May/s)
    assert.deepEqual(checkMarkup(after), [])
  })

  test('a sign-up in such a time is possible with a warning', async () => {
    assert.deepEqual(await warnings(), [true, 'not_available'])
    await write
      .insertInto('day_period')
      .values({ user_id: ANN.id, kind: 'can', first_day: '2031-05-05', last_day: '2031-05-05' })
      .execute()
    assert.deepEqual(await warnings(), [true], 'a single day replaces the weekly time')
    await write.deleteFrom('day_period').where('first_day', '=', '2031-05-05').execute()
  })

  test('planners see that the person is not available, and nothing else', async () => {
    const { body } = await world.as(PAUL, 'CONFIDENTIAL_READ').get(`/api/shifts/${shifts[0]}/candidates/?search=Ann`)
    assert.deepEqual(
      body.results[0].warnings.map(({ code }: { code: string }) => code),
      ['not_available'],
    )
    assert.doesNotMatch(JSON.stringify(body), /07:00|15:30/)
    const paul = await browserOf(world, PAUL)
    const board = await paul.post(`/shifts/${shifts[0]}/disposition/`, { form: { do: 'search', find: 'Ann' } })
    assert.match(board.body, /Entered as not available at this time/)
    const proposal = (await paul.get(`/planning/fill/?shift=${shifts[0]}&pool=everyone`)).body
    assert.doesNotMatch(proposal, />Ann</)
    await write.deleteFrom('weekly_time').execute()
    assert.match((await paul.get(`/planning/fill/?shift=${shifts[0]}&pool=everyone`)).body, />Ann</)
  })

  for (const [path, form, field] of [
    [PAGE, { kind: 'cannot', weekday: '1', from: '9:00', until: '8:00' }, 'until'],
    [PAGE, { kind: 'cannot', weekday: '8', from: '9:00', until: '10:00' }, 'weekday'],
    [PAGE, { kind: 'cannot', weekday: '1', from: 'nine', until: '10:00' }, 'from'],
    [PAGE, { kind: 'perhaps', weekday: '1', from: '9:00', until: '10:00' }, 'kind'],
    [`${PAGE}days/`, { days_kind: 'cannot', first: '2031-05-12', last: '2031-05-11' }, 'last'],
    [`${PAGE}days/`, { days_kind: 'cannot', first: '2030-05-12', last: '2030-05-13' }, 'last'],
    [`${PAGE}days/`, { days_kind: 'cannot', first: 'soon', last: '2031-05-13' }, 'first'],
  ] as const)
    test(`refuses ${JSON.stringify(form)} at the field`, async () => {
      const before = [await weekly(), await periods()]
      const page = await ann.post(path, { form })
      assert.equal(page.statusCode, 422)
      assert.match(page.body, new RegExp(`id="[^"]*${field}-error"`))
      assert.deepEqual([await weekly(), await periods()], before)
    })

  test('people delete their own entries only', async () => {
    await ann.post(PAGE, { form: { kind: 'can', weekday: '2', from: '18:00', until: '24:00' } })
    const [entry] = await weekly()
    const ben = await browserOf(world, BEN)
    await ben.post(`${PAGE}weekly/${entry!.id}/delete/`)
    assert.equal((await weekly()).length, 1)
    assert.equal((await ann.post(`${PAGE}weekly/${entry!.id}/delete/`)).statusCode, 303)
    assert.deepEqual(await weekly(), [])
  })

  test('stops at a number of entries that nobody needs', async () => {
    const values = Array.from({ length: 200 }, () => ({
      user_id: ANN.id,
      kind: 'can',
      weekday: 3,
      from_minute: 0,
      until_minute: 60,
    }))
    await write.insertInto('weekly_time').values(values).execute()
    const page = await ann.post(PAGE, { form: { kind: 'can', weekday: '2', from: '18:00', until: '24:00' } })
    assert.equal(page.statusCode, 422)
    assert.match(page.body, /too many entries/)
  })
})
