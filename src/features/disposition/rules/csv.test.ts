import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvOf } from './csv.ts'

const CASES: [what: string, value: string, cell: string][] = [
  ['a name', 'Ann', 'Ann'],
  ['a formula', '=1+1', "'=1+1"],
  ['a command', "=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['a plus', '+49 40', "'+49 40"],
  ['a minus', '-1', "'-1"],
  ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
  ['a tab', '\tx', '"\'\tx"'],
  ['a line break in front', '\r=1', '"\'\r=1"'],
  ['a space before a formula', ' =1', "' =1"],
  ['a wide equals sign', '＝1', "'＝1"],
  ['a comma', 'a, b', '"a, b"'],
  ['quotes', 'say "hi"', '"say ""hi"""'],
  ['a minus inside', 'a-b', 'a-b'],
]
for (const [what, value, cell] of CASES)
  test(`a cell with ${what} is harmless`, () => assert.equal(csvOf([[value]]), `\ufeff${cell}\r\n`))

test('rows end as spreadsheet programs want it, with the separator of the reader', () => {
  assert.equal(
    csvOf(
      [
        ['a', 'b'],
        ['1', '2;3'],
      ],
      ';',
    ),
    '\ufeffa;b\r\n1;"2;3"\r\n',
  )
})
