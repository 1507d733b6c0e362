import '#app'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { input, times } from '#test/support/shift-input.ts'
import { partsOf, printCells } from './cells.ts'
import type { CellTexts } from './columns.ts'
import { planRows } from './plan.ts'
import { emptyRow, readRows, type TableRow, versionOf, writeRows } from './rows.ts'
import { applyTableStep, type Step } from './steps.ts'
import { findWarnings } from './summary.ts'

const ZONE = 'Europe/Berlin'
const words = wordsFor('de', ZONE)
const reading = { from: '2031-05-01' }
const until = '2031-06-01T08:00:00+02:00'
const shift = (id: number, more: Parameters<typeof input>[0] = {}): PlannedShift => ({
  ...input({
    label: `Bar ${id}`,
    flowConfiguration: { signup_until: until, other: 1 },
    structureConfiguration: { minimum_number_of_participants: 1, maximum_number_of_participants: 2 },
    ...more,
  }),
  id,
  eventId: 1,
  confirmed: 0,
  requested: 0,
})
const rowOf = (of: PlannedShift, texts: CellTexts = {}, row = 0): TableRow => {
  const printed = printCells(words, of)
  return { ...emptyRow(), row, id: of.id, seen: versionOf(partsOf(of, ZONE)), ...printed, texts: { ...printed.texts, ...texts } }
}
const newRow = (texts: CellTexts, row = 0): TableRow => ({ ...emptyRow(texts), row })
const plan = (rows: TableRow[], shifts: PlannedShift[] = [], pattern?: PlannedShift) =>
  planRows(rows, { shifts, pattern, timeZone: ZONE, reading, newUuid: () => 'new', print: (of) => printCells(words, of) })
const changeOf = (of: PlannedShift, texts: CellTexts) => {
  const { changed, faults } = plan([rowOf(of, texts)], [of])
  assert.deepEqual(faults, [])
  return changed[0]!
}
const iso = (at: Date) => at.toISOString()

describe('a row of a stored shift', () => {
  test('changes nothing if nothing was typed, whatever the shift stores', () => {
    const shifts = [
      shift(1),
      shift(2, { flowSlug: 'manual', flowConfiguration: {} }),
      shift(3, { structureSlug: 'named_teams', structureConfiguration: { teams: [{ title: 'A', uuid: 'u' }] } }),
      shift(4, { flowConfiguration: { signup_until: 'P2D' } }),
      shift(5, { flowConfiguration: { signup_until: 'P1DT3H' } }),
      shift(6, { times: times('2031-06-01T08:00:30+02:00', '2031-06-03T12:00+02:00', '2031-05-31T20:00+02:00') }),
      shift(7, { times: times('2031-10-26T02:30+02:00', '2031-10-26T02:30+01:00') }),
      shift(8, { flowConfiguration: {} }),
      shift(9, { flowSlug: 'coupled', flowConfiguration: { leader_shift_id: 1 } }),
      shift(10, { flowConfiguration: { signup_until: '2031-05-30T18:00:00+02:00' } }),
    ]
    const result = plan(
      shifts.map((each, row) => rowOf(each, {}, row)),
      shifts,
    )
    assert.deepEqual(result, { created: [], changed: [], removed: [], faults: [], conflicts: [] })
  })
  test('changes its title alone', () => {
    const of = shift(1)
    const { input: after, parts } = changeOf(of, { label: 'Door' })
    const { id: _id, eventId: _event, confirmed: _confirmed, requested: _requested, ...stored } = of
    assert.deepEqual(after, { ...stored, label: 'Door' })
    assert.deepEqual(parts, ['label'])
  })
  test('changes its times, over midnight and with sign-up that closes at the start', () => {
    const { input: after } = changeOf(shift(1), { date: 'Mo 2.6.', start: '20', end: '2 Uhr', meeting: '19:30' })
    assert.deepEqual(Object.values(after.times).map(iso), [
      '2031-06-02T17:30:00.000Z',
      '2031-06-02T18:00:00.000Z',
      '2031-06-03T00:00:00.000Z',
    ])
    assert.equal(Date.parse(String(after.flowConfiguration.signup_until)), +after.times.start)
    assert.equal(after.flowConfiguration.other, 1)
  })
  test('ends at 24:00, or on a day that is named', () => {
    assert.equal(iso(changeOf(shift(1), { end: '24:00' }).input.times.end), '2031-06-01T22:00:00.000Z')
    assert.equal(iso(changeOf(shift(1), { end: '3.6. 10:00' }).input.times.end), '2031-06-03T08:00:00.000Z')
    assert.equal(iso(changeOf(shift(1), { end: '2.6. 24:00' }).input.times.end), '2031-06-02T22:00:00.000Z')
  })
  test('changes the number of people, also to none', () => {
    const after = changeOf(shift(1), { min: '3', max: '' }).input
    assert.deepEqual(after.structureConfiguration.minimum_number_of_participants, 3)
    assert.deepEqual(after.structureConfiguration.maximum_number_of_participants, null)
    assert.deepEqual(after.flowConfiguration, shift(1).flowConfiguration)
  })
  test('changes how people sign up and until when', () => {
    assert.equal(changeOf(shift(1), { until: '2 Tage vorher' }).input.flowConfiguration.signup_until, 'P2D')
    assert.equal(changeOf(shift(1), { until: 'Ende' }).input.flowConfiguration.signup_until, null)
    assert.equal(changeOf(shift(1), { flow: 'request_confirm' }).input.flowSlug, 'request_confirm')
    assert.equal(changeOf(shift(1), { flow: 'manual' }).input.flowSlug, 'manual')
  })
  const FAULTS: [texts: CellTexts, faults: string[]][] = [
    [{ date: '' }, ['date missing']],
    [{ date: '31.2.' }, ['date not_a_date']],
    [{ date: 'Fr 1.6.2031' }, ['date wrong_weekday']],
    [{ start: 'früh' }, ['start not_a_time']],
    [{ start: '24:00' }, ['start not_a_time']],
    [{ end: '' }, ['end missing']],
    [{ end: '31.5. 10:00' }, ['end end_before_start']],
    [{ meeting: '9:00' }, ['meeting meeting_after_start']],
    [{ label: 'x'.repeat(256) }, ['label too_long']],
    [{ min: 'a' }, ['min not_a_number']],
    [{ min: '3', max: '2' }, ['max min_above_max']],
    [{ flow: 'per Telefon' }, ['flow unknown_flow']],
    [{ until: 'bald' }, ['until not_a_deadline']],
    [{ date: '30.3.2031', start: '2:30', end: '5' }, ['start skipped']],
    [{ date: '26.10.2031', start: '2:30', end: '5' }, ['start ambiguous']],
    [{ date: 'x', start: 'y', min: 'z' }, ['date not_a_date', 'start not_a_time', 'min not_a_number']],
  ]
  for (const [texts, expected] of FAULTS)
    test(`has an error for ${JSON.stringify(texts).slice(0, 60)}`, () => {
      const { faults, changed } = plan([rowOf(shift(1), texts, 7)], [shift(1)])
      assert.deepEqual(
        faults.map(({ row, cell, code }) => `${row} ${cell} ${code}`),
        expected.map((fault) => `7 ${fault}`),
      )
      assert.deepEqual(changed, [])
    })
  test('is deleted if it is marked', () => {
    assert.deepEqual(
      plan([{ ...rowOf(shift(1), { date: 'x' }), isGone: true }], [shift(1)]).removed.map(({ shift: { id } }) => id),
      [1],
    )
    assert.deepEqual(plan([{ ...rowOf(shift(1)), isGone: true }], []).conflicts, [])
  })
})

describe('a row of a shift that somebody else changed meanwhile', () => {
  const seen = shift(1)
  const merged = (now: PlannedShift, texts: CellTexts) => plan([rowOf(seen, texts)], [now])
  test('keeps what the other one changed, if it was not touched', () => {
    const now = shift(1, { label: 'Door' })
    const { changed, conflicts } = merged(now, { min: '2' })
    assert.deepEqual(conflicts, [])
    assert.equal(changed[0]!.input.label, 'Door')
    assert.equal(changed[0]!.input.structureConfiguration.minimum_number_of_participants, 2)
    assert.deepEqual(merged(now, {}).changed, [])
  })
  test('is a conflict, if both changed the same part', () => {
    const now = shift(1, { label: 'Door', times: times('2031-06-01T09:00+02:00', '2031-06-01T12:00+02:00') })
    assert.deepEqual(merged(now, { end: '13' }).conflicts, [{ row: 0, parts: ['times'], current: now }])
    assert.deepEqual(merged(now, { label: 'Gate', end: '13' }).conflicts[0]!.parts, ['times', 'label'])
    assert.deepEqual(merged(now, { label: 'Door' }).conflicts, [])
  })
  test('is a conflict, if it was deleted and the row was changed', () => {
    assert.deepEqual(plan([rowOf(seen, { label: 'Gate' })], []).conflicts, [{ row: 0, parts: [], current: undefined }])
    assert.deepEqual(plan([rowOf(seen, { end: 'x' })], []).conflicts, [{ row: 0, parts: [], current: undefined }])
    assert.deepEqual(plan([rowOf(seen)], []).conflicts, [])
  })
})

describe('a new row', () => {
  const texts = { date: '7.6.', start: '8', end: '12' }
  test('is a new shift with the usual rules', () => {
    const [made] = plan([newRow({ ...texts, label: ' Bar ', min: '2', max: '3' })]).created
    assert.equal(made!.input.label, 'Bar')
    assert.equal(made!.input.flowSlug, 'request_confirm')
    assert.equal(iso(made!.input.times.start), '2031-06-07T06:00:00.000Z')
    assert.equal(Date.parse(String(made!.input.flowConfiguration.signup_until)), +made!.input.times.start)
    assert.equal(made!.input.structureConfiguration.minimum_number_of_participants, 2)
  })
  test('takes from its pattern what it does not say', () => {
    const pattern = shift(1, {
      questions: [5],
      structureSlug: 'named_teams',
      structureConfiguration: { teams: [{ title: 'A', uuid: 'old', min_count: 1 }] },
    })
    const [made] = plan([newRow(texts)], [pattern], pattern).created
    assert.equal(made!.input.label, '')
    assert.equal(made!.input.flowSlug, 'instant_confirmation')
    assert.deepEqual(made!.input.questions, [5])
    assert.match(JSON.stringify(made!.input.structureConfiguration.teams), /"uuid":"new"/)
    const [counted] = plan([newRow({ ...texts, min: '2' })], [pattern], pattern).created
    assert.equal(counted!.input.structureSlug, 'uniform')
  })
  test('is ignored if it is empty', () => assert.deepEqual(plan([newRow({ label: ' ' })]).faults, []))
  test('needs day and times', () =>
    assert.deepEqual(
      plan([newRow({ label: 'Bar' })]).faults.map(({ cell, code }) => `${cell} ${code}`),
      ['date missing', 'start missing', 'end missing'],
    ))
})

describe('warnings about new rows', () => {
  const now = new Date('2031-06-01T00:00Z')
  const rows = [
    { date: '7.6.', start: '8', end: '12', label: 'bar', min: '1' },
    { date: '7.6.', start: '8', end: '12', label: 'Bar', min: '1' },
    { date: '30.5.2031', start: '8', end: '12', label: 'old', min: '1' },
    { date: '7.6.', start: '8', end: '22', label: 'fourteen hours', max: '1' },
    { date: '7.6.', start: '8', end: '22:01', label: 'more', max: '1' },
    { date: '7.6.', start: '8', end: '12', label: 'no number' },
  ]
  test('name doubles, past, long and open ones', () => {
    const made = plan(rows.map((texts, row) => newRow(texts, row)))
    assert.deepEqual(findWarnings(made, [], now), { double: [1], past: [2], long: [4], open: [5] })
    const stored = [{ label: 'Bar', times: made.created[0]!.input.times }]
    assert.deepEqual(findWarnings(made, stored, now).double, [0, 1])
  })
})

describe('a step', () => {
  const step = (rows: TableRow[], name: Step, more: Record<string, string> = {}) => {
    const stepped = applyTableStep({ ...writeRows(rows), ...more }, name, { words, reading })
    return { ...stepped, rows: readRows(stepped.values) }
  }
  const picked = (row: TableRow): TableRow => ({ ...row, isPicked: true })
  const three = [
    picked(newRow({ date: '7.6.2031', meeting: '7:30', start: '8', end: '12', label: 'A', min: '1', max: '2' }, 0)),
    newRow({ date: '7.6.2031', start: '12', end: '16', label: 'B' }, 1),
    picked(newRow({ date: '7.6.2031', start: '22', end: '24:00', label: 'C' }, 2)),
  ]
  const textsOf = (rows: TableRow[]) => rows.map(({ texts }) => texts)

  test('moves the times of chosen rows', () => {
    const { rows } = step(three, 'change', { by_count: '90', by_unit: 'minutes', by_sign: 'later' })
    assert.deepEqual(
      textsOf(rows).map(({ date, meeting, start, end }) => [date, meeting, start, end]),
      [
        ['07.06.2031', '09:00', '09:30', '13:30'],
        ['7.6.2031', undefined, '12', '16'],
        ['07.06.2031', undefined, '23:30', '01:30'],
      ],
    )
    const earlier = step(three, 'change', { by_count: '1', by_unit: 'days', by_sign: 'earlier' }).rows
    assert.deepEqual(
      textsOf(earlier).map(({ date }) => date),
      ['06.06.2031', '7.6.2031', '06.06.2031'],
    )
  })
  test('sets numbers and rules of chosen rows, and leaves what is empty', () => {
    const { rows, values } = step(three, 'change', { set_max: '9', set_flow: 'manual', set_until: 'Ende' })
    assert.deepEqual(textsOf(rows)[0], { ...three[0]!.texts, max: '9', flow: 'manual', until: 'Ende' })
    assert.deepEqual(textsOf(rows)[1], three[1]!.texts)
    assert.equal(values.set_max, '')
  })
  test('leaves chosen rows that are empty or will be deleted, and does not count them', () => {
    const gone = { ...picked(rowOf(shift(1), {}, 3)), isGone: true }
    const all = [...three, gone, picked(newRow({}, 4))]
    const { rows, note } = step(all, 'change', { set_max: '9' })
    assert.deepEqual([textsOf(rows).at(-2)!.max, textsOf(rows).at(-1)], [gone.texts.max, {}])
    assert.match(note!.text, /^2 /)
    assert.equal(step([gone, picked(newRow({}, 4))], 'change', { set_max: '9' }).note?.kind, 'bad')
    assert.equal(step(all, 'copy').rows.length, 7)
  })
  test('fills a column down from the first chosen row', () => {
    const { rows } = step(three, 'fill', { column: 'min' })
    assert.deepEqual(
      textsOf(rows).map(({ min }) => min),
      ['1', undefined, '1'],
    )
  })
  test('copies chosen rows and moves the copies', () => {
    const { rows } = step([...three, newRow({}, 3)], 'copy', { by_count: '1', by_unit: 'days', by_sign: 'later' })
    assert.deepEqual(
      rows.map(({ texts: { label, date }, isPicked, id }) => [label, date, isPicked, id]),
      [
        ['A', '7.6.2031', false, undefined],
        ['B', '7.6.2031', false, undefined],
        ['C', '7.6.2031', false, undefined],
        ['A', '08.06.2031', true, undefined],
        ['C', '08.06.2031', true, undefined],
      ],
    )
  })
  test('removes new rows, and marks stored ones', () => {
    const rows = [picked(rowOf(shift(1), {}, 0)), ...three.map((row, index) => ({ ...row, row: index + 1 }))]
    const removed = step(rows, 'remove')
    assert.deepEqual(
      removed.rows.map(({ id, isGone, texts: { label } }) => [id, isGone, label]),
      [
        [1, true, 'Bar 1'],
        [undefined, false, 'B'],
      ],
    )
    const kept = step([{ ...picked(rowOf(shift(1))), isGone: true }], 'restore').rows
    assert.deepEqual(
      kept.map(({ isGone }) => isGone),
      [false],
    )
  })
  test('adds rows of a spreadsheet in place of empty ones', () => {
    const { rows, values, note } = step([three[0]!, newRow({}, 1)], 'paste', { paste: 'Datum\tvon\n8.6.\t9' })
    assert.deepEqual(textsOf(rows), [three[0]!.texts, { date: '8.6.', start: '9' }])
    assert.equal(values.paste, '')
    assert.equal(note?.kind, 'good')
  })
  test('keeps a text that cannot be read', () => {
    const { values, note } = step([], 'paste', { paste: '"x' })
    assert.equal(values.paste, '"x')
    assert.equal(note?.kind, 'bad')
  })
  test('needs chosen rows and a whole number', () => {
    assert.equal(step([three[1]!], 'remove').note?.kind, 'bad')
    const { note, rows } = step(three, 'change', { by_count: '1.5', set_max: '7' })
    assert.equal(note?.kind, 'bad')
    assert.deepEqual(textsOf(rows), textsOf(three))
  })
  test('adds five empty rows', () => assert.equal(step([three[1]!], 'add').rows.length, 6))
})
