import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KeyTimes, planKeyRotation } from './key-rotation.ts'

const DAY = 24 * 3600 * 1000
const NOW = new Date('2031-05-01T00:00:00Z')
const ago = (days: number) => new Date(NOW.getTime() - days * DAY)
const key = (kid: string, made: number, retired?: number): KeyTimes => ({
  kid,
  createdAt: ago(made),
  retiredAt: retired === undefined ? null : ago(retired),
})

const CASES: [what: string, keys: KeyTimes[], verdict: ReturnType<typeof planKeyRotation>][] = [
  ['no keys: creates the first', [], { mustMake: true, retire: [], remove: [], inOrder: [] }],
  ['the first key signs immediately', [key('a', 0)], { mustMake: false, retire: [], remove: [], inOrder: ['a'] }],
  ['a key of 88 days needs no successor', [key('a', 88)], { mustMake: false, retire: [], remove: [], inOrder: ['a'] }],
  ['a key of 89 days gets a successor', [key('a', 89)], { mustMake: true, retire: [], remove: [], inOrder: ['a'] }],
  [
    'a successor is published for a day before it signs',
    [key('a', 89.5), key('b', 0.5)],
    { mustMake: false, retire: [], remove: [], inOrder: ['a', 'b'] },
  ],
  [
    'then it signs, and the old key is retired',
    [key('a', 90), key('b', 1)],
    { mustMake: false, retire: ['a'], remove: [], inOrder: ['b', 'a'] },
  ],
  [
    'a retired key is still published',
    [key('a', 103, 13), key('b', 14)],
    { mustMake: false, retire: [], remove: [], inOrder: ['b', 'a'] },
  ],
  [
    'after two weeks it is removed',
    [key('a', 104, 14), key('b', 15)],
    { mustMake: false, retire: [], remove: ['a'], inOrder: ['b'] },
  ],
  ['only retired keys: creates a new one', [key('a', 50, 1)], { mustMake: true, retire: [], remove: [], inOrder: ['a'] }],
]

for (const [what, keys, verdict] of CASES)
  test(`signing keys: ${what}`, () => assert.deepEqual(planKeyRotation(keys, NOW), verdict))
