import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ANONYMOUS, makeActor, type PartnerActor, type VisitorActor } from '#platform/auth/actor.ts'
import { actorOf } from '#test/support/command-context.ts'
import { OLGA } from '#test/support/people.ts'
import { requireGuestId } from './access.ts'

test('only a partner instance acts as a partner', () => {
  assert.equal(requireGuestId(makeActor<PartnerActor>({ kind: 'partner', federatedGuestId: 7, tokenId: 2 })), 7)
  const visitor = makeActor<VisitorActor>({
    kind: 'visitor',
    visitorId: 1,
    federatedGuestId: 7,
    displayName: 'Vic',
    language: 'en',
  })
  for (const actor of [ANONYMOUS, actorOf(OLGA), visitor])
    assert.throws(() => requireGuestId(actor), { code: 'permission_denied' }, actor.kind)
})
