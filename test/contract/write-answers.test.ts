import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { SCOPES, type Scope } from '#platform/auth/scopes.ts'
import type { ApiAccess } from '#platform/http/access.ts'
import type { Endpoint, WriteEndpoint } from '#platform/http/endpoint.ts'
import { ANN, HELPERS, OLGA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { spell } from '../support/access-model.ts'

type AnyWrite = Extract<Endpoint, { kind: 'write' }>
const writes = ENDPOINTS.filter((endpoint): endpoint is AnyWrite => endpoint.kind === 'write')
const nameOf = ({ method, path }: Pick<WriteEndpoint, 'method' | 'path'>): string => `${method} ${path}`

/** Reads of the API that show the schema, by path. Drafts are events that only planners read, and answers about them are theirs. */
const readsOf = (schema: unknown): Map<string, ApiAccess> =>
  new Map(
    ENDPOINTS.flatMap((endpoint): [string, ApiAccess][] => {
      if (endpoint.kind !== 'list' && endpoint.kind !== 'record') return []
      const shown = endpoint.kind === 'list' ? endpoint.item : endpoint.record
      return shown === schema && !endpoint.path.includes('/drafts/') ? [[endpoint.path, endpoint.access]] : []
    }),
  )

/** Records that no read shows alone, with the access of the record that contains them. */
const PARTS: Record<string, string> = {
  'POST /api/participations/{id}/comments/': 'CONFIDENTIAL_READ',
  // Besides the secret, which is the result of the write, it is the webhook.
  'POST /api/webhooks/': 'ME_READ',
  'POST /api/webhooks/{id}/rotate-secret/': 'ME_READ',
}
/** Answers with new ids, and results that are judged one by one. */
const RESULTS = ['POST /api/events/{id}/duplicate/', 'POST /api/shifts/{id}/duplicate/', 'POST /api/batch/']

describe('the answer of a write needs what reading the record needs:', () => {
  for (const endpoint of writes) {
    const records = Object.values(endpoint.responses as WriteEndpoint['responses']).flatMap((each) => (each.schema ? [each] : []))
    if (!records.length) continue
    test(nameOf(endpoint), () => {
      for (const { schema, access } of records) {
        const name = nameOf(endpoint)
        if (RESULTS.includes(name)) return assert.equal(spell(access), 'any-user')
        if (PARTS[name]) return assert.equal(spell(access), PARTS[name])
        const reads = readsOf(schema)
        assert.ok(reads.size, 'a read shows such records')
        // The list or record at the same place, if there is one.
        const same =
          reads.get(endpoint.path) ?? reads.get(`${endpoint.path}{id}/`) ?? reads.get(endpoint.path.replace(/\w[\w-]*\/$/, ''))
        const possible = same ? [same] : [...reads.values()]
        assert.ok(possible.map(spell).includes(spell(access)), `${spell(access)}, but reading: ${possible.map(spell)}`)
      }
    })
  }
  test('WRITE scopes alone open no read', () => {
    const reading = ENDPOINTS.filter(({ kind }) => kind === 'list' || kind === 'record' || kind === 'stream')
    for (const { path, access } of reading)
      if (access.kind === 'scope') assert.match([access.scope, access.also].join(' '), /_READ/, path)
  })
})

describe('tokens that only write', async () => {
  const world = await openWorld()
  const person = await world.addPerson({ name: 'Hidden Name', email: 'hidden@secret.example', dateOfBirth: '1911-11-11' })
  const event = await world.addEvent({ title: 'Hidden title', seenBy: [HELPERS], shifts: [{}] })
  const participation = await world.addParticipation({ who: person, shift: event.shifts[0]!, state: 0 })
  const own = await world.addParticipation({ who: ANN, shift: event.shifts[0]!, state: 0 })
  const group = await world.db.read.selectFrom('user_group').select('id').orderBy('id').executeTakeFirstOrThrow()
  const writing = SCOPES.filter((each) => each.endsWith('_WRITE'))
  const secrets = /Hidden|secret\.example|1911-11-11|"title"|"email"|"display_name"|"name"/

  const cases: [who: typeof OLGA, path: string, id: number][] = [
    [OLGA, `/api/users/${person.id}/`, person.id],
    [OLGA, `/api/events/${event.id}/`, event.id],
    [OLGA, `/api/shifts/${event.shifts[0]}/`, event.shifts[0]!],
    [OLGA, `/api/participations/${participation}/`, participation],
    [OLGA, `/api/groups/${group.id}/`, group.id],
    [ANN, `/api/users/me/participations/${own}/`, own],
    [ANN, '/api/users/me/', ANN.id],
  ]
  for (const [who, path, id] of cases) {
    const patch = (scopes: readonly Scope[], query?: string) =>
      world.as(who, ...scopes).patch(path, {}, '*', query ? { query } : {})
    test(`learn nothing from PATCH ${path.replaceAll(/\d+/g, '{id}')}`, async () => {
      for (const query of ['dry_run=true', undefined]) {
        const { status, text, body, headers } = await patch(writing, query)
        assert.equal(status, 200)
        assert.doesNotMatch(text, secrets)
        assert.deepEqual(body, query ? { id } : { id, version: headers.etag })
      }
    })
    test(`twin: with the scopes to read, PATCH ${path.replaceAll(/\d+/g, '{id}')} shows the record`, async () => {
      assert.match((await patch(SCOPES, 'dry_run=true')).text, secrets)
    })
  }
  test('every POST reads its Idempotency-Key, and no other method does', async () => {
    const all = world.as(OLGA, ...SCOPES)
    for (const { method, path } of writes) {
      const headers = { 'idempotency-key': 'x'.repeat(256) }
      const { body } = await all.request(method, path.replaceAll(/\{\w+\}/g, '99999'), { headers, query: 'dry_run=true' })
      const codes = (body?.errors ?? []).map(({ code }: { code: string }) => code)
      assert.equal(codes.includes('invalid_key'), method === 'POST', `${method} ${path}`)
    }
  })

  test('learn nothing from a batch', async () => {
    const operations = cases
      .filter(([who]) => who === OLGA)
      .map(([, path]) => ({ method: 'PATCH', path, body: {}, if_match: '*' }))
    const batch = async (scopes: readonly Scope[]) => (await world.as(OLGA, ...scopes).post('/api/batch/', { operations })).text
    assert.doesNotMatch(await batch(writing), secrets)
    assert.match(await batch(SCOPES), /hidden@secret\.example/)
  })
  test('get the secret of a webhook that they make', async () => {
    const body = { name: 'Roster', url: 'https://roster.example.org/', kinds: ['event'], scopes: ['PUBLIC_READ'] }
    const { status, body: answer } = await world.as(OLGA, 'ME_WRITE', 'PUBLIC_READ').post('/api/webhooks/', body)
    assert.deepEqual([status, Object.keys(answer)], [201, ['id', 'version', 'secret']])
  })
  test('and readers get an ETag with a new webhook that fits If-Match', async () => {
    const olga = world.as(OLGA, 'ME_WRITE', 'ME_READ', 'PUBLIC_READ')
    const body = { name: 'Roster', url: 'https://roster.example.org/', kinds: ['event'], scopes: ['PUBLIC_READ'] }
    const { headers } = await olga.post('/api/webhooks/', body)
    assert.equal((await olga.patch(headers.location!, { name: 'Other' }, headers.etag!)).status, 200)
  })
})

test('60 changes of an event at once that overwrite any version are all carried out', async () => {
  const world = await openWorld()
  const event = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
  const olga = world.as(OLGA, 'PUBLIC_WRITE', 'PUBLIC_READ')
  const before = await world.db.read.selectFrom('event').select('version').where('id', '=', event.id).executeTakeFirstOrThrow()
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, pier) => olga.patch(`/api/events/${event.id}/`, { location: `Pier ${pier}` }, '*')),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const after = await world.db.read.selectFrom('event').select('version').where('id', '=', event.id).executeTakeFirstOrThrow()
  assert.ok(after.version >= before.version + 60, 'each of them changed the event')
})
