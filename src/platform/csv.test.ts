import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatCsv } from './csv.ts'

const CASES: [what: string, text: string, cell: string][] = [
  ['a name', 'Ann', 'Ann'],
  ['nothing', '', ''],
  ['a formula', '=1+1', "'=1+1"],
  ['a command', "=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ['a plus', '+1+1', "'+1+1"],
  ['a phone number', '+49 40 123456', '+49 40 123456'],
  ['a phone number that would be read as a number', '+4940123456', "'+4940123456"],
  ['a sum with spaces', '+49 40 1+1', "'+49 40 1+1"],
  ['a phone number with a line break', '+49 40 1\n=1', '"\'+49 40 1\n=1"'],
  ['a minus', '-1', "'-1"],
  ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
  ['a tab', '\tx', '"\'\tx"'],
  ['a carriage return in front', '\r=1', '"\'\r=1"'],
  ['a line feed in front', '\n=1', '"\'\n=1"'],
  ['a space before a formula', ' =1', "' =1"],
  ['a no-break space before a formula', '\u00a0=1', "'\u00a0=1"],
  ['a full-width equals sign', '＝1', "'＝1"],
  ['a full-width plus', '＋1', "'＋1"],
  ['a full-width minus', '－1', "'－1"],
  ['a full-width at sign', '＠x', "'＠x"],
  ['a formula with quotes', '="a"', `"'=""a"""`],
  ['a comma', 'a, b', '"a, b"'],
  ['a semicolon', 'a; b', '"a; b"'],
  ['quotes', 'say "hi"', '"say ""hi"""'],
  ['a line break', 'one\ntwo', '"one\ntwo"'],
  ['a space at the end', 'Ann ', '"Ann "'],
  ['a minus inside', 'a-b', 'a-b'],
]
for (const [what, text, cell] of CASES)
  test(`formats a cell with ${what}`, () => assert.equal(formatCsv([[text]]), `\ufeff${cell}\r\n`))

test('separates cells as requested and ends every row with CRLF', () => {
  const rows = [
    ['a', 'b'],
    ['1', '2;3'],
  ]
  assert.equal(formatCsv(rows, ';'), '\ufeffa;b\r\n1;"2;3"\r\n')
  assert.equal(formatCsv(rows), '\ufeffa,b\r\n1,"2;3"\r\n')
})
