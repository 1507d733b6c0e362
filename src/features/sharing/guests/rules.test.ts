import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import {
  formerMailedPath,
  guestIdIn,
  guestLinks,
  MAX_UNPROVED_GUESTS,
  mailCode,
  mailedPath,
  makeMailToken,
  registrationPath,
  whyClosed,
} from './rules.ts'

const NOW = new Date('2030-01-10T12:00:00Z')

describe('a registration link', () => {
  const OPEN = { isLinkActive: true, isPublished: true, isDeleted: false, isCancelled: false, end: null }
  const CASES: [what: string, share: Parameters<typeof whyClosed>[0], expected: string | undefined][] = [
    ['works', OPEN, undefined],
    ['works until the end', { ...OPEN, end: NOW }, undefined],
    ['of a past event', { ...OPEN, end: new Date(NOW.getTime() - 1) }, 'over'],
    ['that does not exist', undefined, 'unknown'],
    ['of a deleted event', { ...OPEN, isDeleted: true, isLinkActive: false }, 'unknown'],
    ['that is switched off', { ...OPEN, isLinkActive: false, isPublished: false }, 'off'],
    ['of a draft', { ...OPEN, isPublished: false, isCancelled: true }, 'draft'],
    ['of a cancelled event', { ...OPEN, isCancelled: true }, 'cancelled'],
  ]
  for (const [what, share, expected] of CASES) test(what, () => assert.equal(whyClosed(share, NOW), expected))
})

test('the code in mails belongs to one address, in any case of letters', () => {
  const keyring = { fingerprint: (text: string) => createHash('sha256').update(text).digest() }
  const code = mailCode(keyring, { id: 1, email: 'a@example.org' })
  assert.match(code, /^[\w-]{22}$/)
  assert.equal(mailCode(keyring, { id: 1, email: 'A@Example.org' }), code)
  assert.notEqual(mailCode(keyring, { id: 1, email: 'b@example.org' }), code)
  assert.notEqual(mailCode(keyring, { id: 2, email: 'a@example.org' }), code)
})

test('the token in mails names the guest and belongs to one address, in any case of letters', () => {
  const keyring = { fingerprint: (text: string) => createHash('sha256').update(text).digest() }
  const token = makeMailToken(keyring, { id: 17, email: 'a@example.org' })
  assert.match(token, /^17-[\w-]{43}$/)
  assert.equal(guestIdIn(token), 17)
  assert.equal(makeMailToken(keyring, { id: 17, email: 'A@Example.org' }), token)
  assert.notEqual(makeMailToken(keyring, { id: 17, email: 'b@example.org' }), token)
  assert.notEqual(makeMailToken(keyring, { id: 18, email: 'a@example.org' }).slice(3), token.slice(3))
  for (const wrong of ['', '17', `0-${'x'.repeat(43)}`, `${token}x`, token.slice(0, -1), `-${token}`])
    assert.equal(guestIdIn(wrong), undefined, wrong)
})

test('paths contain the token', () => {
  assert.equal(registrationPath(7, 'a/b'), '/guests/register/7/a%2Fb/')
  assert.equal(mailedPath('t'), '/guests/mail/t/')
  assert.equal(formerMailedPath('t', 'c'), '/guests/t/mail/c/')
  const links = guestLinks('t')
  assert.deepEqual(
    [links.event(1, 'Party'), links.signup(2), links.decline(2), links.undo(2)],
    ['/guests/t/', '/guests/t/shifts/2/signup/', '/guests/t/shifts/2/decline/', '/guests/t/shifts/2/undo/'],
  )
})

test('300 unproved addresses are the limit', () => assert.equal(MAX_UNPROVED_GUESTS, 300))
