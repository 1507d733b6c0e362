import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMailAddress, isPublicMailAddress, mailboxKey } from './mail-address.ts'

const ACCEPTED = [
  'ann@mail.example',
  "o'neil+fair@mail.example",
  'jörg.müller@bücher.example',
  'a@b.c',
  'ann_1-2%x@sub.mail.example',
]
const REFUSED = [
  '',
  'ann',
  '@mail.example',
  'ann@',
  'ann@@mail.example',
  'ann@mail.example.',
  'ann @mail.example',
  'x<ann@mail.example',
  '<ann@mail.example>',
  'ann(x)@mail.example',
  '"ann"@mail.example',
  'x"ann"@mail.example',
  'ann\\x@mail.example',
  'ann@mail.example,ben@mail.example',
  'ann,ben@mail.example',
  'ann@mail.example;',
  'group:ann@mail.example',
  'ann@[192.0.2.1]',
  'an\u00adn@mail.example',
  'an\u200bn@mail.example',
  'ann@mail\u200b.example',
  'ann@mail.exampl\u00ade',
  'ann\u0000@mail.example',
  'ann@mail.example\nbcc',
]

for (const text of ACCEPTED)
  test(`${text} is an address`, () => assert.deepEqual([isMailAddress(text), isPublicMailAddress(text)], [true, true]))
for (const text of REFUSED)
  test(`${JSON.stringify(text)} is none`, () =>
    assert.deepEqual([isMailAddress(text), isPublicMailAddress(text)], [false, false]))

test('an address without a dot reaches a mailbox of the own network only', () => {
  for (const text of ['ann@mail', 'ann@.example', 'a.b@mail'])
    assert.deepEqual([text, isMailAddress(text), isPublicMailAddress(text)], [text, true, false])
})

test('all ways to write an address are one mailbox', () => {
  for (const text of [
    'Ann+Fair@Bücher.Example',
    ' ann@xn--bcher-kva.example ',
    'ann@bücher.example.',
    '"ann"@bücher.example',
    'a\\nn@bücher.example',
    'an\u00adn@bücher.example',
    'ａnn@bücher.example',
    'ann@bu\u0308cher.example',
    'ann@bücher。example',
    'a.n.n@bücher.example',
  ])
    assert.equal(mailboxKey(text), 'ann@xn--bcher-kva.example', text)
  for (const text of ['ben@bücher.example', 'ann@bucher.example', 'ann@mail.bücher.example', 'ann@x+bücher.example', 'ann'])
    assert.notEqual(mailboxKey(text), 'ann@xn--bcher-kva.example', text)
  assert.equal(mailboxKey('A.nn+1@GoogleMail.com'), mailboxKey('ann@gmail.com'))
  assert.equal(mailboxKey('Sign-in.Name'), 'sign-in.name')
  assert.equal(mailboxKey('ann@not a domain%'), 'ann@notadomain%')
})
