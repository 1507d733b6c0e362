import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { FORMER_ADDRESSES } from './former-addresses.ts'

describe('addresses of ephios', async () => {
  const world = await openWorld()
  const get = (path: string) => world.withSession(OLGA).get(path, { unchecked: true })

  for (const [former] of FORMER_ADDRESSES) {
    test(`${former} leads to a page that exists`, async () => {
      const path = former.replace('{id}', String(ANN.id)).replace('{uid}', 'MQ').replace('{token}', 'abc-123')
      const { status, headers } = await get(path)
      assert.equal(status, 303)
      const there = headers.location!
      assert.ok(!there.includes('{'), there)
      // The instance has no application with this id; the others exist.
      assert.equal((await get(there)).status, /applications\/\d/.test(there) ? 404 : 200, there)
    })
  }

  test('lead to the same person and group', async () => {
    assert.equal((await get('/users/4/edit/')).headers.location, '/manage/people/4/')
    assert.equal((await get('/groups/2/edit/')).headers.location, '/manage/groups/2/')
  })

  test('show nothing to people who may not see the page', async () => {
    const { headers } = await world.nobody.get('/users/', { unchecked: true })
    const { status, headers: next } = await world.nobody.get(headers.location!, { unchecked: true })
    assert.equal(status, 303)
    assert.match(next.location!, /^\/accounts\/login\//)
  })
})
