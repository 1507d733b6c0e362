import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Actor } from '#platform/auth/actor.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { hashSecret, makeKeyring } from '#platform/auth/secrets.ts'
import { copiesOf } from './copies.ts'

const keyring = makeKeyring('k'.repeat(32))
const inSession = (userId: number, session: string) =>
  ({ kind: 'user', userId, via: { kind: 'session', sessionHash: hashSecret(session) } }) as Actor
const partsOf = (actor: Actor) => copiesOf(keyring, actor)!.split('.')

test('copies belong to a person and a session', () => {
  const [person, session] = partsOf(inSession(7, 'a'))
  assert.deepEqual(partsOf(inSession(7, 'a')), [person, session])
  const again = partsOf(inSession(7, 'b'))
  assert.equal(again[0], person)
  assert.notEqual(again[1], session)
  const other = partsOf(inSession(8, 'c'))
  assert.notEqual(other[0], person)
  for (const part of [person, session, ...again, ...other]) assert.match(part!, /^[\w-]{12}$/)
})

test('the marker of another instance differs', () =>
  assert.notEqual(copiesOf(makeKeyring('o'.repeat(32)), inSession(7, 'a')), copiesOf(keyring, inSession(7, 'a'))))

test('a browser without a session keeps no copies', () => assert.equal(copiesOf(keyring, ANONYMOUS), 'none'))

test('tokens say nothing about the browser', () =>
  assert.equal(copiesOf(keyring, { kind: 'user', userId: 7, via: { kind: 'token' } } as Actor), undefined))
