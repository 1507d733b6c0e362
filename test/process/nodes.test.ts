import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from '#test/support/postgres-server.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { signUpAtOnce } from '../support/process/burst.ts'
import { emptyDatabase, migratedDatabase } from '../support/process/database.ts'
import { ask, Visitor, withToken } from '../support/process/http-client.ts'
import {
  endAll,
  freePort,
  launch,
  newDataDir,
  ROOT,
  SECRET_KEY,
  type Server,
  startServe,
  turnout,
  until,
} from '../support/process/processes.ts'
import {
  REPORTING,
  restartOneByOne,
  startUnderLoad,
  stopNode,
  stopUnderLoad,
  underLoad,
} from '../support/process/rolling-restart.ts'

after(endAll)

const STOPS = chooseSize({ usual: 1, full: 3 })
const THIRD_NODES = chooseSize({ usual: 1, full: 2 })
const SITE_URL = 'https://plan.example'
const METRICS_TOKEN = 'sixteen letters or more'.replaceAll(' ', '-')
/** The Host header that a proxy in front of the nodes sends. */
const HOST = { host: 'plan.example' }
const OLGA = { email: 'olga@example.org', password: 'seven quiet lamps' }

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = await connect(url)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

describe('two nodes on one database', () => {
  let settings: Record<string, string>
  let nodes: Server[]
  let token: string
  before(async () => {
    settings = { DATABASE_URL: await emptyDatabase(), SITE_URL, METRICS_TOKEN, RATE_LIMIT: 'off', SECRET_KEY }
    const reporting = { ...settings, ...REPORTING }
    nodes = await Promise.all([startServe(reporting), startServe(reporting)])
    const admin = ['create-admin', '--email', OLGA.email, '--name', 'Olga', '--password-stdin']
    assert.equal((await turnout(admin, { ...settings, DATA_DIR: newDataDir() }, OLGA.password)).code, 0)
    const made = await turnout(['token', '--email', OLGA.email, '--scope', 'PUBLIC_READ ME_READ'], settings)
    token = made.stdout.trim()
  })

  test('both become ready when they start at the same time on an empty database, and only one migrates', async () => {
    for (const node of nodes) {
      const { status, body } = await ask(`${node.origin}/readyz`)
      assert.deepEqual([status, JSON.parse(body).parts], [200, { database: true, worker: true, accepting: true }])
      assert.doesNotMatch(node.stderr() + node.stdout(), /Error|"level":[56]0/)
    }
    const migrated = nodes.map((node) => node.stderr().match(/"msg":"applying \w+"/g)?.length ?? 0)
    assert.equal(Math.min(...migrated), 0)
    const [{ count }] = (await query(settings.DATABASE_URL!, 'select count(*)::int as count from migration')) as [
      { count: number },
    ]
    assert.equal(Math.max(...migrated), count)
  })

  test('share sessions', async () => {
    const cookies = new Map<string, string>()
    const visitor = (node: Server) => Object.assign(new Visitor(node.origin, HOST), { cookies })
    const [first, second] = nodes.map(visitor)
    assert.equal((await first!.signIn(OLGA.email, OLGA.password)).status, 303)
    assert.equal(await second!.isSignedIn(), true)
  })

  test('are restarted one after the other without a failed request', async () => {
    const paths = ['/api/users/me/', '/accounts/login/', '/api/events/']
    const asking = { headers: { ...HOST, authorization: `Bearer ${token}` } }
    const origins = nodes.map(({ origin }) => origin)
    const load = await underLoad(origins, paths, asking, async (load) => {
      await until('the load is there', () => load.answers > 100)
      await restartOneByOne(load, nodes, settings)
      const before = load.answers
      await until('both are asked again', () => load.answers > before + 100)
    })
    assert.deepEqual(load.failed, [])
  })

  test('take a third node in and let it go without a failed request', async () => {
    const port = await freePort()
    const asking = { headers: { ...HOST, authorization: `Bearer ${token}` } }
    const origins = [...nodes.map(({ origin }) => origin), `http://127.0.0.1:${port}`]
    const load = await underLoad(origins, ['/api/users/me/', '/accounts/login/', '/api/events/'], asking, async (load) => {
      for (let round = 0; round < THIRD_NODES; round++) {
        const third = await startUnderLoad(load, { ...settings, PORT: String(port) })
        const before = load.answers
        await until('all three are asked', () => load.answers > before + 100)
        await stopNode(load, third)
      }
    })
    assert.deepEqual(load.failed, [])
  })

  test('serve metrics only with the metrics token', async () => {
    const { origin } = nodes[0]!
    const right = await ask(`${origin}/metrics`, withToken(METRICS_TOKEN))
    assert.equal(right.status, 200)
    assert.match(right.body, /^turnout_http_request_seconds_count\{/m)
    assert.match(right.body, /^turnout_db_connections\{/m)
    assert.equal((await ask(`${origin}/metrics`, { headers: HOST })).status, 404)
    assert.equal((await ask(`${origin}/metrics`, withToken(`${METRICS_TOKEN}x`))).status, 404)
    assert.equal((await ask(`${origin}/metrics`, withToken(token))).status, 404)
  })
})

/** Without people, nobody can sign in and the page has no form. */
async function databaseWithPerson(): Promise<string> {
  const url = await migratedDatabase()
  await query(url, `insert into user_profile (email, display_name) values ('${OLGA.email}', 'Olga')`)
  return url
}

describe('two nodes with rate limits', () => {
  test('count wrong passwords together', async () => {
    // Allows two wrong passwords per minute and IP address.
    const settings = { DATABASE_URL: await databaseWithPerson(), SITE_URL, RATE_LIMIT: '0.1', SECRET_KEY }
    const nodes = await Promise.all([startServe(settings), startServe(settings)])
    const statuses: number[] = []
    for (const n of [0, 1, 0, 1]) {
      const visitor = new Visitor(nodes[n]!.origin, HOST)
      statuses.push((await visitor.signIn(`nobody${n}@example.org`, 'seven quiet lamps')).status)
    }
    assert.deepEqual(statuses, [422, 422, 429, 429])
    for (const node of nodes) assert.equal(await node.stop(), 0)
  })
})

describe('one node', () => {
  test('finishes every request that it has accepted when it is stopped under load', async () => {
    const settings = { DATABASE_URL: await migratedDatabase(), SITE_URL, RATE_LIMIT: 'off', SECRET_KEY }
    for (let stop = 0; stop < STOPS; stop++) {
      const { failed } = await stopUnderLoad(settings, '/accounts/login/', { headers: HOST })
      assert.deepEqual(failed, [])
    }
  })

  const CROWD = chooseSize({ usual: 40, full: 100 })
  test(`answers ${CROWD} people who sign up at the same moment`, async () => {
    const databaseUrl = await migratedDatabase()
    const node = await startServe({ DATABASE_URL: databaseUrl, RATE_LIMIT: 'off', SECRET_KEY })
    const { answers, confirmed } = await signUpAtOnce(node, { databaseUrl, count: CROWD, places: 10, repeatsIfBusy: true })
    const statuses = Map.groupBy(answers, ({ status }) => status)
    assert.deepEqual([statuses.get(303)?.length, statuses.get(409)?.length], [10, CROWD - 10])
    assert.equal(confirmed, 10)
  })
})

describe('nodes without background work', () => {
  test('are ready, serve no metrics if no token is configured, and leave the jobs to a separate worker', async () => {
    const settings = { DATABASE_URL: await migratedDatabase(), SITE_URL, SECRET_KEY, WORKER: 'off', LOG_LEVEL: 'info' }
    const node = await startServe(settings)
    const { status, body } = await ask(`${node.origin}/readyz`)
    assert.deepEqual([status, JSON.parse(body).parts], [200, { database: true, accepting: true }])
    assert.equal((await ask(`${node.origin}/metrics`, withToken('undefined'))).status, 404)

    const jobs = () =>
      query(settings.DATABASE_URL, `select id from graphile_worker.jobs where task_identifier = 'clean_up_sign_in'`)
    await query(settings.DATABASE_URL, `select graphile_worker.add_job('clean_up_sign_in')`)
    assert.equal((await jobs()).length, 1)
    const worker = launch({ args: [join(ROOT, 'src/cli.ts'), 'worker'], settings: { ...settings, DATA_DIR: newDataDir() } })
    await worker.says(/Worker is running/)
    await until('the job is done', async () => (await jobs()).length === 0)
    assert.equal(await worker.stop(), 0)
    assert.equal(await node.stop(), 0)
  })
})

describe('behind a proxy', () => {
  const from = (address: string) => ({ ...HOST, 'x-forwarded-for': address, 'x-forwarded-proto': 'https' })
  // Allows one wrong password per minute and IP address.
  const settings = { SITE_URL, RATE_LIMIT: '0.05' }
  const guess = async (node: Server, address: string, n: number) =>
    (await new Visitor(node.origin, from(address)).signIn(`nobody${n}@example.org`, 'seven quiet lamps')).status

  test('clients are distinguished by the IP address that a trusted proxy sends', async () => {
    const node = await startServe({ ...settings, DATABASE_URL: await databaseWithPerson(), TRUST_PROXY: '1' })
    assert.equal(await guess(node, '192.0.2.1', 1), 422)
    assert.equal(await guess(node, '192.0.2.1', 2), 429)
    assert.equal(await guess(node, '192.0.2.2', 3), 422)
    // The proxy appends its value to the one that the client sent.
    assert.equal(await guess(node, '192.0.2.9, 192.0.2.1', 4), 429)
    assert.equal(await node.stop(), 0)
  })

  test('X-Forwarded-For is ignored if no proxy is trusted', async () => {
    const node = await startServe({ ...settings, DATABASE_URL: await databaseWithPerson() })
    assert.equal(await guess(node, '192.0.2.1', 1), 422)
    assert.equal(await guess(node, '192.0.2.2', 2), 429)
    assert.equal(await node.stop(), 0)
  })
})
