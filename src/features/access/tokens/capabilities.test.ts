import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { methodOf } from '#platform/http/endpoint.ts'
import { ANN, OLGA, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

type Operation = { operation_id: string; allowed: boolean; reason: string | null; required_scope: string | null }

describe('GET /api/me/capabilities/', async () => {
  const world = await openWorld()
  const path = '/api/me/capabilities/'
  const operation = (body: { operations: Operation[] }, id: string) => {
    const { allowed, reason, required_scope } = body.operations.find(({ operation_id }) => operation_id === id)!
    return { allowed, reason, required_scope }
  }
  const allowed = { allowed: true, reason: null, required_scope: null }

  test('names the credential: a session, or a token with its name and expiry', async () => {
    const { body } = await world.withSession(ANN).get(path)
    assert.deepEqual(body.credential, { kind: 'session', name: null, expires_at: null })
    assert.equal(body.scopes.length, 6)
    const token = await world.makeToken(ANN, ['ME_READ'], { expires: new Date('2031-06-01T22:00:00Z') })
    const own = await world.with({ authorization: `Bearer ${token}` }).get(path)
    assert.deepEqual(
      [own.body.credential.kind, own.body.credential.expires_at, own.body.scopes],
      ['personal_token', '2031-06-02T00:00:00+02:00', ['ME_READ']],
    )
  })

  test('lists every operation, with the scope that is missing', async () => {
    const { body } = await world.as(ANN, 'PUBLIC_READ').get(path)
    assert.deepEqual(
      body.operations.map(({ operation_id }: Operation) => operation_id),
      ENDPOINTS.map(({ operationId }) => operationId),
    )
    assert.deepEqual(operation(body, 'events_list'), allowed)
    assert.deepEqual(operation(body, 'users_me_retrieve'), {
      allowed: false,
      reason: 'insufficient_scope',
      required_scope: 'ME_READ',
    })
  })

  test('distinguishes a missing permission from a missing scope', async () => {
    const ann = await world.as(ANN, 'CONFIDENTIAL_READ').get(path)
    assert.deepEqual(operation(ann.body, 'users_list'), { allowed: false, reason: 'permission_denied', required_scope: null })
    const vera = await world.as(VERA, 'CONFIDENTIAL_READ').get(path)
    assert.deepEqual(operation(vera.body, 'users_list'), allowed)
    assert.ok(vera.body.permissions.includes('view_user') && !ann.body.permissions.includes('view_user'))
    assert.ok(ann.body.groups.every(({ name }: { name: string }) => typeof name === 'string') && ann.body.groups.length > 0)
  })

  test('says the same as the endpoints do', async () => {
    for (const person of [ANN, OLGA]) {
      const caller = world.as(person, 'PUBLIC_READ', 'CONFIDENTIAL_READ')
      const { body } = await caller.get(path)
      for (const endpoint of ENDPOINTS.filter((each) => each.kind === 'list' && !String(each.path).includes('{'))) {
        assert.equal(methodOf(endpoint), 'GET')
        const isAllowed = operation(body, endpoint.operationId).allowed
        assert.equal(await caller.status(endpoint.path as string), isAllowed ? 200 : 403, endpoint.operationId)
      }
    }
  })
})
