import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { loadDemoWorld } from '#demo/world.ts'
import { createPersonalToken } from '#features/tokens/commands/personal.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { call } from '#test/support/api-client.ts'
import { openWorld } from '#test/support/world.ts'
import { PRINTED_TOKEN } from '../../src/cli/demo-accounts.ts'

const guide = readFileSync(new URL('../../docs/api/guide.md', import.meta.url), 'utf8')
const blocks = [...guide.matchAll(/```http\n([^`]+)```/g)].map(([, block]) => block!.trim().split('\n'))
const examples = blocks.flat().map((line) => {
  const parts = /^(GET|POST|PATCH|PUT|DELETE) (\S+)((?: [A-Z][\w-]+:\S+)*)(?: (\{.*\}))? → (\d{3})$/.exec(line) ?? []
  const [, method, path, headers = '', body, status] = parts
  const named = headers
    .split(' ')
    .filter(Boolean)
    .map((header) => header.split(/:(.*)/).slice(0, 2) as [string, string])
  return { line, method: method!, path: path!, headers: named, body, status: Number(status) }
})

describe('the API guide', async () => {
  const world = await openWorld({ empty: true })
  let token = ''

  before(async () => {
    const passwords = { olga: 'not used', paul: 'not used', ann: 'not used' }
    const { db, now, app } = world
    await loadDemoWorld({ db, now, seed: 'guide', timeZone: app.site.timeZone, keyring: app.site.keyring, passwords })
    const { email, scopes } = PRINTED_TOKEN
    const owner = db.read.selectFrom('user_profile').select('id').where('email', '=', email)
    const { id } = await owner.executeTakeFirstOrThrow()
    const context = { db: db.write, actor: ANONYMOUS, now, site: app.site, requestId: null }
    const made = await createPersonalToken(context, id, { description: 'guide', scopes, days: 30 })
    assert.ok(made.ok)
    token = made.token
  })

  test('the short address of the reference leads to its page', async () => {
    const { status, headers } = await call(world.line, 'GET', '/api/docs/')
    assert.deepEqual([status, headers.location], [302, '/api/schema/swagger-ui/'])
  })

  test('has examples, each with a request and its status', () => {
    assert.ok(examples.length >= 15)
    for (const { line, method } of examples) assert.ok(method, `not understood: ${line}`)
  })

  /** Values of the placeholders: a coming shift for which the caller can sign up, and what the last answers told. */
  const values = new Map<string, string>()
  const insert = (text: string) => text.replaceAll(/\$([A-Z]+)/g, (_all, name: string) => values.get(name) ?? '')
  before(async () => {
    const shifts = world.db.read.selectFrom('shift').select('id').where('start_time', '>', world.now).orderBy('id')
    for (const { id } of await shifts.execute()) {
      const { body } = await call(world.line, 'GET', `/api/shifts/${id}/eligibility/`, { authorization: `Bearer ${token}` })
      if (!body.sign_up?.allowed || body.needed.length || body.state_after_sign_up.value !== 0) continue
      return values.set('SHIFT', String(id))
    }
    return assert.fail('the sample instance has no shift to sign up for')
  })

  for (const { line, method, path, headers, body, status } of examples) {
    test(line, async () => {
      const sent = {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), insert(value)])),
      }
      const answer = await call(world.line, method, insert(path), sent, body === undefined ? undefined : insert(body))
      assert.equal(answer.status, status, answer.text)
      if (method === 'GET' && answer.headers.etag) values.set('ETAG', answer.headers.etag)
      if (path === '/api/shifts/$SHIFT/signup/' && status === 201) values.set('PARTICIPATION', String(answer.body.id))
    })
  }
})
