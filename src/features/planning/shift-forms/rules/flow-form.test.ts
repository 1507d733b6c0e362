import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FormValues } from '#platform/ui/form-values.ts'
import { type Configuration, flowValues, newFlowValues, offeredKinds, readFlow } from './flow-form.ts'
import type { ShiftTimes } from './shift-times.ts'

const BERLIN = 'Europe/Berlin'
const shiftOn = (day: string): ShiftTimes => {
  const [start, end] = [new Date(`${day}T08:00:00Z`), new Date(`${day}T12:00:00Z`)]
  return { meeting: start, start, end }
}
const TIMES = shiftOn('2031-06-01')
const read = (values: FormValues, kept: Configuration = {}, times: ShiftTimes | undefined = TIMES) =>
  readFlow({ ...newFlowValues(''), ...values }, '', { timeZone: BERLIN, times, kept, leaders: new Set(['7', 'row-12']) })
const faultsOf = (...input: Parameters<typeof read>) => read(...input).faults.map(({ field, code }) => `${field}: ${code}`)

describe('the form of a sign-up flow', () => {
  const SHOWN: [what: string, slug: string, configuration: Configuration, expected: FormValues][] = [
    [
      'defaults of a request',
      'request_confirm',
      {},
      { from_kind: 'open', until_kind: 'end', late_kind: 'never', times: 'on', bring: '0', explanation: '', leader: '' },
    ],
    [
      'all settings',
      'instant_confirmation',
      {
        signup_from: 'P2W',
        signup_until: 'PT12H',
        late_change_asks_again: 'P3D',
        user_can_decline_confirmed: true,
        user_can_customize_signup_times: false,
        user_can_bring: 2,
      },
      {
        from_kind: 'before',
        from_count: '2',
        from_unit: 'weeks',
        until_kind: 'before',
        until_count: '12',
        until_unit: 'hours',
        late_kind: 'before',
        late_count: '3',
        late_unit: 'days',
        decline: 'on',
        bring: '2',
        explanation: '',
        leader: '',
      },
    ],
    [
      'a fixed time, the start, and a text that the form has no fields for',
      'request_confirm',
      { signup_from: '2031-05-30T18:00', signup_until: '2031-06-01T10:00:00+02:00', late_change_asks_again: 'P1DT2H' },
      {
        from_kind: 'at',
        from_at: '2031-05-30T18:00',
        until_kind: 'start',
        late_kind: 'keep',
        times: 'on',
        bring: '0',
        explanation: '',
        leader: '',
      },
    ],
    [
      'the second of two equal local times',
      'request_confirm',
      { signup_from: '2030-10-27T02:30:00+01:00' },
      {
        from_kind: 'at',
        from_at: '2030-10-27T02:30',
        from_at_which: 'later',
        until_kind: 'end',
        late_kind: 'never',
        times: 'on',
        bring: '0',
        explanation: '',
        leader: '',
      },
    ],
    [
      'people who are added by hand',
      'manual',
      { no_selfservice_explanation: 'Call us', leader_shift_id: 7, signup_until: 'P1D' },
      {
        from_kind: 'open',
        until_kind: 'start',
        late_kind: 'never',
        times: 'on',
        bring: '0',
        explanation: 'Call us',
        leader: '',
      },
    ],
    [
      'a shift that follows another one',
      'coupled',
      { leader_shift_id: 7, no_selfservice_explanation: 'Call us' },
      { from_kind: 'open', until_kind: 'start', late_kind: 'never', times: 'on', bring: '0', explanation: '', leader: '7' },
    ],
    [
      'without a leader or an explanation',
      'coupled',
      {},
      { from_kind: 'open', until_kind: 'start', late_kind: 'never', times: 'on', bring: '0', explanation: '', leader: '' },
    ],
  ]
  for (const [what, slug, configuration, expected] of SHOWN)
    test(`shows ${what}`, () => {
      const values = flowValues('', { slug, configuration, start: TIMES.start, timeZone: BERLIN })
      assert.deepEqual(values, { flow: slug, ...expected })
    })
  test('shows an explanation that is no text as empty', () => {
    const configuration = { no_selfservice_explanation: 5 }
    assert.equal(flowValues('', { slug: 'manual', configuration, start: TIMES.start, timeZone: BERLIN }).explanation, '')
  })

  for (const [name, configuration, expected] of [
    ['from', {}, ['open', 'before', 'at']],
    ['from', { signup_from: '2031-06-01T08:00:00Z' }, ['open', 'before', 'at', 'start']],
    ['until', { signup_until: '2031-06-01T08:00:00Z' }, ['start', 'end', 'before', 'at']],
    ['until', { signup_until: 'P1DT2H' }, ['start', 'end', 'before', 'at', 'keep']],
    ['late', { late_change_asks_again: 'P2D' }, ['never', 'before']],
    ['late', { late_change_asks_again: '2031-05-30T16:00:00Z' }, ['never', 'before', 'at']],
  ] as const)
    test(`offers what is stored, so that saving keeps it: ${name} of ${JSON.stringify(configuration)}`, () => {
      const values = flowValues('', { slug: 'request_confirm', configuration, start: TIMES.start, timeZone: BERLIN })
      const chosen = values[`${name}_kind`] as string
      assert.deepEqual(offeredKinds(name, chosen), expected)
      assert.ok((expected as readonly string[]).includes(chosen))
      assert.deepEqual(
        { ...read(values, configuration).configuration, ...configuration },
        read(values, configuration).configuration,
      )
    })

  test('of a new shift: open at once, until the start, without companions', () => {
    assert.deepEqual(newFlowValues('s0-'), {
      's0-flow': 'request_confirm',
      's0-from_kind': 'open',
      's0-until_kind': 'start',
      's0-late_kind': 'never',
      's0-times': 'on',
      's0-bring': '0',
      's0-explanation': '',
      's0-leader': '',
    })
  })

  const plain = { signup_until: null, user_can_decline_confirmed: false, user_can_customize_signup_times: true }
  const WRITTEN: [what: string, values: FormValues, kept: Configuration, expected: Configuration][] = [
    ['only what is set', { until_kind: 'end' }, {}, plain],
    ['nothing about companions if none was typed', { until_kind: 'end', bring: ' ' }, {}, plain],
    ['one companion', { until_kind: 'end', bring: '1' }, {}, { ...plain, user_can_bring: 1 }],
    ['no companions any more', { until_kind: 'end', bring: '0' }, { user_can_bring: 3 }, { ...plain, user_can_bring: 0 }],
    ['no opening any more', { until_kind: 'end' }, { signup_from: 'P2W' }, { ...plain, signup_from: null }],
    [
      'late changes that need a decision',
      { until_kind: 'end', late_kind: 'before', late_count: '2', late_unit: 'days' },
      {},
      { ...plain, late_change_asks_again: 'P2D' },
    ],
    [
      'no decision about late changes any more',
      { until_kind: 'end' },
      { late_change_asks_again: 'P2D' },
      { ...plain, late_change_asks_again: null },
    ],
    [
      'no late changes, if nobody decides about requests',
      { flow: 'instant_confirmation', until_kind: 'end', late_kind: 'before', late_count: '2', late_unit: 'days' },
      {},
      plain,
    ],
    [
      'a chosen end of sign-up that is typed with seconds, as stored',
      { until_kind: 'at', until_at: '2031-05-30T18:00:30' },
      { signup_until: '2031-05-30T16:00:30Z' },
      { ...plain, signup_until: '2031-05-30T16:00:30Z' },
    ],
    [
      'a chosen end of sign-up instead of a relative one',
      { until_kind: 'at', until_at: '2031-05-30T18:00' },
      { signup_until: 'P3D' },
      { ...plain, signup_until: '2031-05-30T18:00:00+02:00' },
    ],
    [
      'an explanation with the line ends of the database',
      { flow: 'manual', explanation: ' Call\r\nus ' },
      { other: 1 },
      { other: 1, no_selfservice_explanation: 'Call\nus' },
    ],
    ['the settings of a flow that the form does not know', { flow: 'raffle' }, { odd: 1 }, { odd: 1 }],
  ]
  for (const [what, values, kept, expected] of WRITTEN)
    test(`writes ${what}`, () => assert.deepEqual(read(values, kept), { configuration: expected, faults: [] }))

  test('a leader that is created with the shift has no id yet', () => {
    assert.deepEqual(read({ flow: 'coupled', leader: 'row-12' }, { odd: 1 }), {
      configuration: { odd: 1 },
      leaderRow: 12,
      faults: [],
    })
  })

  const before = (name: string, count: string, unit: string) => ({
    [`${name}_kind`]: 'before',
    [`${name}_count`]: count,
    [`${name}_unit`]: unit,
  })
  const FAULTS: [what: string, values: FormValues, expected: string[]][] = [
    ['20 companions', { bring: '20' }, []],
    ['21 companions', { bring: '21' }, ['bring: too_many_companions']],
    ['100 companions', { bring: '100' }, ['bring: too_many_companions']],
    ['companions that are no number', { bring: 'x' }, ['bring: not_a_number']],
    ['a count that is no number', before('until', 'x', 'days'), ['until_count: not_a_number']],
    ['a count without a unit', before('until', '3', 'months'), ['until_count: not_a_number']],
    ['a time that was not typed', { from_kind: 'at' }, ['from_at: missing']],
    ['a time that is none', { late_kind: 'at', late_at: 'soon' }, ['late_at: unreadable']],
    ['opening a day before closing', { ...before('from', '2', 'days'), ...before('until', '1', 'days') }, []],
    [
      'opening when it closes',
      { ...before('from', '24', 'hours'), ...before('until', '1', 'days') },
      ['from_kind: opens_after_closing'],
    ],
    ['opening at the start, when it closes', { from_kind: 'start' }, ['from_kind: opens_after_closing']],
    ['opening at the start, closing at the end', { from_kind: 'start', until_kind: 'end' }, []],
    [
      'opening after the end',
      { from_kind: 'at', from_at: '2031-06-01T15:00', until_kind: 'end' },
      ['from_kind: opens_after_closing'],
    ],
  ]
  for (const [what, values, expected] of FAULTS)
    test(`${expected.length ? 'refuses' : 'accepts'} ${what}`, () => assert.deepEqual(faultsOf(values), expected))

  for (const name of ['from', 'until', 'late'])
    test(`keeps what is stored while “${name}” is wrong`, () => {
      assert.deepEqual(read({ [`${name}_kind`]: 'at' }, { signup_until: 'P3D' }), {
        configuration: { signup_until: 'P3D' },
        faults: [{ field: `${name}_at`, code: 'missing' }],
      })
    })

  test('hours before the start are hours, also when the clocks change in between', () => {
    // Twelve hours before 10:00 is 21:00, because the clocks skip an hour in that night.
    const values = { ...before('from', '12', 'hours'), until_kind: 'at', until_at: '2031-03-29T21:30' }
    assert.deepEqual(faultsOf(values, {}, shiftOn('2031-03-30')), [])
    assert.deepEqual(faultsOf({ ...values, until_at: '2031-03-29T21:00' }, {}, shiftOn('2031-03-30')), [
      'from_kind: opens_after_closing',
    ])
  })

  test('relative deadlines are accepted while the times of the shift are missing', () => {
    const values = { ...newFlowValues(''), ...before('from', '2', 'days') }
    const { configuration, faults } = readFlow(values, '', { timeZone: BERLIN, times: undefined, kept: {}, leaders: new Set() })
    assert.deepEqual([configuration.signup_from, configuration.signup_until, faults], ['P2D', null, []])
  })
})
