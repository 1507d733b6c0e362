import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUserCode, showUserCode } from './user-codes.ts'

const CASES: [typed: string, code: string | undefined][] = [
  ['WDJB-MJHT', 'WDJBMJHT'],
  ['wdjbmjht', 'WDJBMJHT'],
  [' wdjb – mjht ', 'WDJBMJHT'],
  ['WDJB-MJH', undefined],
  ['WDJB-MJHTT', undefined],
  ['WDJA-MJHT', undefined],
  ['WDJ1-MJHT', undefined],
  ['', undefined],
  ['WDJB_MJHT', undefined],
]
for (const [typed, code] of CASES) {
  test(`code of a device: “${typed}” is ${code ?? 'none'}`, () => assert.equal(readUserCode(typed), code))
}
test('code of a device: is shown in two groups', () => assert.equal(showUserCode('WDJBMJHT'), 'WDJB-MJHT'))
