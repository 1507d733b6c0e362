import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { loadDemoWorld } from '#demo/world.ts'
import { createPersonalToken } from '#features/tokens/commands/personal.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { call } from '#test/support/api-client.ts'
import { openWorld } from '#test/support/world.ts'

const guide = readFileSync(new URL('../../docs/api/guide.md', import.meta.url), 'utf8')
const blocks = [...guide.matchAll(/```http\n([^`]+)```/g)].map(([, block]) => block!.trim().split('\n'))
const examples = blocks.flat().map((line) => {
  const [, method, path, status] = /^(GET|POST) (\S+) → (\d{3})$/.exec(line) ?? []
  return { line, method: method as 'GET' | 'POST', path: path!, status: Number(status) }
})

describe('the API guide', async () => {
  const world = await openWorld({ empty: true })
  let token = ''

  before(async () => {
    const passwords = { olga: 'not used', paul: 'not used', ann: 'not used' }
    const { db, now, app } = world
    await loadDemoWorld({ db, now, seed: 'guide', timeZone: app.site.timeZone, keyring: app.site.keyring, passwords })
    const ann = db.read.selectFrom('user_profile').select('id').where('email', '=', 'ann@demo.example')
    const { id } = await ann.executeTakeFirstOrThrow()
    const context = { db: db.write, actor: ANONYMOUS, now, site: app.site, requestId: null }
    const scopes = ['PUBLIC_READ', 'ME_READ', 'CONFIDENTIAL_READ']
    const made = await createPersonalToken(context, id, { description: 'guide', scopes, days: 30 })
    assert.ok(made.ok)
    token = made.token
  })

  test('has examples, each with a request and its status', () => {
    assert.ok(examples.length >= 15)
    for (const { line, method } of examples) assert.ok(method, `not understood: ${line}`)
  })

  for (const { line, method, path, status } of examples) {
    test(line, async () => {
      const answer = await call(world.line, method, path, { authorization: `Bearer ${token}` })
      assert.equal(answer.status, status, answer.text)
    })
  }
})
