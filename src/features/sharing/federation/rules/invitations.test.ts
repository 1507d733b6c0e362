import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatShareString, parseInstanceUrl, parseShareString } from './invitations.ts'

const OWN = 'https://b.example'
const INVITATION = { guestUrl: OWN, code: 'ab'.repeat(32), hostUrl: 'https://a.example' }
const encode = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64')
const raw = { guest_url: OWN, code: 'x', host_url: 'https://a.example' }

test('share strings have the exact format that partners use', () => {
  const text = formatShareString(INVITATION)
  const json = Buffer.from(text, 'base64').toString('utf8')
  assert.equal(json, `{"guest_url": "${OWN}", "code": "${INVITATION.code}", "host_url": "https://a.example"}`)
  assert.deepEqual(parseShareString(text, OWN), { ok: true, invitation: INVITATION })
})

test('white space inside and around a share string is ignored', () => {
  const loose = encode(`{ "host_url":"https://a.example",\n"code":" x ","guest_url":"${OWN}" }`)
  const broken = ` ${loose.slice(0, 20)}\r\n${loose.slice(20)} `
  assert.deepEqual(parseShareString(broken, OWN), { ok: true, invitation: { ...INVITATION, code: 'x' } })
})

const REFUSED: [text: string, reason: string][] = [
  ['', 'unreadable'],
  ['not base64 of anything', 'unreadable'],
  [encode('null'), 'unreadable'],
  [encode([]), 'unreadable'],
  [encode({ ...raw, code: '' }), 'unreadable'],
  [encode({ ...raw, code: 5 }), 'unreadable'],
  [encode({ ...raw, guest_url: 'https://c.example' }), 'for_another'],
  [encode({ ...raw, guest_url: `${OWN}/` }), 'for_another'],
  [encode({ ...raw, guest_url: OWN.toUpperCase() }), 'for_another'],
  [encode({ ...raw, host_url: OWN }), 'own'],
  [encode({ ...raw, host_url: 'javascript:alert(1)' }), 'bad_host'],
  [encode({ ...raw, host_url: 'https://a.example/plan' }), 'bad_host'],
  [encode({ ...raw, host_url: 'https://user:pass@a.example' }), 'bad_host'],
  [encode({ ...raw, host_url: 'a.example' }), 'bad_host'],
]
for (const [text, reason] of REFUSED)
  test(`refuses ${Buffer.from(text, 'base64').toString('utf8') || '(nothing)'}: ${reason}`, () => {
    assert.deepEqual(parseShareString(text, OWN), { ok: false, reason })
  })

for (const [typed, url] of [
  ['b.example', 'https://b.example'],
  [' https://B.example/ ', 'https://b.example'],
  ['https://b.example:8443/events/', 'https://b.example:8443'],
  ['http://b.localhost:8000', 'http://b.localhost:8000'],
  ['', undefined],
  ['https://', undefined],
  ['ftp://b.example', undefined],
  ['b.example://', undefined],
  ['https://me:secret@b.example', undefined],
  ['b'.repeat(192), `https://${'b'.repeat(192)}`],
  ['b'.repeat(193), undefined],
] as const)
  test(`${typed || '(nothing)'} is parsed as the instance address ${url}`, () => assert.equal(parseInstanceUrl(typed), url))
