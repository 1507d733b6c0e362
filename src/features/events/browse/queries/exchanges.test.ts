import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { exchangePath } from './exchanges.ts'

const keyring = makeKeyring('a key of thirty-two characters, or more')
const answerTo = (kind: 'stand_in' | 'swap') => `/offered/${makeOfferToken(keyring, { kind, id: 7, userId: 1, shiftId: 9 })}/`

for (const [what, path] of [
  ['sought', '/shifts/5/stand-in/'],
  ['out', '/shifts/5/swap/'],
  ['accepted', '/shifts/5/swap/'],
  ['asked', answerTo('stand_in')],
  ['in', answerTo('swap')],
] as const)
  test(`an exchange that is ${what} leads to ${path.split('/')[1]}`, () =>
    assert.equal(exchangePath(keyring, 1, 5, { what, id: 7, linkShift: 9, name: '' }), path))
