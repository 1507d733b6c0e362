import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { sql } from 'kysely'
import { openInstance } from '#test/support/instance.ts'
import { ANN, BEN, OLGA, type Person } from '#test/support/people.ts'

const READS = 'PUBLIC_READ ME_READ'
const WRITES = 'ME_READ ME_WRITE CONFIDENTIAL_READ CONFIDENTIAL_WRITE'
const CHANGE = { language: 'de' }

describe('an assistant', async () => {
  const instance = await openInstance()
  const application = await instance.addClient({ isForAssistants: true, name: 'Helper', scopes: `${READS} ${WRITES}`.split(' ') })
  const address = `${instance.base}/mcp/`
  const tokenOf = async (person: Person, scope: string) => (await instance.tokens(person, application, scope)).access_token

  async function connect(token: string, options: { versionNegotiation?: { mode: 'auto' } } = {}) {
    const client = new Client({ name: 'test', version: '1' }, options)
    const headers = { authorization: `Bearer ${token}` }
    await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit: { headers } }))
    return client
  }
  // biome-ignore lint/suspicious/noExplicitAny: answers of any tool
  type Answer = any
  const call = async (client: Client, name: string, given: object = {}): Promise<Answer> =>
    (await client.callTool({ name, arguments: given as Record<string, unknown> })).structuredContent
  const entries = async () =>
    (await instance.db.write.selectFrom('journal').selectAll().orderBy('id').execute()).map(({ kind, actor_id, changes }) => ({
      kind,
      actor_id,
      changes: changes as Record<string, unknown>,
    }))
  const groupTitled = (name: string) => instance.db.write.selectFrom('user_group').select('id').where('name', '=', name).execute()

  test('finds the authorization server from the answer to a request without a token', async () => {
    const refused = await instance.send('/mcp/', { method: 'POST' })
    const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers['www-authenticate'] ?? '')?.[1]
    assert.deepEqual([refused.status, refused.json.error], [401, 'invalid_token'])
    const { json } = await instance.send(metadata!)
    assert.deepEqual([json.resource, json.authorization_servers], [address, [instance.base]])
  })

  test('is let in with a token for assistants only, and such a token opens nothing else', async () => {
    const ordinary = (await instance.tokens(ANN, await instance.addClient(), 'ME_READ')).access_token
    const own = await tokenOf(ANN, 'ME_READ')
    const statuses = []
    for (const token of [ordinary, own]) {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      statuses.push([(await instance.send('/mcp/', { method: 'POST', headers, body })).status, await instance.me(token)])
    }
    assert.deepEqual(statuses, [
      [401, 200],
      [200, 401],
    ])
    const claim = { authorization: `Bearer ${own}`, 'x-internal-call': 'true' }
    assert.equal((await instance.send('/api/users/me/', { headers: claim })).status, 401)
  })

  test('gets the tools that scopes and permissions open, in both versions of the protocol', async () => {
    for (const options of [{}, { versionNegotiation: { mode: 'auto' as const } }]) {
      const client = await connect(await tokenOf(ANN, READS), options)
      const names = (await client.listTools()).tools.map(({ name }) => name)
      assert.deepEqual(
        ['events_list', 'users_me_retrieve', 'users_list', 'events_create', 'confirm_write'].map((name) => names.includes(name)),
        [true, true, false, false, false],
      )
      assert.equal((await call(client, 'users_me_retrieve')).result.email, ANN.email)
      assert.match((await call(client, 'users_list')).mistake, /no tool users_list/)
      await client.close()
    }
  })

  test('tries a change, makes it after the confirmation only, and the log names the person and the assistant', async () => {
    const client = await connect(await tokenOf(OLGA, WRITES))
    const given = { body: { name: 'Made by an assistant' } }
    const before = (await entries()).length
    const tried = await call(client, 'groups_create', given)
    assert.deepEqual(
      [tried.status, tried.is_dry_run, (await groupTitled(given.body.name)).length],
      [200, true, 0],
      JSON.stringify(tried),
    )
    const confirmed = { tool: 'groups_create', arguments: given, confirmation: tried.confirmation }
    assert.equal((await call(client, 'confirm_write', confirmed)).status, 201)
    assert.equal((await groupTitled(given.body.name)).length, 1)
    assert.equal((await call(client, 'confirm_write', confirmed)).status, 201)
    assert.equal((await groupTitled(given.body.name)).length, 1)
    const written = (await entries()).slice(before)
    assert.deepEqual(
      written
        .filter(({ kind }) => kind === 'assistant.called')
        .map(({ changes }) => [changes.is_dry_run, changes.response_status]),
      [
        [true, 200],
        [false, 201],
        [false, 201],
      ],
    )
    const made = written.find(({ kind }) => kind === 'group.created')
    assert.deepEqual([made?.actor_id, made?.changes.by_assistant], [OLGA.id, true])
    await client.close()
  })

  test('cannot use a confirmation for other values, another person, or after ten minutes', async () => {
    const client = await connect(await tokenOf(OLGA, WRITES))
    const given = { body: { name: 'Never made' } }
    const { confirmation } = await call(client, 'groups_create', given)
    const other = { tool: 'groups_create', arguments: { body: { name: 'Something else' } }, confirmation }
    assert.match((await call(client, 'confirm_write', other)).mistake, /another request/)
    await instance.db.write.updateTable('user_profile').set({ is_staff: true }).where('id', '=', BEN.id).execute()
    const ben = await connect(await tokenOf(BEN, WRITES))
    const same = { tool: 'groups_create', arguments: given, confirmation }
    assert.match((await call(ben, 'confirm_write', same)).mistake, /another request/)
    instance.pass(601)
    assert.match((await call(client, 'confirm_write', same)).mistake, /older than ten minutes/)
    const names = await sql<{ name: string }>`select name from user_group where name in ('Never made', 'Something else')`.execute(
      instance.db.write,
    )
    assert.deepEqual(names.rows, [])
    await Promise.all([client.close(), ben.close()])
  })

  test('needs the version that it read for a change, and no version is any', async () => {
    const client = await connect(await tokenOf(ANN, 'ME_READ ME_WRITE'))
    const { version } = await call(client, 'users_me_retrieve')
    assert.match((await call(client, 'users_me_update', { body: CHANGE })).mistake, /version/)
    assert.match((await call(client, 'users_me_update', { body: CHANGE, version: '*' })).mistake, /version/)
    const given = { body: CHANGE, version }
    const { confirmation } = await call(client, 'users_me_update', given)
    const confirmed = { tool: 'users_me_update', arguments: given, confirmation }
    assert.deepEqual(
      [(await call(client, 'confirm_write', confirmed)).status, (await call(client, 'confirm_write', confirmed)).status],
      [200, 412],
    )
    await client.close()
  })

  test('reaches with each tool the operation of this tool only, whatever it gives for a part of the path', async () => {
    const client = await connect(await tokenOf(OLGA, `${READS} ${WRITES}`))
    const { version } = await call(client, 'users_retrieve', { id: BEN.id })
    for (const id of ['..', '.', '../..', '1/2', ' 1', '-1', {}, ['..']])
      for (const [tool, given] of [
        ['users_qualifications_destroy', { user: BEN.id, id, version }],
        ['events_retrieve', { id }],
      ] as const)
        assert.match((await call(client, tool, given)).mistake ?? '', /Not a value for id/, `${tool} ${JSON.stringify(id)}`)
    assert.match((await call(client, 'users_by_email_retrieve', { email: '..' })).mistake ?? '', /Not a value for email/)
    const odd = { tool: 'groups_create', arguments: null, confirmation: 'a.b' }
    assert.match((await call(client, 'confirm_write', odd)).mistake, /arguments are an object/)
    for (const wrong of [' *', 'W/"a"\r\nX: b', 7])
      assert.match((await call(client, 'users_destroy', { id: BEN.id, version: wrong })).mistake ?? '', /version is that/)
    await client.close()
  })

  test('is told about arguments that a tool does not have, and about refusals of the API', async () => {
    const client = await connect(await tokenOf(ANN, READS))
    assert.match((await call(client, 'events_list', { colour: 'red' })).mistake, /colour/)
    assert.match((await call(client, 'events_retrieve', {})).mistake, /id/)
    const unknown = await client.callTool({ name: 'events_retrieve', arguments: { id: 999_999 } })
    assert.deepEqual([unknown.isError, (unknown.structuredContent as Answer).status], [true, 404])
    await client.close()
  })

  test('loses access with the token, with the grant, and while the module is off', async () => {
    const token = await tokenOf(BEN, 'ME_READ')
    const client = await connect(token)
    const set = (value: string) =>
      sql`insert into setting (name, value) values ('modules', ${value}::jsonb) on conflict (name) do update set value = excluded.value`.execute(
        instance.db.write,
      )
    await set('[]')
    instance.pass(6)
    await assert.rejects(client.listTools())
    await set('["assistants"]')
    instance.pass(6)
    assert.ok((await client.listTools()).tools.length > 0)
    await instance.db.write.updateTable('oauth_grant').set({ revoked_at: instance.now }).where('user_id', '=', BEN.id).execute()
    await assert.rejects(client.listTools())
    await client.close()
  })

  test('that starts a program reads by standard input and output', async () => {
    const client = new Client({ name: 'test', version: '1' })
    const env = { PATH: process.env.PATH!, TURNOUT_TOKEN: await tokenOf(ANN, READS), SITE_URL: instance.base }
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: ['src/cli.ts', 'mcp', '--url', address],
        env,
        stderr: 'inherit',
      }),
    )
    try {
      assert.ok((await client.listTools()).tools.some(({ name }) => name === 'events_list'))
      assert.equal((await call(client, 'users_me_retrieve')).result.email, ANN.email)
    } finally {
      await client.close()
    }
  })
})
