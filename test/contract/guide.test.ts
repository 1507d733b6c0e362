import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { loadDemoWorld } from '#demo/world.ts'
import { createPersonalToken } from '#features/access/tokens/commands/personal.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import { call } from '#test/support/api-client.ts'
import { differences, GUIDE_BLOCKS, type GuideBlock, importSample, readBlocks } from '#test/support/guide.ts'
import { endAll, launch, ROOT, within } from '#test/support/process/processes.ts'
import { addressOf, REACHABLE } from '#test/support/typed-client.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import { PRINTED_TOKEN } from '../../src/cli/demo-accounts.ts'

const SHELLS = ['sh', 'bash']
const whyNoShell = spawnSync('curl', ['--version']).error ? 'curl is not installed' : undefined
if (whyNoShell) console.log(`the commands of the API guide are skipped, ${whyNoShell}`)

/** Commands, and answers that the guide shows after them. */
function whySkipped(block: GuideBlock): string | false {
  const of = block.language === 'json' ? GUIDE_BLOCKS[GUIDE_BLOCKS.indexOf(block) - 1] : block
  return whyNoShell && of && SHELLS.includes(of.language) ? whyNoShell : false
}

function readRequests({ text }: GuideBlock) {
  return text.split('\n').map((line) => {
    const parts = /^(GET|POST|PATCH|PUT|DELETE) (\S+)((?: [A-Z][\w-]+:\S+)*)(?: (\{.*\}))? → (\d{3})$/.exec(line) ?? []
    const [, method, path, headers = '', body, status] = parts
    const named = headers
      .split(' ')
      .filter(Boolean)
      .map((header) => header.split(/:(.*)/).slice(0, 2) as [string, string])
    return { line, method: method!, path: path!, headers: named, body, status: Number(status) }
  })
}

/** What the modules of the guide must do, by the name that they export. */
const SAMPLES: Record<string, () => Promise<void>> = {
  isGenuine: async () => {
    const { isGenuine } = await importSample('isGenuine')
    const key = Buffer.alloc(32, 7)
    const seconds = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', key).update(`c-1.${seconds}.{}`).digest('base64')
    const headers = { 'webhook-id': 'c-1', 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` }
    const secret = `whsec_${key.toString('base64')}`
    assert.deepEqual([isGenuine!(headers, '{}', secret), isGenuine!(headers, '{ }', secret)], [true, false])
  },
}

describe('the API guide', async () => {
  const world = await openWorld({ ...REACHABLE, empty: true })
  const folder = mkdtempSync(join(tmpdir(), 'turnout-guide-'))
  /** Values of the placeholders: a coming shift for which the caller can sign up, and what the last answers told. */
  const values = new Map<string, string>()
  const insert = (text: string) => text.replaceAll(/\$([A-Z]+)/g, (_all, name: string) => values.get(name) ?? '')
  const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    return call(world.line, method, path, { authorization: `Bearer ${values.get('TOKEN')}`, ...type, ...headers }, body)
  }
  const done = new Set<GuideBlock>()
  /** Bodies that the last block of requests or commands got. */
  let answers: unknown[] = []

  before(async () => {
    const passwords = { olga: 'not used', paul: 'not used', ann: 'not used' }
    const { db, now, app } = world
    await loadDemoWorld({
      db,
      language: 'en',
      now,
      seed: 'guide',
      timeZone: app.site.timeZone,
      keyring: app.site.keyring,
      passwords,
    })
    const { email, scopes } = PRINTED_TOKEN
    const owner = db.read.selectFrom('user_profile').select('id').where('email', '=', email)
    const { id } = await owner.executeTakeFirstOrThrow()
    const context = { db: db.write, actor: ANONYMOUS, now, site: app.site, requestId: null }
    const made = await createPersonalToken(context, id, { description: 'guide', scopes, days: 30 })
    assert.ok(made.ok)
    for (const [name, value] of Object.entries({ TOKEN: made.token, EMAIL: email, SITE: addressOf(world) }))
      values.set(name, value)
    values.set('SHIFT', await findShift())
    // Makes curl fail if the server refuses, and ends each answer with a line break.
    writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nfail-with-body\nwrite-out = "\\n"\n')
    writeFileSync(join(folder, 'turnout'), `#!/bin/sh\nexec '${process.execPath}' '${ROOT}src/cli.ts' "$@"\n`)
    chmodSync(join(folder, 'turnout'), 0o755)
  })
  after(async () => {
    await endAll()
    rmSync(folder, { recursive: true, force: true })
  })

  async function findShift(): Promise<string> {
    const shifts = world.db.read.selectFrom('shift').select('id').where('start_time', '>', world.now).orderBy('id')
    for (const { id } of await shifts.execute()) {
      const { body } = await send('GET', `/api/shifts/${id}/eligibility/`)
      if (body.sign_up?.allowed && !body.needed.length && body.state_after_sign_up.value === 0) return String(id)
    }
    return assert.fail('the sample instance has no shift to sign up for')
  }

  test('the short address of the reference leads to its page', async () => {
    const { status, headers } = await call(world.line, 'GET', '/api/docs/')
    assert.deepEqual([status, headers.location], [302, `${SITE_URL}/api/schema/swagger-ui/`])
  })

  const testRequests = (block: GuideBlock) => {
    const requests = readRequests(block)
    for (const [index, { line, method, path, headers, body, status }] of requests.entries())
      test(line, async () => {
        assert.ok(method, `not understood: ${line}`)
        const named = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), insert(value)]))
        const answer = await send(method, insert(path), named, body === undefined ? undefined : insert(body))
        assert.equal(answer.status, status, answer.text)
        answers = index ? [...answers, answer.body] : [answer.body]
        if (method === 'GET' && answer.headers.etag) values.set('ETAG', answer.headers.etag)
        if (path === '/api/shifts/$SHIFT/signup/' && status === 201) values.set('PARTICIPATION', String(answer.body.id))
        if (path === '/api/events/' && status === 201) {
          values.set('EVENT', String(answer.body.id))
          values.set('PLANNED', String(answer.body.shifts[0].id))
        }
        if (path === '/api/changes/') values.set('NEXT', answer.body.next)
        if (index === requests.length - 1) done.add(block)
      })
  }

  /** Something for the commands that follow changes. */
  async function changeEvent(): Promise<void> {
    const { body } = await send('GET', '/api/events/?limit=1')
    const changed = await send('PATCH', `/api/events/${body.results[0].id}/`, { 'if-match': '*' }, '{"title": "Changed"}')
    assert.equal(changed.status, 200, changed.text)
  }

  const testCommands = (block: GuideBlock) => {
    const { language, text, line } = block
    test(`the commands at line ${line}`, { skip: whySkipped(block) }, async () => {
      const before = world.now
      if (text.includes('$NEXT')) await changeEvent()
      // The command line has the time of the machine.
      else world.now = new Date()
      const settings = {
        ...Object.fromEntries(values),
        PATH: `${folder}:${process.env.PATH}`,
        CURL_HOME: folder,
        DATABASE_URL: world.databaseUrl,
        SECRET_KEY: 'k'.repeat(32),
        SITE_URL,
      }
      const running = launch({ program: language, args: ['-euc', text], settings, ownGroup: true })
      const isStream = text.includes('curl -N ')
      if (isStream) {
        await running.says(/^event: change\ndata: .+\n/m)
        process.kill(-running.pid, 'SIGTERM')
      }
      const { code, signal } = await within(`the end of the commands at line ${line}`, running.exited)
      world.now = before
      assert.deepEqual([code, signal], isStream ? [null, 'SIGTERM'] : [0, null], running.stdout() + running.stderr())
      const printed = running.stdout().split('\n')
      answers = printed.filter((each) => each.startsWith('{')).map((each) => JSON.parse(each))
      if (text.includes('curl')) assert.ok(answers.length, 'no command got an answer')
      else assert.match(running.stdout(), /^turnout_\w+\n$/)
      done.add(block)
    })
  }

  const testAnswer = (block: GuideBlock) => {
    test(`the answer at line ${block.line} is like the one to the example before it`, { skip: whySkipped(block) }, () => {
      const shown = JSON.parse(block.text)
      const found = answers.map((answer) => differences(shown, answer))
      assert.ok(
        found.some((each) => !each.length),
        found.map((each) => each.join('\n')).join('\n\n') || 'no example before it',
      )
      done.add(block)
    })
  }

  const testSample = (block: GuideBlock) => {
    for (const [name, check] of Object.entries(SAMPLES)) {
      if (!block.text.includes(`export function ${name}(`)) continue
      test(`the module at line ${block.line} exports ${name}`, async () => {
        await check()
        done.add(block)
      })
    }
  }

  const RUNNERS: Record<string, (block: GuideBlock) => void> = {
    http: testRequests,
    json: testAnswer,
    js: testSample,
    ...Object.fromEntries(SHELLS.map((name) => [name, testCommands])),
  }
  for (const block of GUIDE_BLOCKS) RUNNERS[block.language]?.(block)

  test('has no block that was not run', () => {
    const counts = Object.groupBy(GUIDE_BLOCKS, ({ language }) => language)
    for (const [language, least] of Object.entries({ http: 20, sh: 3, json: 3, js: 1 }))
      assert.ok((counts[language]?.length ?? 0) >= least, `${counts[language]?.length ?? 0} blocks of ${language}`)
    const left = GUIDE_BLOCKS.filter((block) => !done.has(block) && !whySkipped(block))
    assert.deepEqual(
      left.map(({ language, line }) => `${language || 'a block without a language'} at line ${line}`),
      [],
    )
  })
})

describe('reading the guide', () => {
  test('finds blocks of every kind, also indented ones and those without a language', () => {
    const text = 'a\n```http\nGET /\n```\n\n  ~~~\nx\n```\n  ~~~\n````md\n```js\n````\n'
    assert.deepEqual(readBlocks(text), [
      { language: 'http', text: 'GET /', line: 2 },
      { language: '', text: 'x\n```', line: 6 },
      { language: 'md', text: '```js', line: 10 },
    ])
    assert.throws(() => readBlocks('```js\nlet x'), /line 1/)
  })

  const REAL = {
    code: 'bad',
    at: '2031',
    errors: [
      { code: 'a', n: 1 },
      { code: 'b', n: null },
    ],
  }
  for (const [shown, expected] of [
    [{ code: 'bad', at: 'x' }, []],
    [{ errors: [{ code: 'a', n: 5 }] }, []],
    [
      {
        errors: [
          { code: 'b', n: null },
          { code: 'a', n: 2 },
        ],
      },
      [],
    ],
    [{ code: 'worse' }, ['/code: really bad']],
    [{ at: 2031 }, ['/at: number in the guide, really string']],
    [{ more: 1 }, ['/more: not in the real answer']],
    [{ errors: [{ code: 'a' }] }, ['/errors/0/n: missing in the guide']],
    [{ errors: {} }, ['/errors: object in the guide, really list']],
  ] as const)
    test(`compares ${JSON.stringify(shown)}`, () => {
      assert.deepEqual(differences(shown, REAL), expected)
    })
  test('finds no element like it in an empty list', () => {
    assert.deepEqual(differences({ results: [{ id: 1 }] }, { results: [] }), ['/results/0: the real list is empty'])
  })
})
