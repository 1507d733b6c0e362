import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Answer } from '#test/support/api-response.ts'
import { HELPERS, OLGA, PLANNERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

/** The object literal around a place, without those inside of it. */
function objectAround(text: string, at: number): string {
  let start = at
  for (let depth = 0; start >= 0; start--) {
    if (text[start] === '}') depth++
    if (text[start] === '{' && depth-- === 0) break
  }
  let end = at
  for (let depth = 0; end < text.length; end++) {
    if (text[end] === '{') depth++
    if (text[end] === '}' && depth-- === 0) break
  }
  return text.slice(start, end)
}

/** Names that a file imports from commands, of whatever feature. */
const commandsIn = (text: string): string[] =>
  [...text.matchAll(/import \{([^}]+)\} from '[^']*\/commands(?:\/[\w-]+)?\.ts'/g)].flatMap(([, names]) =>
    names!
      .split(',')
      .map((name) => name.trim())
      .filter((name) => /^[a-z]/.test(name) && !name.startsWith('type ')),
  )
const calls = (text: string, name: string): boolean => new RegExp(`\\b${name}\\(`).test(text)

const root = fileURLToPath(new URL('../../src/features/', import.meta.url))
const files = globSync('**/*.ts', { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => ({ path: `/${path}`, text: readFileSync(root + path, 'utf8') }))
const isPages = (path: string): boolean => /\/pages(\.ts|\/)/.test(path)
const isApi = (path: string): boolean => /\/api(\.ts|\/)/.test(path)

/** Commands that pages run only after a recent proof, with one such page each. */
const sensitive = new Map(
  files
    .filter(({ path }) => isPages(path))
    .flatMap(({ path, text }) => {
      const all = /= sensitive\(|\bsensitive\(\[/.test(text) ? [text] : []
      const single = [...text.matchAll(/requires: 'recentSignIn(?:ToSubmit)?'/g)].map(({ index }) => objectAround(text, index))
      return commandsIn(text)
        .filter((name) => [...all, ...single].some((part) => calls(part, name)))
        .map((name): [string, string] => [name, path])
    }),
)
const inApi = [...sensitive.keys()].filter((name) =>
  files.some(({ path, text }) => isApi(path) && commandsIn(text).includes(name) && calls(text, name)),
)

/** The source of a command, up to the next declaration. */
function bodyOf(name: string): string {
  const found = files.find(({ path, text }) => path.includes('/commands') && text.includes(`export async function ${name}(`))
  const [, rest = ''] = found?.text.split(`export async function ${name}(`) ?? []
  return rest.split(/\n}\n/)[0]!
}

describe('a command that a sensitive page runs and the API, too', () => {
  test('is one of these', () => {
    assert.deepEqual(inApi.sort(), [
      'changeGroup',
      'changeWebhook',
      'createGroup',
      'createWebhook',
      'deleteGroup',
      'deletePerson',
      'rotateWebhookSecret',
    ])
  })
  for (const name of inApi)
    test(`needs the recent proof itself: ${name}, of ${sensitive.get(name)}`, () => {
      assert.match(bodyOf(name), /\bcheckRecentSignIn\(context\)/)
    })
})

describe('a session that was proved', async () => {
  const world = await openWorld()
  const script = world.withScript(OLGA)
  const token = world.as(OLGA, 'ME_READ', 'ME_WRITE', 'CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE', 'PUBLIC_READ')
  const hook = { name: 'Roster', url: 'https://roster.example.org/', kinds: ['event'], scopes: ['PUBLIC_READ'] }
  const { body: webhook } = await token.post('/api/webhooks/', hook)
  const { body: group } = await token.post('/api/groups/', { name: 'Cooks' })
  const person = await world.addPerson({ name: 'Short Stay' })
  const dry = { query: 'dry_run=true' }
  const writes: [what: string, path: string, send: (caller: typeof script) => Promise<Answer>][] = [
    ['POST', '/api/webhooks/', (caller) => caller.post('/api/webhooks/', hook, dry)],
    ['PATCH', '/api/webhooks/{id}/', (caller) => caller.patch(`/api/webhooks/${webhook.id}/`, { name: 'Other' }, '*', dry)],
    ['POST', '/api/webhooks/{id}/rotate-secret/', (caller) => caller.post(`/api/webhooks/${webhook.id}/rotate-secret/`, {}, dry)],
    ['POST', '/api/groups/', (caller) => caller.post('/api/groups/', { name: 'Drivers' }, dry)],
    ['PATCH', '/api/groups/{id}/', (caller) => caller.patch(`/api/groups/${group.id}/`, { name: 'Bakers' }, '*', dry)],
    ['DELETE', '/api/groups/{id}/', (caller) => caller.delete(`/api/groups/${group.id}/`, '*', dry)],
    ['DELETE', '/api/users/{id}/', (caller) => caller.delete(`/api/users/${person.id}/`, '*', dry)],
  ]
  const prove = async (minutesAgo: number) => {
    await script.get('/api/users/me/')
    await world.db.write
      .updateTable('session')
      .set({ proved_at: new Date(world.now.getTime() - minutesAgo * 60_000) })
      .where('user_id', '=', OLGA.id)
      .execute()
  }
  for (const [method, path, send] of writes) {
    test(`15 minutes ago may not ${method} ${path}`, async () => {
      await prove(15)
      const { status, body } = await send(script)
      assert.deepEqual([status, body.code], [403, 'recent_sign_in_required'])
    })
    test(`14 minutes ago may ${method} ${path}`, async () => {
      await prove(14)
      assert.ok((await send(script)).status < 300)
    })
    test(`long ago does not matter to a token: ${method} ${path}`, async () => {
      await prove(120)
      assert.ok((await send(token)).status < 300)
    })
  }
  describe('and new members of a group', async () => {
    const join = (caller: typeof script, groupId: number) =>
      caller.post(`/api/groups/${groupId}/members/add/`, { users: [person.id] }, dry)

    test('with rights need a recent proof', async () => {
      await prove(15)
      const { status, body } = await join(script, PLANNERS.id)
      assert.deepEqual([status, body.code], [403, 'recent_sign_in_required'])
      await prove(14)
      assert.equal((await join(script, PLANNERS.id)).status, 200)
      await prove(120)
      assert.equal((await join(token, PLANNERS.id)).status, 200)
    })
    test('without rights do not', async () => {
      await prove(120)
      assert.equal((await join(script, HELPERS.id)).status, 200)
    })
    test('may leave a group with rights long ago', async () => {
      await prove(120)
      const leave = await script.post(`/api/groups/${PLANNERS.id}/members/remove/`, { users: [person.id] }, dry)
      assert.equal(leave.status, 200)
    })
  })
  test('long ago may not do it in a batch, either', async () => {
    await prove(120)
    const operations = [{ method: 'DELETE', path: `/api/users/${person.id}/`, if_match: '*' }]
    const { status, body } = await script.post('/api/batch/', { operations })
    assert.deepEqual([status, body.results[0].body.code], [409, 'recent_sign_in_required'])
    assert.equal(await token.status(`/api/users/${person.id}/`), 200)
  })
  test('long ago may pause a webhook, as on the page', async () => {
    await prove(120)
    assert.equal((await script.patch(`/api/webhooks/${webhook.id}/`, { active: false }, '*')).status, 200)
  })
})
