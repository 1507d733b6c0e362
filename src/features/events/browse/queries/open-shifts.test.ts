import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { RequestContext } from '#platform/auth/context.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { findOpenShifts } from './open-shifts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('open shifts', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person): RequestContext => ({ ...contextAs(world, person), words: wordsFor('en', 'UTC') })
  const at = (ms: number) => new Date(world.now.getTime() + ms)
  const span = (from: number, until: number) => ({ start: at(from).toISOString(), end: at(until).toISOString() })
  const add = async (label: string, from: number, until = from + HOUR_MS, shift: object = {}, event: object = {}) =>
    (
      await world.addEvent({
        seenBy: [HELPERS],
        responsible: [PAUL],
        shifts: [{ ...span(from, until), label, ...shift }],
        ...event,
      })
    ).shifts[0]!
  const ALL = {
    terms: [],
    typeIds: [],
    state: undefined,
    needsPeople: false,
    fitsMe: false,
    whose: 'all',
    from: undefined,
    until: undefined,
  } as const
  const find = async (person: Person, search: Partial<Parameters<typeof findOpenShifts>[1]> = {}, limit = 50) => {
    const { shifts, searchedUntil } = await findOpenShifts(as(person), { ...ALL, ...search }, limit)
    assert.equal(searchedUntil, undefined)
    return shifts.map(({ label }) => label)
  }
  beforeEach(async () => {
    for (const table of ['participation', 'event'] as const) await write.deleteFrom(table).execute()
  })

  test('are those that the caller sees and has no part in, soonest first', async () => {
    const second = await add('second', 2 * HOUR_MS)
    const first = await add('first', HOUR_MS)
    const mine = await add('mine', HOUR_MS)
    const asked = await add('asked', HOUR_MS)
    const declined = await add('declined', 3 * HOUR_MS)
    await add('hidden', HOUR_MS, undefined, {}, { seenBy: [] })
    await add('personal', 4 * HOUR_MS, undefined, {}, { seenBy: [ANN] })
    for (const more of [{ draft: true }, { cancelled: true }, { deleted: true }]) await add('gone', HOUR_MS, undefined, {}, more)
    await world.addParticipation({ who: ANN, shift: mine, state: 1 })
    await world.addParticipation({ who: ANN, shift: asked, state: 0 })
    await world.addParticipation({ who: ANN, shift: declined, state: 2 })
    await world.addParticipation({ who: BEN, shift: first, state: 1 })
    await world.addParticipation({ who: BEN, shift: second, state: 0 })
    assert.deepEqual(await find(ANN), ['first', 'second', 'declined', 'personal'])
    assert.deepEqual(
      await find(ANN, { fitsMe: true }),
      ['second', 'personal'],
      'declined is an answer, the first is at the time of hers',
    )
    assert.deepEqual(await find(BEN), ['mine', 'asked', 'declined'])
    assert.deepEqual(await find(ANN, {}, 2), ['first', 'second'])
    assert.deepEqual(await find(ANN, { fitsMe: true }, 1), ['second'])
    assert.deepEqual(
      await find(OLGA),
      ['hidden', 'first', 'mine', 'asked', 'second', 'declined', 'personal'].toSorted(
        (a, b) => order.indexOf(a) - order.indexOf(b),
      ),
    )
    assert.deepEqual(await find(VERA), [])
  })
  const order = ['first', 'mine', 'asked', 'hidden', 'second', 'declined', 'personal']

  test('have not ended, and began a day ago at most', async () => {
    await add('over', -2 * HOUR_MS, -1)
    await add('ends now', -2 * HOUR_MS, 0)
    await add('long', -DAY_MS, HOUR_MS)
    await add('longer', -DAY_MS - 1, HOUR_MS)
    assert.deepEqual(await find(ANN), ['long', 'ends now'])
  })

  test('begin in the span, which does not include its end', async () => {
    const from = 3 * DAY_MS
    await add('before', from - 1)
    await add('first', from)
    await add('meets before', from + HOUR_MS, undefined, { meeting: at(from - HOUR_MS).toISOString() })
    await add('last', from + DAY_MS - 1)
    await add('after', from + DAY_MS)
    const search = { from: at(from), until: at(from + DAY_MS) }
    assert.deepEqual(await find(ANN, search), ['meets before', 'first', 'last'])
    assert.deepEqual(await find(ANN, { from: at(from) }), ['meets before', 'first', 'last', 'after'])
    assert.deepEqual(await find(ANN, { until: at(from) }), ['before'])
  })

  test('are filtered by type, text and need, and those that do not fit are left out on demand', async () => {
    const type = await world.addType({ title: 'Drill' })
    const medic = await world.addQualification('Medic')
    await add('short', HOUR_MS, undefined, { stats: { missing: 1 } }, { title: 'Boat race' })
    await add('drill', 2 * HOUR_MS, undefined, {}, { type })
    await add('medics', 3 * HOUR_MS, undefined, { configuration: { required_qualification_ids: [medic.id] } })
    await add('closed', 4 * HOUR_MS, undefined, { flow: 'manual' })
    assert.deepEqual(await find(ANN), ['short', 'drill', 'medics', 'closed'])
    assert.deepEqual(await find(ANN, { needsPeople: true }), ['short'])
    assert.deepEqual(await find(ANN, { typeIds: [type] }), ['drill'])
    assert.deepEqual(await find(ANN, { terms: ['boat'] }), ['short'])
    assert.deepEqual(await find(ANN, { fitsMe: true }), ['short', 'drill'])
    const { shifts } = await findOpenShifts(as(ANN), ALL, 50)
    assert.deepEqual(
      shifts.map(({ label, candidacy }) => [label, candidacy.canSignUp]),
      [
        ['short', true],
        ['drill', true],
        ['medics', false],
        ['closed', false],
      ],
    )
  })
})
