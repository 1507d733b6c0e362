import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Actor, ANONYMOUS, type Credential } from '#platform/auth/actor.ts'
import { SCOPES } from '#platform/auth/scopes.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { isApplication, isOwner, lacksScope, mayManage } from './access.ts'

const byToken = (scopes: readonly string[], credential?: Credential) => ({
  via: { kind: 'token' as const, tokenId: 1, scopes: new Set(scopes), ...(credential ? { credential } : {}) },
})

describe('a webhook', () => {
  const CASES: [who: string, actor: Actor, owns: boolean, manages: boolean][] = [
    ['the owner', actorOf(ANN), true, true],
    ['another person', actorOf(BEN), false, false],
    ['an administrator', actorOf(BEN, { isStaff: true }), false, true],
    ['nobody', ANONYMOUS, false, false],
  ]
  for (const [who, actor, owns, manages] of CASES)
    test(`of Ann is ${owns ? '' : 'not '}owned and ${manages ? '' : 'not '}managed by ${who}`, () => {
      assert.deepEqual([isOwner(actor, { ownerId: ANN.id }), mayManage(actor, { ownerId: ANN.id })], [owns, manages])
    })

  test('is not read with a token that lacks one of its scopes', () => {
    assert.equal(lacksScope(actorOf(ANN, byToken(['ME_READ'])), ['ME_READ', 'PUBLIC_READ']), 'PUBLIC_READ')
    assert.equal(lacksScope(actorOf(ANN, byToken(['ME_READ', 'PUBLIC_READ'])), ['PUBLIC_READ']), undefined)
    assert.equal(lacksScope(actorOf(ANN), SCOPES), undefined)
  })

  test('is not made by an application', () => {
    const credential = (kind: Credential['kind']): Credential => ({ kind, name: 'Rota', expiresAt: null })
    assert.equal(isApplication(actorOf(ANN, byToken(SCOPES, credential('application')))), true)
    assert.equal(isApplication(actorOf(ANN, byToken(SCOPES, credential('personal_token')))), false)
    assert.equal(isApplication(actorOf(ANN, byToken(SCOPES, credential('service_account')))), false)
    assert.equal(isApplication(actorOf(ANN, byToken(SCOPES))), false)
    assert.equal(isApplication(actorOf(ANN)), false)
  })
})
