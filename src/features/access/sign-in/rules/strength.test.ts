import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getStrength, type Strength } from './strength.ts'

const OWNER = { name: 'Ann Becker', email: 'ann@example.org' }
const CASES: [string, Strength][] = [
  ['', 'weak'],
  ['short', 'weak'],
  ['password2026', 'weak'],
  ['becker-ann', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['blue kettl', 'fair'],
  ['blue kettle', 'fair'],
  ['blue kettles', 'good'],
  ['seven quiet la', 'good'],
  ['seven quiet lamp', 'strong'],
  ['abcd efgh abcd ed', 'strong'],
  ['abcd efg abcd ed a', 'good'],
  ['noon noon moon soon', 'fair'],
  ['moon soon noon pool', 'good'],
]
for (const [password, strength] of CASES) {
  test(`“${password}” is ${strength}`, () => assert.equal(getStrength(password, OWNER), strength))
}
