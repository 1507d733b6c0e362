import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { readShiftBody, type ShiftBody } from './shift-body.ts'
import type { StoredShift } from './shift-form.ts'

const at = (time: string) => new Date(`2031-06-01T${time}:00Z`)
const STORED: StoredShift = {
  id: 3,
  ...shiftFields.defaults,
  label: 'Early',
  times: { meeting: at('07:30'), start: at('08:00'), end: at('12:00') },
  flowSlug: 'request_confirm',
  flowConfiguration: { signup_from: '2031-06-01T07:00:00Z', odd: 1 },
  structureSlug: 'uniform',
  structureConfiguration: { minimum_age: 16, odd: 2 },
  questions: [9],
}
const NEW: ShiftBody = { start_time: '2031-06-01T08:00:00Z', end_time: '2031-06-01T12:00:00Z' }
const read = (body: ShiftBody, stored?: StoredShift) =>
  readShiftBody(body, {
    timeZone: 'Europe/Berlin',
    stored,
    known: { qualifications: new Set([1]), blocks: new Set([4]), questions: new Set(Array(40).keys()) },
    leaders: new Set([7]),
    leaderRows: new Set([0]),
    newUuid: () => 'new',
  })
const faultsOf = (body: ShiftBody, stored?: StoredShift) =>
  read(body, stored).faults.map(({ field, code }) => `${field}: ${code}`)

describe('a shift from an API client', () => {
  test('a new one gets the defaults of the form', () => {
    assert.deepEqual(read({ ...NEW, label: ' Early ' }), {
      faults: [],
      leaderRow: undefined,
      given: { flow: true, structure: true },
      input: {
        ...shiftFields.defaults,
        label: 'Early',
        times: { meeting: at('08:00'), start: at('08:00'), end: at('12:00') },
        questions: [],
        flowSlug: 'request_confirm',
        flowConfiguration: {
          signup_until: null,
          user_can_decline_confirmed: false,
          user_can_customize_signup_times: true,
        },
        structureSlug: 'uniform',
        structureConfiguration: {
          minimum_age: null,
          minimum_number_of_participants: null,
          maximum_number_of_participants: null,
          required_qualification_ids: [],
        },
      },
    })
  })

  test('without keys a stored one stays as it is', () => {
    const { id: _id, ...input } = STORED
    assert.deepEqual(read({}, STORED), { faults: [], leaderRow: undefined, given: { flow: false, structure: false }, input })
  })

  const TIMES: [what: string, body: ShiftBody, stored: StoredShift | undefined, expected: string | undefined][] = [
    ['no end yet', { start_time: NEW.start_time }, undefined, undefined],
    ['no start yet', { end_time: NEW.end_time }, undefined, undefined],
    ['another start', { start_time: '2031-06-01T09:00:00Z' }, STORED, '07:30 09:00 12:00'],
    ['another end', { end_time: '2031-06-01T13:00:00Z' }, STORED, '07:30 08:00 13:00'],
    ['another meeting', { meeting_time: '2031-06-01T07:00:00Z' }, STORED, '07:00 08:00 12:00'],
    ['no meeting any more', { meeting_time: null }, STORED, '08:00 08:00 12:00'],
  ]
  for (const [what, body, stored, expected] of TIMES)
    test(`times: ${what}`, () => {
      const { times } = read(body, stored).input
      const printed = times && [times.meeting, times.start, times.end].map((one) => one.toISOString().slice(11, 16)).join(' ')
      assert.equal(printed, expected)
    })

  test('keys of a configuration are added to those that are stored', () => {
    const { input, given } = read({ signup_flow_configuration: { user_can_bring: 2 }, structure_configuration: {} }, STORED)
    assert.deepEqual(given, { flow: true, structure: true })
    const { odd, user_can_bring } = input.flowConfiguration
    assert.deepEqual([odd, user_can_bring], [1, 2])
    assert.equal(input.structureConfiguration.minimum_age, 16)
    assert.deepEqual(input.structureConfiguration.required_qualification_ids, [])
  })

  test('another flow or structure does not keep the configuration of the former one', () => {
    const { input, given } = read({ signup_flow_slug: 'manual', structure_slug: 'qualification_mix' }, STORED)
    assert.deepEqual(given, { flow: true, structure: true })
    assert.deepEqual(input.flowConfiguration, { no_selfservice_explanation: '' })
    assert.deepEqual(input.structureConfiguration, { minimum_age: null })
  })

  test('a leader that is created with the shift is not stored by its row', () => {
    const coupled = { ...NEW, signup_flow_slug: 'coupled' }
    const { input, leaderRow } = read({ ...coupled, signup_flow_configuration: { leader_shift_index: 0 } })
    assert.deepEqual([leaderRow, input.flowConfiguration], [0, {}])
    assert.equal(read({ ...coupled, signup_flow_configuration: { leader_shift_index: 'x' } }).leaderRow, undefined)
  })

  test('questions are sorted and asked once', () => {
    assert.deepEqual(read({ ...NEW, questions: [10, 2, 10] }).input.questions, [2, 10])
  })

  const ids = (count: number) => [...Array(count).keys()]
  const FAULTS: [what: string, body: ShiftBody, stored: StoredShift | undefined, expected: string[]][] = [
    [
      'times in the wrong order',
      { meeting_time: '2031-06-01T09:00:00Z', end_time: '2031-06-01T08:00:00Z' },
      STORED,
      ['meeting_time: meeting_after_start', 'end_time: end_before_start'],
    ],
    [
      'years that the form refuses',
      { start_time: '1800-01-01T08:00:00Z', end_time: '1800-01-01T09:00:00Z' },
      undefined,
      ['meeting_time: unreadable', 'start_time: unreadable', 'end_time: unreadable'],
    ],
    ['a long label', { ...NEW, label: 'x'.repeat(256) }, undefined, ['label: too_long']],
    [
      'unknown flow and structure',
      { ...NEW, signup_flow_slug: 'raffle', structure_slug: 'circus' },
      undefined,
      ['signup_flow_slug: unknown_flow', 'structure_slug: unknown_structure'],
    ],
    [
      'a deadline that is none',
      { ...NEW, signup_flow_configuration: { signup_until: 'soon' } },
      undefined,
      ['signup_flow_configuration/signup_until: unreadable'],
    ],
    [
      'new times that contradict a stored deadline',
      { start_time: '2031-06-01T05:00:00Z', end_time: '2031-06-01T06:00:00Z', meeting_time: null },
      STORED,
      ['signup_flow_configuration/signup_from: opens_after_closing'],
    ],
    [
      'a stored deadline that was unreadable before',
      { label: 'Late' },
      { ...STORED, flowConfiguration: { signup_until: 'soon' } },
      [],
    ],
    [
      'a stored leader that does not lead any more',
      { label: 'Late' },
      { ...STORED, flowSlug: 'coupled', flowConfiguration: { leader_shift_id: 8 } },
      [],
    ],
    ['no leader', { ...NEW, signup_flow_slug: 'coupled' }, undefined, ['signup_flow_configuration/leader_shift_id: no_leader']],
    ['teams without a team', { structure_slug: 'named_teams' }, STORED, ['structure_configuration/teams: no_team']],
    [
      'a stored structure that was wrong before',
      { label: 'Late' },
      { ...STORED, structureConfiguration: { minimum_age: 5000 } },
      [],
    ],
    ['a question that does not exist', { ...NEW, questions: [1, 99] }, undefined, ['questions/1: unknown_question']],
    ['a question that is not offered any more and that the shift has', { questions: [99] }, { ...STORED, questions: [99] }, []],
    ['30 questions', { ...NEW, questions: [...ids(30), 0] }, undefined, []],
    ['31 questions', { ...NEW, questions: ids(31) }, undefined, ['questions: too_many_questions']],
  ]
  for (const [what, body, stored, expected] of FAULTS)
    test(`${expected.length ? 'refuses' : 'accepts'} ${what}`, () => assert.deepEqual(faultsOf(body, stored), expected))
})
