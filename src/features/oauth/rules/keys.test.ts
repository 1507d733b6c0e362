import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeKeys, type KeyTimes } from './keys.ts'

const DAY = 24 * 3600 * 1000
const NOW = new Date('2031-05-01T00:00:00Z')
const ago = (days: number) => new Date(NOW.getTime() - days * DAY)
const key = (kid: string, made: number, retired?: number): KeyTimes => ({
  kid,
  createdAt: ago(made),
  retiredAt: retired === undefined ? null : ago(retired),
})

const CASES: [what: string, keys: KeyTimes[], verdict: ReturnType<typeof judgeKeys>][] = [
  ['none: makes the first', [], { mustMake: true, retire: [], forget: [], inOrder: [] }],
  ['the first signs at once', [key('a', 0)], { mustMake: false, retire: [], forget: [], inOrder: ['a'] }],
  ['one of 88 days stays alone', [key('a', 88)], { mustMake: false, retire: [], forget: [], inOrder: ['a'] }],
  ['one of 89 days gets a successor', [key('a', 89)], { mustMake: true, retire: [], forget: [], inOrder: ['a'] }],
  [
    'a successor is shown for a day first',
    [key('a', 89.5), key('b', 0.5)],
    { mustMake: false, retire: [], forget: [], inOrder: ['a', 'b'] },
  ],
  [
    'then it signs, and the old one retires',
    [key('a', 90), key('b', 1)],
    { mustMake: false, retire: ['a'], forget: [], inOrder: ['b', 'a'] },
  ],
  [
    'a retired one is still shown',
    [key('a', 103, 13), key('b', 14)],
    { mustMake: false, retire: [], forget: [], inOrder: ['b', 'a'] },
  ],
  [
    'after a fortnight it is forgotten',
    [key('a', 104, 14), key('b', 15)],
    { mustMake: false, retire: [], forget: ['a'], inOrder: ['b'] },
  ],
  ['only retired ones: makes a new one', [key('a', 50, 1)], { mustMake: true, retire: [], forget: [], inOrder: ['a'] }],
]

for (const [what, keys, verdict] of CASES) test(`signing keys: ${what}`, () => assert.deepEqual(judgeKeys(keys, NOW), verdict))
