import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { attachEmbedded } from '#platform/db/embedded/embedded.ts'
import { openTestDatabase } from '#test/support/database.ts'
import { VERSION } from '../../src/version.ts'
import { ask, Visitor, withToken } from '../support/process/http-client.ts'
import { runHere } from '../support/process/in-process.ts'
import { databasePid, endAll, newDataDir, ROOT, run, type Server, startTryOut, turnout } from '../support/process/processes.ts'

after(endAll)

const COMMANDS = [
  'serve',
  'try-out',
  'worker',
  'migrate',
  'upgrade',
  'demo',
  'openapi',
  'token',
  'reset-factor',
  'create-admin',
  'key',
  'mcp',
  'people',
  'bounce',
  'retention',
  'extension',
  'backup',
  'restore',
  'doctor',
  'import',
  'import-files',
]
const ADMIN = ['create-admin', '--email', 'olga@example.org', '--name', 'Olga']

describe('npx turnout', () => {
  test('prints its version and its commands', async () => {
    const [version, help, nothing] = await Promise.all([['--version'], ['--help'], []].map((args) => turnout(args)))
    assert.ok(version && help && nothing)
    const short = await runHere(['-h'])
    assert.deepEqual(short, help)
    assert.deepEqual(version, { code: 0, stdout: `${VERSION}\n`, stderr: '' })
    assert.deepEqual(
      [...help.stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name),
      COMMANDS,
    )
    assert.deepEqual([help.code, help.stderr], [0, ''])
    assert.deepEqual([nothing.code, nothing.stdout], [2, help.stdout])
  })

  test('prints the help of every command without any setting', async () => {
    const pages = await Promise.all(COMMANDS.map((name, n) => runHere([name, n % 2 ? '-h' : '--help'])))
    for (const [n, { code, stdout, stderr }] of pages.entries()) {
      assert.deepEqual([code, stderr], [0, ''])
      assert.match(stdout, new RegExp(`^Usage: npx turnout ${COMMANDS[n]} `))
      assert.match(stdout, /^ {2}-h, --help +\S/m)
    }
  })

  const MISTAKES: [args: string[], answer: RegExp][] = [
    [['dance'], /^turnout: unknown command dance; npx turnout --help lists all commands\n$/],
    [['migrate', '--fast'], /^turnout: Unknown option '--fast'.*\n$/],
    [['migrate', 'now'], /^turnout: Unexpected argument 'now'.*\n$/],
    [['token', '--scope', 'ME_READ'], /^turnout: --email must be given\n$/],
    [['create-admin'], /^turnout: --email and --name must be given\n$/],
    [['key'], /^turnout: expected <create\|list\|rotate\|revoke> \[name\]\n$/],
    [['key', 'make', 'x'], /^turnout: expected create, list, rotate, revoke, not make\n$/],
    [['key', 'create', 'Display'], /^turnout: --scopes must be given\n$/],
    [['key', 'rotate', 'Display', '--scopes', 'ME_READ'], /^turnout: rotate does not take --scopes\n$/],
    [['key', 'list', 'Display'], /^turnout: list takes no name\n$/],
    [['mcp', '--url', 'ftp://plan.example/'], /^turnout: ftp:\/\/plan\.example\/ is no address of a server\n$/],
    [
      ['mcp', '--url', 'http://plan.example/mcp/'],
      /^turnout: http:\/\/plan\.example would get the token unencrypted: use https .*\n$/,
    ],
    [['mcp', '--url', 'http://127.0.0.1:8000/mcp/'], /^turnout: set TURNOUT_TOKEN .*\n$/],
    [['demo', '--size', 'many'], /^turnout: --size must be a whole number from 1 to 2,000,000\n$/],
  ]
  test('reports invalid arguments on one line, with exit code 2', async () => {
    const dataDir = join(newDataDir(), 'never')
    const outcomes = await Promise.all(MISTAKES.map(([args], n) => (n < 2 ? turnout : runHere)(args, { DATA_DIR: dataDir })))
    for (const [n, { code, stdout, stderr }] of outcomes.entries()) {
      assert.deepEqual([code, stdout], [2, ''], stderr)
      assert.match(stderr, MISTAKES[n]![1])
    }
    assert.equal(existsSync(dataDir), false)
  })

  test('prints only the OpenAPI document, for the given server', async () => {
    const dataDir = join(newDataDir(), 'never')
    const { code, stdout, stderr } = await turnout(['openapi', '--server', 'https://plan.example'], { DATA_DIR: dataDir })
    assert.deepEqual([code, stderr], [0, ''])
    const document = JSON.parse(stdout)
    assert.match(document.openapi, /^3\.1\./)
    assert.deepEqual(document.servers[0].url, 'https://plan.example')
    assert.ok(document.paths['/api/events/'])
    assert.equal(existsSync(dataDir), false)
  })
})

describe('commands that need an existing instance', () => {
  const missing = join(newDataDir(), 'mistyped')
  for (const args of [['doctor'], ['backup', '/nowhere/x.backup'], ['token', '--email', 'a@b.c', '--scope', 'ME_READ']])
    test(`${args[0]} creates nothing in a mistyped DATA_DIR`, async () => {
      const message = `turnout: there is no database in ${missing}. Check DATA_DIR.\n`
      assert.deepEqual(await runHere(args, { DATA_DIR: missing }), { code: 1, stdout: '', stderr: message })
      assert.equal(existsSync(missing), false)
    })
})

/** Nobody creates directories in /sys, not even root; containers also mount it read-only. */
function whyNotWritable(directory: string): string {
  try {
    mkdtempSync(join(directory, 'x'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EROFS') return 'the file system is read-only'
  }
  return 'permission denied'
}

describe('a data directory that cannot be used', () => {
  const file = join(newDataDir(), 'file')
  writeFileSync(file, '')
  for (const [what, dataDir, reason] of [
    ['below a file', join(file, 'data'), 'cannot be created (a parent is not a directory)'],
    ['in place of a file', file, 'cannot be created (it is not a directory)'],
    ['on a read-only file system', '/proc/turnout', 'cannot be created (a parent directory does not exist)'],
    ['that exists and is read-only', '/sys', `is not writable (${whyNotWritable('/sys')})`],
  ] as const)
    test(`${what} ends the start and every command with one sentence`, { skip: !existsSync('/proc/self') }, async () => {
      const stderr = `turnout: the data directory ${dataDir} ${reason}. Set DATA_DIR to a directory that this user may write.\n`
      assert.deepEqual(await runHere(['migrate'], { DATA_DIR: dataDir }), { code: 1, stdout: '', stderr })
      if (dataDir !== file) return
      const tryOut = await run({ args: [join(ROOT, 'src/main.ts')], settings: { DATA_DIR: dataDir } })
      assert.deepEqual([tryOut.code, tryOut.stderr], [1, stderr])
    })
})

describe('a port that is taken', () => {
  test('is noticed before anything is written', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const dataDir = join(newDataDir(), 'never')
    const { code, stderr } = await run({
      args: [join(ROOT, 'src/main.ts')],
      settings: { DATA_DIR: dataDir, PORT: String(port) },
    })
    server.close()
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`^turnout: port ${port} on 127\\.0\\.0\\.1 is taken by another program\\. .*\n$`))
    assert.equal(existsSync(join(dataDir, 'postgres')), false)
  })
})

describe('commands without a server', () => {
  const dataDir = newDataDir()
  const here = (args: string[]) => runHere(args, { DATA_DIR: dataDir })
  /** As a process of its own: it ends the database when it ends, and reads from standard input. */
  const alone = (args: string[], input?: string) => turnout(args, { DATA_DIR: dataDir }, input)

  test('migrate the database and stop it afterwards', async () => {
    assert.deepEqual(await alone(['migrate']), { code: 0, stdout: '', stderr: 'The database is up to date\n' })
    assert.equal(databasePid(dataDir), undefined)
  })

  test('doctor reports that there is no administrator', async () => {
    const { code, stderr } = await here(['doctor'])
    assert.equal(code, 1)
    assert.match(stderr, /^found: there is no active administrator; npx turnout create-admin creates one\n1 finding\n$/)
  })

  test('create an administrator with a password from standard input, but refuse a weak password and an existing account', async () => {
    const weak = await alone([...ADMIN, '--password-stdin'], 'password123\n')
    assert.deepEqual([weak.code, weak.stdout], [2, ''])
    assert.match(weak.stderr, /^turnout: the administrator was not created: password common\n$/)
    const made = await alone([...ADMIN, '--password-stdin'], 'seven quiet lamps\n')
    assert.deepEqual(made, { code: 0, stdout: '', stderr: 'olga@example.org is now an administrator.\n' })
    const again = await alone([...ADMIN, '--password-stdin'], 'seven quiet lamps\n')
    assert.deepEqual([again.code, again.stderr], [2, 'turnout: the administrator was not created: email taken\n'])
  })

  test('the first administrator begins with few modules, as with the link of the first start', async () => {
    const server = await attachEmbedded(dataDir)
    const db = openTestDatabase({ url: server.url })
    const { value } = await db.read.selectFrom('setting').select('value').where('name', '=', 'modules').executeTakeFirstOrThrow()
    await db.close()
    await server.stop()
    assert.deepEqual((value as string[]).toSorted(), ['files', 'hours'])
  })

  test('doctor has no findings, and demo refuses a database in use', async () => {
    assert.deepEqual(await here(['doctor']), { code: 0, stdout: '', stderr: 'no findings\n' })
    const { code, stdout, stderr } = await here(['demo'])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^turnout: Demo data can be loaded into an empty database only, and this one is in use\.\n$/)
    assert.equal(existsSync(join(dataDir, 'sign-ins.json')), false)
    assert.equal(databasePid(dataDir), undefined)
  })
})

describe('commands beside a running server', () => {
  let server: Server
  const settings = () => ({ DATA_DIR: server.dataDir, SITE_URL: `http://localhost:${server.port}` })
  const here = (args: string[]) => runHere(args, settings())
  const token = (...args: string[]) => here(['token', ...args])
  before(async () => {
    server = await startTryOut()
  })

  test('create an administrator, and print only a working random password on standard output', async () => {
    const { code, stdout, stderr } = await turnout(ADMIN, settings())
    assert.deepEqual([code, stderr], [0, 'olga@example.org is now an administrator.\n'])
    assert.match(stdout, /^\w{20}\n$/)
    const olga = new Visitor(server.origin)
    assert.equal((await olga.signIn('olga@example.org', stdout.trim())).status, 303)
    assert.equal(await olga.isSignedIn(), true)
  })

  test('create a token limited to its scope, and print only the token on standard output', async () => {
    const made = await token('--email', 'ANN@demo.example', '--scope', 'ME_READ', '--days', '3')
    assert.equal(made.code, 0)
    assert.match(made.stdout, /^turnout_pat_\w{40}\n$/)
    const days = (new Date(/^Valid until (\S+)\n$/.exec(made.stderr)![1]!).getTime() - Date.now()) / 86_400_000
    assert.ok(days > 2.9 && days <= 3)
    const me = await ask(`${server.origin}/api/users/me/`, withToken(made.stdout.trim()))
    assert.equal(JSON.parse(me.body).email, 'ann@demo.example')
    assert.equal((await ask(`${server.origin}/api/events/`, withToken(made.stdout.trim()))).status, 403)
  })

  test('refuse tokens for an unknown user, an unknown scope or an invalid lifetime, with exit code 2', async () => {
    const ann = ['--email', 'ann@demo.example']
    const REFUSED: [args: string[], answer: RegExp][] = [
      [
        ['--email', 'nobody@example.org', '--scope', 'ME_READ'],
        /there is no account with the e-mail address nobody@example\.org/,
      ],
      [[...ann, '--scope', 'ROOT'], /--scope must be one or more of PUBLIC_READ, /],
      [[...ann, '--scope', ' '], /--scope must name at least one scope/],
      [[...ann, '--scope', 'ME_READ', '--days', '0'], /--days must be a whole number from 1 to 365 \(TOKEN_MAX_DAYS\)/],
      [[...ann, '--scope', 'ME_READ', '--days', '366'], /--days must be a whole number/],
      [[...ann, '--scope', 'ME_READ', '--days', 'soon'], /--days must be a whole number/],
      [[...ann, '--scope', 'ME_READ', '--description', ' '], /--description must not be empty/],
    ]
    const outcomes = await Promise.all(REFUSED.map(([args]) => token(...args)))
    for (const [n, { code, stdout, stderr }] of outcomes.entries()) {
      assert.deepEqual([code, stdout], [2, ''], stderr)
      assert.match(stderr, REFUSED[n]![1])
      assert.match(stderr, /^turnout: .*\n$/, 'one line')
    }
  })

  test('create, list, rotate and revoke keys of service accounts, and print only the key on standard output', async () => {
    const key = (...args: string[]) => here(['key', ...args])
    const status = async (secret: string) => (await ask(`${server.origin}/api/events/`, withToken(secret.trim()))).status
    const made = await key(
      'create',
      'Wall display',
      '--scopes',
      'PUBLIC_READ,ME_READ',
      '--expires',
      '2099-12-31',
      '--networks',
      '127.0.0.0/8',
    )
    assert.equal(made.code, 0, made.stderr)
    assert.match(made.stdout, /^turnout_key_\w{40}\n$/)
    assert.equal(await status(made.stdout), 200)
    const listed = await key('list')
    assert.match(listed.stdout, new RegExp(`^Wall display +active +PUBLIC_READ,ME_READ .*…${made.stdout.trim().slice(-4)}$`, 'm'))
    const rotated = await key('rotate', 'wall DISPLAY', '--overlap', '24h')
    assert.deepEqual([await status(made.stdout), await status(rotated.stdout)], [200, 200])
    const [former, current] = [made.stdout, rotated.stdout].map((secret) => secret.trim().slice(-4))
    assert.equal((await key('revoke', 'Wall display', '--key', former!)).code, 0)
    assert.deepEqual([await status(made.stdout), await status(rotated.stdout)], [401, 200])
    assert.match((await key('revoke', 'Wall display')).stderr, new RegExp(`Revoked …${current} of Wall display`))
    assert.equal(await status(rotated.stdout), 401)
    const REFUSED: [args: string[], answer: RegExp][] = [
      [['create', 'Wall display', '--scopes', 'PUBLIC_READ'], /the name: name taken/],
      [
        ['create', 'B', '--scopes', 'ROOT', '--networks', '10/8'],
        /--scopes: scopes unknown; --networks: network invalid \(10\/8\)/,
      ],
      [['create', 'B', '--scopes', 'PUBLIC_READ', '--groups', 'Nobody'], /there is no group Nobody/],
      [['rotate', 'Unknown'], /there is no service account Unknown/],
      [['rotate', 'Wall display', '--overlap', 'soon'], /--overlap must be a number of hours or days/],
      [['revoke', 'Wall display'], /Wall display has no valid key/],
    ]
    for (const [args, answer] of REFUSED) {
      const { code, stdout, stderr } = await key(...args)
      assert.deepEqual([code, stdout], [2, ''], stderr)
      assert.match(stderr, answer)
    }
  })

  test('import people from a list after a dry run, and export them in the same form', async () => {
    const folder = newDataDir()
    const list = join(folder, 'list.csv')
    writeFileSync(list, 'wer;E-Mail;Gruppe\nJürgen Groß;juergen@club.example;New group\nNo address;;\n')
    const people = (...args: string[]) => here(['people', ...args])
    const dry = await people('import', list, '--map', 'wer=name', '--unknown', 'create')
    assert.deepEqual([dry.code, dry.stdout.split('\n')[0]], [1, 'new: 1, updated: 0, same: 0, conflict: 0, error: 1'], dry.stderr)
    assert.match(dry.stdout, /row 3 +error +- +An email address, a user name or a guardian is missing\./)
    const refused = await people('import', list, '--map', 'wer=name', '--unknown', 'create', '--apply')
    assert.match(refused.stderr, /--good-rows-only leaves them out/)
    const done = await people('import', list, '--map', 'wer=name', '--unknown', 'create', '--apply', '--good-rows-only')
    assert.equal(done.code, 0, done.stderr)
    const exported = await people('export')
    assert.match(exported.stdout, /^Jürgen Groß[,;]juergen@club\.example[,;]{4}(en|de)[,;]New group[,;]{2}\r$/m)
    const copy = join(folder, 'people.xlsx')
    assert.equal((await people('export', copy, '--format', 'xlsx')).code, 0)
    const same = await people('import', copy, '--apply')
    assert.match(same.stdout, /^new: 0, updated: 0, same: \d+, conflict: 0, error: 0\n$/)
    assert.equal(same.code, 0, same.stderr)
  })

  test('doctor names inconsistent rows, repairs them with --fix, and has no findings then', async () => {
    assert.deepEqual(await here(['doctor']), { code: 0, stdout: '', stderr: 'no findings\n' })
    const { url, stop } = await attachEmbedded(server.dataDir)
    const db = openTestDatabase({ url })
    await db.writePool.query(`
      begin;
      alter table shift disable trigger user;
      update shift set confirmed_count = confirmed_count + 1 where id = (select min(id) from shift);
      alter table shift enable trigger user;
      commit`)
    await db.close()
    await stop()
    const found = await here(['doctor'])
    assert.equal(found.code, 1)
    assert.match(found.stderr, /^found: .*shift.*: 1 row differs from the source \(ids \d+\) \(--fix repairs it\)$/m)
    const fixed = await here(['doctor', '--fix'])
    assert.equal(fixed.code, 0, fixed.stderr)
    assert.match(fixed.stderr, /^fixed: .*shift.*: 1 row differs[\s\S]*\nno findings\n$/)
    assert.equal((await here(['doctor'])).code, 0)
  })

  test('doctor reports a key other than the one that sealed the stored secrets', async () => {
    const otherKey = { ...settings(), SECRET_KEY: 'another key '.repeat(3) }
    const { code, stderr } = await runHere(['doctor'], otherKey)
    assert.equal(code, 1)
    assert.match(stderr, /^found: SECRET_KEY: A stored secret was sealed with key \w+, which is neither .*\n1 finding\n$/)
  })

  test('a command on a copy of the data directory does not touch the running server', async () => {
    const copy = join(newDataDir(), 'copy')
    spawnSync('cp', ['-a', server.dataDir, copy])
    const { code, stderr } = await turnout(['doctor'], { ...settings(), DATA_DIR: copy })
    assert.equal(code, 0, stderr)
    assert.equal((await ask(`${server.origin}/readyz`)).status, 200)
    assert.equal((await here(['doctor'])).code, 0, 'commands still find the server')
    assert.equal(databasePid(copy), undefined)
  })

  test('refuse demo data, and leave the server running', async () => {
    assert.equal((await here(['demo'])).code, 1)
    assert.equal((await here(['migrate'])).code, 0)
    assert.equal((await ask(`${server.origin}/readyz`)).status, 200)
    assert.equal(await server.stop(), 0)
  })
})

describe('the executable of the package', () => {
  const other = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
    const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
    const major = Number(/^v(\d+)/.exec(stdout ?? '')?.[1] ?? 0)
    return major >= 18 && major < 24
  })
  const skip = other ? false : 'no older Node is installed'
  if (skip) console.log(`starting the pinned Node is skipped: ${skip}`)

  test('starts the pinned Node', { skip }, async () => {
    const program = join(ROOT, 'bin/turnout.js')
    assert.deepEqual(await run({ program: other!, args: [program, '--version'] }), {
      code: 0,
      stdout: `${VERSION}\n`,
      stderr: '',
    })
    const piped = await run({ program: other!, args: [program, 'token', '--scope', 'ME_READ'] })
    assert.deepEqual(piped, { code: 2, stdout: '', stderr: 'turnout: --email must be given\n' })
    // Control: the older Node cannot run the sources itself.
    assert.notEqual((await run({ program: other!, args: [join(ROOT, 'src/cli.ts'), '--version'] })).code, 0)
  })
})
