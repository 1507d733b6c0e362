import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { applyStep, newShiftValues, readShift, type StoredShift, shiftValues } from './shift-form.ts'

const BERLIN = 'Europe/Berlin'
const AT = 's0-'
const BASE: FormValues = { ...newShiftValues(AT), 's0-date': '2031-06-01', 's0-start': '08:00', 's0-end': '12:00' }
let uuids = 0
const read = (values: FormValues, stored?: StoredShift) =>
  readShift(values, AT, { timeZone: BERLIN, stored, leaders: new Set(['7', 'row-1']), newUuid: () => `new ${++uuids}` })
const faultsOf = (values: FormValues) => read({ ...BASE, ...values }).faults.map(({ field, code }) => `${field}: ${code}`)

const stored = (more: Partial<StoredShift>): StoredShift => ({
  id: 1,
  questions: [],
  ...shiftFields.defaults,
  label: 'A',
  flowSlug: 'request_confirm',
  flowConfiguration: {},
  structureSlug: 'uniform',
  structureConfiguration: {},
  times: {
    meeting: new Date('2031-06-01T06:00:00Z'),
    start: new Date('2031-06-01T06:00:00Z'),
    end: new Date('2031-06-01T10:00:00Z'),
  },
  ...more,
})
/** What becomes of a stored shift when its form is opened and saved. */
const again = (shift: StoredShift) => read(shiftValues(AT, shift, BERLIN), shift)

describe('the shift form', () => {
  test('defaults: sign-up closes at the start, participants choose their times', () => {
    assert.deepEqual(read(BASE).input.flowConfiguration, {
      signup_until: '2031-06-01T08:00:00+02:00',
      user_can_decline_confirmed: false,
      user_can_customize_signup_times: true,
    })
    assert.deepEqual(read(BASE).faults, [])
  })

  const CLOCK_CHANGES: [what: string, values: FormValues, expected: unknown][] = [
    ['a start that is skipped', { 's0-date': '2031-03-30', 's0-start': '02:30', 's0-end': '06:00' }, [['s0-start', 'skipped']]],
    ['an end that is skipped', { 's0-date': '2031-03-29', 's0-start': '20:00', 's0-end': '02:30' }, [['s0-end', 'skipped']]],
    [
      'a start that occurs twice',
      { 's0-date': '2031-10-26', 's0-start': '02:30', 's0-end': '06:00' },
      [['s0-start', 'ambiguous']],
    ],
    [
      'the first of two',
      { 's0-date': '2031-10-26', 's0-start': '02:30', 's0-start_which': 'earlier', 's0-end': '06:00' },
      '2031-10-26T00:30:00.000Z',
    ],
    [
      'the second of two',
      { 's0-date': '2031-10-26', 's0-start': '02:30', 's0-start_which': 'later', 's0-end': '06:00' },
      '2031-10-26T01:30:00.000Z',
    ],
    [
      'in full',
      { 's0-full': 'on', 's0-start_at': '2031-03-30T02:30', 's0-end_at': '2031-10-26T02:30' },
      [
        ['s0-start_at', 'skipped'],
        ['s0-end_at', 'ambiguous'],
      ],
    ],
    ['a deadline', { 's0-until_kind': 'at', 's0-until_at': '2031-03-30T02:30' }, [['s0-until_at', 'skipped']]],
  ]
  for (const [what, values, expected] of CLOCK_CHANGES)
    test(`when the clocks change: ${what}`, () => {
      const { input, faults } = read({ ...BASE, ...values })
      const found = faults.map(({ field, code }) => [field, code])
      assert.deepEqual(found.length ? found : input.times?.start.toISOString(), expected)
    })

  test('keeps a stored time that occurs twice', () => {
    for (const start of [new Date('2031-10-26T00:30:00Z'), new Date('2031-10-26T01:30:00Z')]) {
      const shift = stored({ times: { meeting: start, start, end: new Date('2031-10-26T05:00:00Z') } })
      assert.deepEqual(again(shift).input.times, shift.times)
    }
  })

  const DEADLINES: [string, FormValues, object][] = [
    ['at the end', { 's0-until_kind': 'end' }, { signup_until: null }],
    ['days before', { 's0-until_kind': 'before', 's0-until_count': '3', 's0-until_unit': 'days' }, { signup_until: 'P3D' }],
    ['hours before', { 's0-until_kind': 'before', 's0-until_count': '12', 's0-until_unit': 'hours' }, { signup_until: 'PT12H' }],
    ['at a time', { 's0-until_kind': 'at', 's0-until_at': '2031-05-30T18:00' }, { signup_until: '2031-05-30T18:00:00+02:00' }],
    ['opening weeks before', { 's0-from_kind': 'before', 's0-from_count': '2', 's0-from_unit': 'weeks' }, { signup_from: 'P2W' }],
  ]
  for (const [name, values, wanted] of DEADLINES)
    test(`writes deadlines: ${name}`, () => {
      const { input, faults } = read({ ...BASE, ...values })
      assert.deepEqual([faults, { ...input.flowConfiguration, ...wanted }], [[], input.flowConfiguration])
    })

  const KEPT: [string, Partial<StoredShift>][] = [
    ['a fixed deadline with seconds', { flowConfiguration: { signup_until: '2031-05-30T18:00:30+02:00' } }],
    ['one in another notation', { flowConfiguration: { signup_until: '2031-05-30T16:00:00Z' } }],
    ['the start, as somebody else wrote it', { flowConfiguration: { signup_until: '2031-06-01T06:00:00Z' } }],
    ['a relative one', { flowConfiguration: { signup_until: 'P3D', signup_from: 'P2W', late_change_asks_again: 'P2D' } }],
    ['a number of companions', { flowConfiguration: { user_can_bring: 3 } }],
    ['one that the form cannot say', { flowConfiguration: { signup_until: 'P1DT2H', signup_from: 'soon' } }],
    ['none', { flowConfiguration: { signup_until: null } }],
    [
      'unknown flow and structure',
      { flowSlug: 'raffle', flowConfiguration: { a: 1 }, structureSlug: 'circus', structureConfiguration: { b: ['2'] } },
    ],
    [
      'texts that look like dates and numbers',
      {
        structureSlug: 'named_teams',
        structureConfiguration: {
          teams: [{ uuid: '1', title: '2026-01-01', qualification: 3, min_count: 0, max_count: null, x: '1' }],
        },
      },
    ],
    [
      'parts of requirements',
      {
        structureSlug: 'qualification_mix',
        structureConfiguration: { qualification_requirements: [{ qualification: null, min_count: 1, max_count: 2, note: 'n' }] },
      },
    ],
    [
      'parts of units',
      {
        structureSlug: 'complex',
        structureConfiguration: {
          starting_blocks: [{ uuid: 'u', building_block: 4, label: '', optional: true, more: 1 }],
          colour: 1,
        },
      },
    ],
    [
      'seconds of the times',
      {
        times: {
          meeting: new Date('2031-06-01T05:00:10Z'),
          start: new Date('2031-06-01T06:00:20Z'),
          end: new Date('2031-06-01T10:00:30Z'),
        },
      },
    ],
  ]
  for (const [name, more] of KEPT)
    test(`keeps what is stored: ${name}`, () => {
      const shift = stored(more)
      const { input, faults } = again(shift)
      assert.deepEqual(faults, [])
      // The form says more, and nothing else.
      for (const key of ['flowConfiguration', 'structureConfiguration'] as const)
        assert.deepEqual({ ...input[key], ...shift[key] }, input[key])
      assert.deepEqual([input.times, input.flowSlug, input.structureSlug], [shift.times, shift.flowSlug, shift.structureSlug])
    })

  test('a new flow or structure drops the settings of the former one', () => {
    const shift = stored({ flowConfiguration: { odd: 1 }, structureConfiguration: { odd: 2 } })
    const { input } = read(
      { ...shiftValues(AT, shift, BERLIN), 's0-flow': 'manual', 's0-structure': 'qualification_mix', 's0-m0-min': '2' },
      shift,
    )
    assert.deepEqual(input.flowConfiguration, { no_selfservice_explanation: '' })
    assert.deepEqual(input.structureConfiguration, {
      minimum_age: null,
      qualification_requirements: [{ qualification: null, min_count: 2, max_count: null }],
    })
  })

  test('a coupled shift names its leader, or the row of a leader created with it', () => {
    assert.deepEqual(read({ ...BASE, 's0-flow': 'coupled', 's0-leader': '7' }).input.flowConfiguration, { leader_shift_id: 7 })
    assert.equal(read({ ...BASE, 's0-flow': 'coupled', 's0-leader': 'row-1' }).leaderRow, 1)
  })

  const FAULTS: [string, FormValues, string[]][] = [
    ['more at least than at most', { 's0-min': '5', 's0-max': '4' }, ['s0-max: min_above_max']],
    ['nobody at most', { 's0-max': '0' }, ['s0-max: too_small']],
    ['no number', { 's0-min': 'x', 's0-age': '-1' }, ['s0-age: not_a_number', 's0-min: not_a_number']],
    ['no team', { 's0-structure': 'named_teams' }, ['s0-structure: no_team']],
    [
      'a team without a name',
      { 's0-structure': 'named_teams', 's0-t0-min': '3', 's0-t0-max': '2' },
      ['s0-t0-max: min_above_max', 's0-t0-title: missing'],
    ],
    ['no requirement', { 's0-structure': 'qualification_mix' }, ['s0-structure: no_requirement']],
    ['a unit without a block', { 's0-structure': 'complex', 's0-b0-label': 'North' }, ['s0-b0-block: missing']],
    ['a leader that does not lead', { 's0-flow': 'coupled', 's0-leader': '8' }, ['s0-leader: no_leader']],
    ['an empty deadline', { 's0-until_kind': 'before' }, ['s0-until_count: missing']],
    ['closing before opening', { 's0-from_kind': 'at', 's0-from_at': '2031-06-02T00:00' }, ['s0-from_kind: opens_after_closing']],
    ['a long label', { 's0-label': 'x'.repeat(256) }, ['s0-label: too_long']],
    ['a date that is none', { 's0-date': 'x' }, ['s0-date: unreadable']],
    ['31 questions', { 's0-questions': [...Array(31).keys()].map(String) }, ['s0-questions: too_many_questions']],
    ['full times that are missing', { 's0-full': 'on' }, ['s0-start_at: missing', 's0-end_at: missing']],
  ]
  for (const [name, values, wanted] of FAULTS)
    test(`refuses ${name}, at the field`, () => assert.deepEqual(faultsOf(values), wanted))

  test('30 questions can be asked, in the order of their ids', () => {
    const ids = [...Array(30).keys()]
    const { input, faults } = read({ ...BASE, 's0-questions': ids.map(String).reverse() })
    assert.deepEqual([input.questions, faults], [ids, []])
  })

  test('the form of a stored shift', () => {
    const shift = stored({ questions: [4, 5] })
    const shown = (values: FormValues) =>
      ['on', 'label', 'full', 'date', 'meeting', 'start', 'end', 'meeting_at', 'start_at', 'end_at', 'questions'].map(
        (name) => values[`s0-${name}`],
      )
    const day = ['2031-06-01', '08:00', '08:00', '12:00', '2031-06-01T08:00', '2031-06-01T08:00', '2031-06-01T12:00']
    assert.deepEqual(shown(shiftValues(AT, shift, BERLIN)), ['1', 'A', undefined, ...day, ['4', '5']])
    const long = stored({ times: { ...shift.times, end: new Date('2031-06-03T10:00:00Z') } })
    assert.equal(shiftValues(AT, long, BERLIN)['s0-full'], 'on')
  })

  test('a stored end that occurs twice is marked in both forms of the times', () => {
    const start = new Date('2031-10-25T20:00:00Z')
    const values = shiftValues(AT, stored({ times: { meeting: start, start, end: new Date('2031-10-26T01:30:00Z') } }), BERLIN)
    assert.deepEqual([values['s0-end_which'], values['s0-end_at_which'], values['s0-start_which']], ['later', 'later', undefined])
    assert.equal(read(values).input.times?.end.toISOString(), '2031-10-26T01:30:00.000Z')
    assert.equal(read({ ...values, 's0-full': 'on' }).input.times?.end.toISOString(), '2031-10-26T01:30:00.000Z')
  })

  test('the first shift of a form has the defaults', () => {
    assert.deepEqual(applyStep({ title: 'T' }, 'add-shift', BERLIN), { title: 'T', ...newShiftValues('s0-') })
  })

  test('a further shift has no label and the same length', () => {
    const values = { ...BASE, 's0-label': 'A', 's0-end': '08:00' }
    const next = applyStep(values, 'add-shift', BERLIN)
    assert.deepEqual(
      ['label', 'date', 'meeting', 'start', 'end'].map((name) => next[`s1-${name}`]),
      ['', '2031-06-02', '08:00', '08:00', '08:00'],
    )
    // Without readable times they are copied as typed.
    assert.equal(applyStep({ ...values, 's0-end': 'x' }, 'add-shift', BERLIN)['s1-end'], 'x')
  })

  test('a further shift keeps how long before the start people meet', () => {
    const next = applyStep({ ...BASE, 's0-meeting': '07:30', 's0-start': '08:00', 's0-end': '12:00' }, 'add-shift', BERLIN)
    assert.deepEqual(
      ['meeting', 'start', 'end'].map((name) => next[`s1-${name}`]),
      ['11:30', '12:00', '16:00'],
    )
  })

  test('steps only add and remove rows', () => {
    const more = applyStep({ ...BASE, 's0-t0-title': 'A', 's0-t0-uuid': 'u', title: 'T' }, 'add:s0-t', BERLIN)
    assert.equal(more['s0-t1-on'], '1')
    const two = applyStep(more, 'add-shift', BERLIN)
    assert.deepEqual([two['s1-start'], two['s1-end'], two['s1-t0-title'], two['s1-t0-uuid']], ['12:00', '16:00', 'A', undefined])
    const one = applyStep(two, 'drop:s0', BERLIN)
    assert.deepEqual([one['s0-on'], one['s1-on'], one.title], [undefined, '1', 'T'])
    assert.equal(applyStep(two, 'drop:s0-t0', BERLIN)['s0-t0-title'], undefined)
    for (const odd of ['drop:title', 'add:x', '', 'drop:', 'hide:s0', 'hide:s0-t'])
      assert.deepEqual(applyStep(two, odd, BERLIN), two)
  })
})
