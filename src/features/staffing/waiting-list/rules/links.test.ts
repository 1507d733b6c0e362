import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatToken, type OfferLink, parseToken, textToSign } from './links.ts'

const SIGNATURE = 'a'.repeat(43)
for (const [kind, letter] of [
  ['waiting_list', 'w'],
  ['stand_in', 's'],
  ['swap', 'x'],
] as const) {
  test(`the token of a link of kind ${kind} starts with ${letter}`, () => {
    const link: OfferLink = { kind, id: 12, userId: 3, shiftId: 4 }
    const token = formatToken(link, SIGNATURE)
    assert.equal(token, `${letter}12.${SIGNATURE}`)
    assert.deepEqual(parseToken(token), { kind, id: 12 })
    assert.equal(textToSign(link), `answer to offer ${kind} 12 3 4`)
  })
}

for (const token of ['', `y12.${SIGNATURE}`, `w012.${SIGNATURE}`, `w12.${SIGNATURE}a`, `w.${SIGNATURE}`, `12.${SIGNATURE}`]) {
  test(`'${token}' is no token`, () => assert.equal(parseToken(token), undefined))
}
