import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, ANONYMOUS, makeActor, type PartnerActor } from '#platform/auth/actor.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { requireOwner, requireSession } from './access.ts'

const inSession = actorOf(ANN, { via: { kind: 'session', sessionHash: Buffer.from([1, 171]) } })
const REFUSED: [who: string, actor: Actor][] = [
  ['nobody', ANONYMOUS],
  ['a token with all scopes', actorOf(OLGA, { via: { kind: 'token', tokenId: 1, scopes: new Set(SCOPES) } })],
  ['a partner', makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: 1, tokenId: 2 })],
]

describe('factors', () => {
  test('are changed by their owner in a session', () => {
    assert.equal(requireOwner({ actor: inSession }), ANN.id)
    assert.equal(requireSession({ actor: inSession }), '01ab')
  })
  for (const [who, actor] of REFUSED)
    test(`cannot be changed by ${who}`, () => {
      for (const require of [requireOwner, requireSession])
        assert.throws(() => require({ actor }), { code: 'permission_denied' }, require.name)
    })
})
