import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import { ANN, HELPERS, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

describe('ids in URLs', async () => {
  const world = await openWorld()
  const event = await world.addEvent({ seenBy: [HELPERS] })
  const olga = world.as(OLGA, ...SCOPES)

  const IDS: [text: string, found: boolean][] = [
    [`${event.id}`, true],
    [`0${event.id}`, true],
    [`000000${event.id}`, true],
    [`%20${event.id}%20`, true],
    [`%09${event.id}`, true],
    ['0', false],
    ['999', false],
    ['-1', false],
    [`%2B${event.id}`, false],
    [`${event.id}.0`, false],
    [`${event.id}e0`, false],
    ['0x1', false],
    ['abc', false],
    ['%00', false],
    [`${event.id}%00`, false],
    ['%20', false],
    ['%E0%A5%A7', false],
    ['2147483648', false],
    ['9223372036854775807', false],
    ['9223372036854775808', false],
    ['9'.repeat(25), false],
    ['9'.repeat(500), false],
    ['null', false],
    ['1%2F2', false],
    ["1'--", false],
  ]
  const PATHS = [
    'events/{id}',
    'shifts/{id}',
    'users/{id}',
    'participations/{id}',
    'participations-userinfo/{id}',
    'users/me/participations/{id}',
  ]
  for (const [text, found] of IDS)
    test(`the id ${text.slice(0, 30)} is ${found ? 'found' : 'not found'}`, async () => {
      for (const path of PATHS) {
        const { status, body } = await olga.get(`/api/${path.replace('{id}', text)}/`)
        if (found && path === 'events/{id}') assert.deepEqual([status, body.id], [200, event.id])
        if (!found) assert.deepEqual([status, body.code], [404, 'not_found'], path)
      }
    })
  test('refuses an id that makes the URL too long', async () => {
    for (const path of PATHS) assert.equal(await olga.status(`/api/${path.replace('{id}', '9'.repeat(700))}/`), 414)
  })
  const USERS: [text: string, status: number][] = [
    [String(ANN.id), 200],
    [`0${ANN.id}`, 200],
    ['me', 200],
    ['999', 200],
    ['0', 200],
    ['Me', 404],
    ['self', 404],
    ['ann', 404],
    ['-1', 404],
    ['1.5', 404],
    [ANN.email, 404],
    ['%00', 404],
    ['9'.repeat(30), 404],
  ]
  test('ids with a dot and users that are no number are 404 before the permission is looked at', async () => {
    const paths = ['users/1.0', 'events/1.0', 'participations-userinfo/1.0', 'users/1.0/participations', 'users/x/participations']
    for (const caller of [world.nobody, world.as(ANN, 'ME_READ')])
      for (const path of paths) assert.equal(await caller.status(`/api/${path}/`), 404, path)
    for (const path of ['users/abc', 'users/1']) {
      assert.equal(await world.nobody.status(`/api/${path}/`), 401, path)
      assert.equal(await world.as(ANN, 'ME_READ').status(`/api/${path}/`), 403, path)
    }
  })
  for (const [text, status] of USERS)
    test(`participations of the user ${text.slice(0, 20)} are answered with ${status}`, async () => {
      assert.equal(await olga.status(`/api/users/${text}/participations/`), status)
    })
})
