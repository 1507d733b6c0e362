import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { cookieNames, cookieOptions } from './cookies.ts'
import { readFlash, writeFlash } from './flash-cookie.ts'

const NAMES: [site: string, session: string][] = [
  ['https://plan.example', '__Host-turnout_session'],
  ['https://plan.example:8443', '__Host-turnout_session'],
  ['http://localhost:8000', 'turnout_session_8000'],
  ['http://localhost:8001', 'turnout_session_8001'],
  ['http://localhost', 'turnout_session_80'],
]
for (const [site, session] of NAMES) {
  test(`${site} names its session ${session}`, () => {
    const names = cookieNames(site)
    assert.equal(names.session, session)
    assert.equal(new Set([names.session, names.device, names.flash, names.of('visitor')]).size, 4)
  })
}

test('cookies meet the requirements of the __Host- prefix and are HttpOnly', () => {
  assert.deepEqual(cookieOptions('https://plan.example', 60), {
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: 'lax',
    maxAge: 60,
  })
  assert.deepEqual(cookieOptions('http://localhost:8000'), { path: '/', httpOnly: true, secure: false, sameSite: 'lax' })
})

const ring = makeKeyring('k'.repeat(32))
const flash = { kind: 'good', text: 'Grüße; "gespeichert", ok' } as const
const written = writeFlash(ring, flash)

test('a flash survives the cookie unchanged and fits into it', () => {
  assert.deepEqual(readFlash(ring, written), flash)
  assert.match(written, /^[\w.-]+$/)
})

const [body, signature] = written.split('.') as [string, string]
const forged = Buffer.from(JSON.stringify({ kind: 'good', text: 'You won' })).toString('base64url')
const FORGED: [what: string, cookie: string | undefined][] = [
  ['nothing', undefined],
  ['an empty one', ''],
  ['other words under the same signature', `${forged}.${signature}`],
  ['no signature', forged],
  ['an empty signature', `${body}.`],
  ['the signature of another instance', writeFlash(makeKeyring('x'.repeat(32)), flash)],
  ['a signature of something that is no flash', `.${signature}`],
]
for (const [what, cookie] of FORGED) test(`shows no flash for ${what}`, () => assert.equal(readFlash(ring, cookie), undefined))
