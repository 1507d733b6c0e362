import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CELLS, guessColumns, readHeadings } from './columns.ts'
import { readDeadline } from './deadline.ts'
import { isEmptyRow, readPasted } from './paste.ts'

const reading = { from: '2026-10-18' }
const paste = (text: string, maxRows = 300) => readPasted(text, reading, maxRows)
const rowsOf = (text: string) => {
  const read = paste(text)
  assert.ok(read.ok)
  return read.rows
}

describe('headings of pasted columns', () => {
  const CASES: [cells: string[], uses: string[] | undefined][] = [
    [
      ['Datum', 'Beginn', 'Ende', 'Schicht', 'Personen'],
      ['date', 'start', 'end', 'label', 'people'],
    ],
    [
      ['Date', 'From', 'To', 'Task', 'Min.', 'Max.'],
      ['date', 'start', 'end', 'label', 'min', 'max'],
    ],
    [
      ['Tag', 'Uhrzeit', 'Aufgabe', 'Helfer'],
      ['date', 'span', 'label', 'people'],
    ],
    [
      ['Date', 'Meet', 'Start', 'End', 'Sign-up', 'Sign-up until'],
      ['date', 'meeting', 'start', 'end', 'flow', 'until'],
    ],
    [
      ['Datum', 'Treffpunkt', 'von', 'bis', 'Anmeldung', 'Anmeldeschluss', 'Bemerkung'],
      ['date', 'meeting', 'start', 'end', 'flow', 'until', ''],
    ],
    [
      ['Date', 'Day', 'Start'],
      ['date', '', 'start'],
    ],
    [['14.11.2026', '8', '12', 'Bar'], undefined],
    [['Bar', 'x', 'y', 'z', 'Datum'], undefined],
  ]
  for (const [cells, uses] of CASES) test(cells.join(' | '), () => assert.deepEqual(readHeadings(cells), uses))
})

describe('columns without headings', () => {
  const CASES: [rows: string[][], uses: string[]][] = [
    [[['Sa 14.11.', '8:00', '12:00', 'Bar', '3']], ['date', 'start', 'end', 'label', 'people']],
    [[['14 Nov', '8', '12', 'Bar', '3']], ['date', 'start', 'end', 'label', 'people']],
    [[['14.11.2026', '7:30', '8:00', '12:00', 'Bar', '3', '5']], ['date', 'meeting', 'start', 'end', 'label', 'min', 'max']],
    [[['Entrance of the hall', '14.11.2026', '8–12', '4', 'x']], ['label', 'date', 'span', 'people', '']],
  ]
  for (const [rows, uses] of CASES) test(rows[0]!.join(' | '), () => assert.deepEqual(guessColumns(rows, reading), uses))
})

describe('pasted rows', () => {
  test('of a spreadsheet have tabs, and commas inside of cells', () => {
    assert.deepEqual(rowsOf('Datum\tvon\tbis\tSchicht\tHelfer\nSa 14.11.\t8\t12\tBar, links\t3\n\t12\t16\tBar, rechts\t2–4\n'), [
      { date: 'Sa 14.11.', start: '8', end: '12', label: 'Bar, links', min: '3', max: '3' },
      { date: 'Sa 14.11.', start: '12', end: '16', label: 'Bar, rechts', min: '2', max: '4' },
    ])
  })
  test('of CSV have semicolons and quotes', () => {
    assert.deepEqual(rowsOf('Date;Time;Task;Sign-up\r\n14 Nov;20:00-02:00;"Bar; ""late"""\r\n15 Nov;x;Door;instant'), [
      { date: '14 Nov', start: '20:00', end: '02:00', label: 'Bar; "late"' },
      { date: '15 Nov', start: 'x', label: 'Door', flow: 'instant_confirmation' },
    ])
  })
  test('keep a way to sign up that is unknown', () => {
    assert.deepEqual(rowsOf('Datum\tAnmeldung\n1.12.\tper Telefon'), [{ date: '1.12.', flow: 'per Telefon' }])
    for (const [text, slug] of [
      ['auf Anfrage', 'request_confirm'],
      ['sofort', 'instant_confirmation'],
      ['manual', 'manual'],
    ] as const)
      assert.equal(rowsOf(`Datum\tAnmeldung\n1.12.\t${text}`)[0]!.flow, slug)
  })
  test('say which columns were left out, and the order of dates with slashes', () => {
    const read = paste('Date\tStart\tNotes\n3/4/2027\t8\tx\n3/24/2027\t8\ty')
    assert.ok(read.ok)
    assert.deepEqual(read.left, ['Notes'])
    assert.equal(read.order, 'mdy')
  })
  test('in one line of a cell', () => assert.equal(rowsOf('Date\tTask\n14 Nov\t"a\nb"')[0]!.label, 'a b'))
  test('are refused if there are none or too many', () => {
    assert.deepEqual(paste(' \n'), { ok: false, reason: 'empty' })
    assert.deepEqual(paste('Date\tStart\tEnd'), { ok: false, reason: 'empty' })
    assert.deepEqual(paste('Date;"Start'), { ok: false, reason: 'unclosed_quote' })
    assert.equal(paste('Date\n14 Nov\n15 Nov', 3).ok, true)
    assert.deepEqual(paste('Date\n14 Nov\n15 Nov\n16 Nov', 3), { ok: false, reason: 'too_long' })
  })
  test('are empty if no cell has a text', () => {
    assert.equal(isEmptyRow({ date: ' ', label: '' }), true)
    for (const cell of CELLS) assert.equal(isEmptyRow({ [cell]: 'x' }), false, cell)
  })
})

describe('when sign-up closes', () => {
  const CASES: [text: string, deadline: unknown][] = [
    ['start', { kind: 'start' }],
    ['Beginn', { kind: 'start' }],
    ['Ende', { kind: 'end' }],
    ['…', { kind: 'keep' }],
    ['2 Tage vorher', { kind: 'before', count: 2, unit: 'days' }],
    ['1 week before', { kind: 'before', count: 1, unit: 'weeks' }],
    ['12h', { kind: 'before', count: 12, unit: 'hours' }],
    ['3 Std. vor Beginn', { kind: 'before', count: 3, unit: 'hours' }],
    ['13.11.2026 18:00', { kind: 'at', at: '2026-11-13T18:00' }],
    ['13 Nov, 6 pm', { kind: 'at', at: '2026-11-13T18:00' }],
    ['2026-11-13T18:00', { kind: 'at', at: '2026-11-13T18:00' }],
    ['13.11.', { kind: 'at', at: '2026-11-13T23:59' }],
    ['13.11. 24:00', undefined],
    ['2 Monate vorher', undefined],
    ['soon', undefined],
    ['', undefined],
  ]
  for (const [text, deadline] of CASES) test(text || 'empty', () => assert.deepEqual(readDeadline(text, reading), deadline))
})
