import assert from 'node:assert/strict'
import { constants, mkdtempSync, type PathLike, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { backupFileName } from '#features/operations/backup/queries/backups.ts'
import { repairStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { type Config, readConfig } from '#platform/config.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { TURNOUT } from '#platform/invocation.ts'
import { makeLog } from '#platform/log.ts'
import { ADDRESS_FAILED } from '#platform/mail/mail.ts'
import { getCertificateEnd } from '#platform/outbound/certificate.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, OLGA, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { NOW, openWorld, SITE_URL } from '#test/support/world.ts'
import { findObstacle } from './commands/backup.ts'
import { isNearlyFull } from './commands/disk.ts'
import { CHECKS, performChecks } from './commands/list.ts'
import { certificateFact } from './commands/partners.ts'
import { AREAS, type Area, type CheckInput, isOwnMachine } from './schema.ts'

const STATUS = '/manage/status/'
const SECRET_KEY = 'k'.repeat(32)
const words = wordsFor('en', 'Europe/Berlin')
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 3600_000)

describe('the list of checks', async () => {
  const world = await openWorld()
  const { write } = world.db
  const folder = mkdtempSync(join(tmpdir(), 'turnout-status-'))
  after(() => rmSync(folder, { recursive: true }))
  const MAIL = { MAIL_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@a.example' }
  const configOf = (env: Record<string, string> = {}): Config =>
    readConfig({ SITE_URL, SECRET_KEY, DATA_DIR: folder, BACKUP_DIR: join(folder, 'backups'), ...MAIL, ...env }, 'serve')
  const inputOf = (changes: Partial<CheckInput> = {}): CheckInput => ({
    db: world.db,
    config: configOf(),
    files: world.files,
    keyring: makeKeyring(SECRET_KEY),
    version: '1.2.3',
    now: NOW,
    words,
    ...changes,
  })
  const find = async (area: Area, changes: Partial<CheckInput> = {}, isThorough = false) =>
    ((await performChecks(inputOf(changes), { isThorough })).find((each) => each.area === area)?.facts ?? []).map(
      ({ state, text }) => `${state}: ${text}`,
    )
  /** Without what the sample records are sealed with, which no keyring has made. */
  const findSettings = async (changes: Partial<CheckInput> = {}) =>
    (await find('settings', changes)).filter((text) => !text.includes('sealed with key sealed,'))
  const addJob = async (attempts: number, error: string) => {
    await sql`select graphile_worker.add_job('account_mail', '{}'::json, max_attempts := 3)`.execute(write)
    await sql`update graphile_worker._private_jobs set attempts = ${attempts}, last_error = ${error}`.execute(write)
  }

  beforeEach(async () => {
    await sql`delete from graphile_worker._private_jobs`.execute(write)
  })

  test('has every area, and those that read much only on demand', async () => {
    assert.deepEqual(new Set(CHECKS.map(({ area }) => area)), new Set(AREAS))
    const quick = await performChecks(inputOf(), { isThorough: false })
    assert.deepEqual(
      quick.map(({ area }) => area),
      ['mail', 'backup', 'disk', 'jobs', 'database', 'settings', 'errors', 'version'],
    )
    const thorough = await performChecks(inputOf(), { isThorough: true })
    assert.deepEqual(
      thorough.map(({ area }) => area),
      AREAS.filter((area) => thorough.some((each) => each.area === area)),
    )
    assert.ok(thorough.some(({ area }) => area === 'records') && thorough.some(({ area }) => area === 'files'))
  })

  test('names missing mail and backups, on the own machine as no fault', async () => {
    const config = configOf({ MAIL_URL: '', MAIL_FROM: '', BACKUP_DIR: '' })
    assert.deepEqual(await find('mail', { config }), [
      'bad: MAIL_URL is not set: mails are written to files instead of being sent',
    ])
    assert.deepEqual(await find('backup', { config }), ['bad: BACKUP_DIR is not set: no nightly backup is made'])
    const own = { ...config, siteUrl: 'http://localhost:8000' }
    assert.match((await find('mail', { config: own }))[0]!, /^info: MAIL_URL/)
    assert.match((await find('backup', { config: own }))[0]!, /^info: BACKUP_DIR/)
    assert.deepEqual(await find('mail'), ['good: mails are sent'])
  })

  test('knows whether the newest backup is of the last night', async () => {
    const backups = mkdtempSync(join(folder, 'backups-'))
    const config = configOf({ BACKUP_DIR: backups })
    assert.deepEqual(await find('backup', { config }), [
      `bad: there is no backup in BACKUP_DIR (${backups}) yet; ${TURNOUT} backup FILE creates one now`,
    ])
    writeFileSync(join(backups, backupFileName(hoursAgo(31))), 'x')
    assert.deepEqual(await find('backup', { config }), ['bad: the newest backup in BACKUP_DIR is 31 hours old'])
    writeFileSync(join(backups, backupFileName(hoursAgo(29))), 'x')
    assert.match((await find('backup', { config }))[0]!, /^good: last made .*, 1 MB$/)
  })

  test('says why no backup can be written', async () => {
    const failing = (errors: Record<string, NodeJS.ErrnoException>, asked: string[] = []) => ({
      asked,
      tryAccess: async (path: PathLike, mode?: number) => {
        asked.push(`${path} ${mode}`)
        if (errors[`${path}`]) throw errors[`${path}`]
      },
    })
    const missing = Object.assign(new Error('no such folder'), { code: 'ENOENT' })
    const readOnly = Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' })
    for (const [errors, obstacle, places] of [
      [{}, undefined, ['/a/b']],
      [{ '/a/b': readOnly }, 'EROFS: read-only file system', ['/a/b']],
      [{ '/a/b': missing }, undefined, ['/a/b', '/a']],
      [{ '/a/b': missing, '/a': readOnly }, 'EROFS: read-only file system', ['/a/b', '/a']],
      [{ '/a/b': missing, '/a': missing, '/': missing }, 'no such folder', ['/a/b', '/a', '/']],
    ] as const) {
      const { asked, tryAccess } = failing(errors)
      assert.equal(await findObstacle('/a/b', tryAccess), obstacle)
      assert.deepEqual(
        asked,
        places.map((place) => `${place} ${constants.W_OK | constants.X_OK}`),
      )
    }
    const file = join(folder, 'no-folder')
    writeFileSync(file, '')
    assert.match((await findObstacle(file))!, /^EACCES/, 'a file that is no program')
  })

  test('counts late, failed and refused mails', async () => {
    await sql`insert into mail_state (id, failed_at, reason) values (1, ${NOW}, 'connect ECONNREFUSED')
      on conflict (id) do update set failed_at = excluded.failed_at, reason = excluded.reason`.execute(write)
    assert.deepEqual(await find('mail'), ['bad: the mail server does not take mails: connect ECONNREFUSED'])
    await sql`update mail_state set failed_at = null, reason = ''`.execute(write)
    const add = (mail: string) =>
      sql`insert into notification (user_id, kind, source, bundle, mail, next_attempt_at, created_at)
        values (${ANN.id}, 'profile_changed', gen_random_uuid(), 'b', ${mail}, ${hoursAgo(1)}, ${NOW})`.execute(write)
    await add('waiting')
    await add('failed')
    await add('failed')
    assert.deepEqual(await find('mail'), [
      'bad: 1 mail has been waiting for more than 15 minutes: is a worker running?',
      'bad: 2 mails failed permanently',
    ])
    await sql`delete from notification`.execute(write)
    await sql`update user_profile set email_invalid = true where id = ${ANN.id}`.execute(write)
    assert.deepEqual(await find('mail'), ['good: mails are sent', 'info: 1 address does not work'])
    await sql`update user_profile set email_invalid = false`.execute(write)
  })

  test('names jobs that failed for good with their error, but no mail that was left out', async () => {
    assert.deepEqual(await find('jobs'), ['good: no job is late'])
    await addJob(2, 'connect ECONNREFUSED\nat somewhere')
    assert.deepEqual(await find('jobs'), ['good: no job is late'])
    await addJob(3, 'connect ECONNREFUSED\nat somewhere')
    assert.deepEqual(await find('jobs'), ['bad: 2 background jobs failed for good'])
    assert.match((await find('errors')).join('\n'), /: account_mail: connect ECONNREFUSED$/m)
    await sql`update graphile_worker._private_jobs set last_error = ${`${ADDRESS_FAILED} of Ann`}`.execute(write)
    assert.deepEqual(await find('jobs'), ['good: no job is late'])
  })

  test('lists failed jobs and errors of this process, the newest first, ten in all', async () => {
    const log = makeLog('error', { write: () => {} })
    log.error({ task: 'planted' }, 'an error of now')
    const shown = async () => (await find('errors')).map((text) => /planted|early|later|late/.exec(text)?.[0] ?? 'other')
    for (const [error, day] of [
      ['early', '2020-01-01'],
      ['late', '2040-01-01'],
      ['later', '2041-01-01'],
    ] as const) {
      await sql`select graphile_worker.add_job('account_mail', '{}'::json, max_attempts := 3)`.execute(write)
      await sql`update graphile_worker._private_jobs set attempts = 3, last_error = ${error}, updated_at = ${day}
        where id = (select max(id) from graphile_worker._private_jobs)`.execute(write)
    }
    const order = (await shown()).filter((each) => each !== 'other')
    assert.deepEqual(order.filter((each, index) => order.indexOf(each) === index).slice(0, 3), ['later', 'late', 'planted'])
    for (let n = 0; n < 12; n++) log.error({ task: 'planted' }, 'an error of now')
    assert.deepEqual(await shown(), ['later', 'late', ...Array.from({ length: 8 }, () => 'planted')])
  })

  test('counts jobs that wait for a worker', async () => {
    await sql`select graphile_worker.add_job('test', '{}'::json, run_at := now() - interval '16 minutes')`.execute(write)
    assert.deepEqual(await find('jobs'), ['bad: 1 background job has been due for more than 15 minutes: is a worker running?'])
    await sql`update graphile_worker._private_jobs set run_at = now() - interval '14 minutes'`.execute(write)
    assert.deepEqual(await find('jobs'), ['good: no job is late'])
  })

  test('examines address, key, administrators and accounts of the sample data', async () => {
    assert.deepEqual(await findSettings(), [])
    const plain = { ...configOf(), siteUrl: 'http://plan.example.org' }
    assert.deepEqual(await findSettings({ config: plain }), [
      'bad: SITE_URL is plain http: passwords and sessions cross the network unprotected',
    ])
    const sealed = makeKeyring(SECRET_KEY).seal('secret')
    await sql`update user_profile set calendar_token_sealed = ${sealed} where id = ${ANN.id}`.execute(write)
    assert.deepEqual(await findSettings(), [])
    assert.match((await findSettings({ keyring: undefined }))[0]!, /^bad: there is no key for the stored secrets/)
    const other = makeKeyring('x'.repeat(32))
    assert.match((await findSettings({ keyring: other }))[0]!, /^bad: SECRET_KEY: A stored secret was sealed/)
    await sql`update user_profile set calendar_token_sealed = null`.execute(write)
    await sql`update user_profile set is_superuser = false where id = ${OLGA.id}`.execute(write)
    assert.deepEqual(await findSettings(), [`bad: there is no active administrator; ${TURNOUT} create-admin creates one`])
    await sql`update user_profile set is_superuser = true where id = ${OLGA.id}`.execute(write)
    const demo = await world.addPerson({ name: 'Demo', email: 'demo@demo.example' })
    assert.deepEqual(await findSettings(), ['bad: there are demo accounts (@demo.example)'])
    await sql`update user_profile set email = 'demo@a.example' where id = ${demo.id}`.execute(write)
  })

  test('says which partners do not answer, except those that are paused', async () => {
    assert.deepEqual(await find('partners'), [])
    await sql`insert into federated_host (name, url, access_token_sealed, last_error, created_at, next_attempt_at)
      values ('Harbour', 'https://harbour.example', 'x', 'certificate has expired', ${NOW}, ${NOW})`.execute(write)
    assert.deepEqual(await find('partners'), ['bad: Harbour does not answer, last success –: certificate has expired'])
    await sql`update federated_host set last_error = null`.execute(write)
    assert.deepEqual(await find('partners'), ['good: 1 partner answers'])
    await sql`update federated_host set last_error = 'x', paused = true`.execute(write)
    assert.deepEqual(await find('partners'), [])
    await sql`delete from federated_host`.execute(write)
  })

  test('says which partners failed since when, except those that ended the partnership', async () => {
    await sql`insert into federated_host (name, url, access_token_sealed, last_error, last_success_at, created_at, next_attempt_at)
      values ('Harbour', 'https://harbour.example', 'x', 'timeout', ${hoursAgo(3)}, ${NOW}, ${NOW}),
        ('Lake', 'https://lake.example', 'x', null, ${NOW}, ${NOW}, ${NOW})`.execute(write)
    assert.deepEqual(await find('partners'), [
      `bad: Harbour does not answer, last success ${words.relative(hoursAgo(3), NOW)}: timeout`,
    ])
    await sql`update federated_host set ended_by_partner_at = ${NOW} where name = 'Harbour'`.execute(write)
    assert.deepEqual(await find('partners'), ['good: 1 partner answers'])
    await sql`delete from federated_host`.execute(write)
  })

  test('reads the certificates of partners in use on demand', async () => {
    await sql`insert into federated_host (name, url, access_token_sealed, paused, ended_by_partner_at, created_at, next_attempt_at)
      values ('Harbour', 'https://127.0.0.1:1', 'x', false, null, ${NOW}, ${NOW}),
        ('Plain', 'http://127.0.0.1:1', 'x', false, null, ${NOW}, ${NOW}),
        ('Paused', 'https://127.0.0.1:2', 'x', true, null, ${NOW}, ${NOW}),
        ('Ended', 'https://127.0.0.1:3', 'x', false, ${NOW}, ${NOW}, ${NOW})`.execute(write)
    assert.deepEqual(await find('partners'), ['good: 2 partners answer'])
    const [answer, certificate, ...others] = await find('partners', {}, true)
    assert.deepEqual([answer, others], ['good: 2 partners answer', []])
    assert.match(certificate!, /^bad: Harbour: the certificate cannot be read: .*not on the public internet/)
    await sql`delete from federated_host`.execute(write)
  })

  test('names the version and size of the database, and repairs the index of the search for people', async () => {
    const factsOf = async () =>
      (await performChecks(inputOf(), { isThorough: false })).find(({ area }) => area === 'database')!.facts
    const [good, ...none] = await factsOf()
    assert.match(`${good!.state}: ${good!.text}`, /^good: .*\d+ MB/)
    assert.deepEqual(none, [])
    await sql`drop index user_profile_names_idx`.execute(write)
    const [first, missing, ...others] = await factsOf()
    assert.deepEqual([first!.text, missing!.state, others], [good!.text, 'bad', []])
    assert.match(missing!.text, new RegExp(`finds no typing errors.*${TURNOUT} doctor --fix`))
    await missing!.fix!()
    assert.deepEqual(await factsOf(), [good])
  })

  test('compares uploaded files with their records, and deletes those that belong to nothing', async () => {
    const factsOf = async (config = configOf()) =>
      (await performChecks(inputOf({ config }), { isThorough: true })).find(({ area }) => area === 'files')!.facts
    const textsOf = async (config?: Config) => (await factsOf(config)).map(({ state, text }) => `${state}: ${text}`)
    assert.deepEqual(await textsOf(), ['good: every uploaded file is there'])
    const [lost, unused] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
    await sql`insert into stored_file (id, name, content_type, bytes, sha256, created_at)
      values (${lost}, 'a.pdf', 'application/pdf', 1, decode(repeat('00', 32), 'hex'), ${NOW})`.execute(write)
    await world.files.put(unused, Readable.from([Buffer.from('x')]))
    world.files.content.get(unused)!.storedAt = hoursAgo(4)
    await sql`insert into attachment (title) values ('imported')`.execute(write)
    const [missing, without] = [
      `bad: 1 uploaded file is missing in DATA_DIR (${folder}); restore it from a copy or a backup`,
      `bad: 1 file of events was imported without content; ${TURNOUT} import-files --media DIR adds it`,
    ]
    assert.deepEqual(await textsOf(), [
      missing,
      `bad: 1 file in DATA_DIR (${folder}) belongs to nothing: is a worker running?`,
      without,
    ])
    const elsewhere = await textsOf({ ...configOf(), filesUrl: 's3://store.example/bucket' })
    assert.match(elsewhere[0]!, /is missing in FILES_URL;/)
    for (const { fix } of await factsOf()) await fix?.()
    assert.deepEqual(await textsOf(), [missing, without])
    assert.equal(world.files.content.has(unused), false)
    await sql`delete from stored_file where id = ${lost}`.execute(write)
    await sql`delete from attachment where title = 'imported'`.execute(write)
  })

  test('compares stored values with what they follow from, and repairs them', async () => {
    const factsOf = async () =>
      (await performChecks(inputOf(), { isThorough: true })).find(({ area }) => area === 'records')!.facts
    const textsOf = async () => (await factsOf()).map(({ state, text }) => `${state}: ${text}`)
    const { id: event, shifts } = await world.addEvent({ shifts: Array.from({ length: 6 }, () => ({})) })
    await repairStatistics(
      write,
      shifts.map((id) => ({ id, eventId: event })),
    )
    assert.deepEqual(await textsOf(), ['good: all derived values are right'])
    const [shift] = shifts
    await sql`update shift set missing = missing + 1 where id = ${shift}`.execute(write)
    await sql`alter table event disable trigger user`.execute(write)
    await sql`update event set end_time = '2040-01-01' where id = ${event}`.execute(write)
    await sql`alter table event enable trigger user`.execute(write)
    const all = await factsOf()
    assert.deepEqual(
      all.map(({ state, text }) => `${state}: ${text}`),
      [
        `bad: event: start, end and number of shifts: 1 row differs from the source (ids ${event})`,
        `bad: shift: missing, free, minimum and maximum: 1 row differs from the source (ids ${shift})`,
      ],
    )
    for (const { fix } of all) await fix!()
    assert.deepEqual(await textsOf(), ['good: all derived values are right'])
    await sql`update shift set free = coalesce(free, 0) + 1 where id = any (${shifts}::bigint[])`.execute(write)
    const [many] = await textsOf()
    const examples = shifts.slice(0, 5).join(', ')
    assert.equal(many, `bad: shift: missing, free, minimum and maximum: 6 rows differ from the source (ids ${examples})`)
    for (const { fix } of await factsOf()) await fix!()
    assert.deepEqual(await textsOf(), ['good: all derived values are right'])
  })

  test('names extensions with their version, those that are left out, and those that were switched off', async () => {
    const factsOf = async () =>
      (await performChecks(inputOf(), { isThorough: false })).find(({ area }) => area === 'extensions')?.facts ?? []
    assert.deepEqual(await factsOf(), [])
    await sql`insert into extension (name, source, version, is_loaded, problem, stopped_because, stopped_at)
      values ('chat', 'x', '1.2.0', true, null, null, null), ('map', 'x', null, false, 'its file is missing', null, null),
        ('wall', 'x', '2.0.0', true, null, 'five failures', ${NOW}), ('former', 'x', '1.0.0', false, null, null, null)`.execute(
      write,
    )
    await sql`insert into setting (name, value) values ('modules', '[]')
      on conflict (name) do update set value = excluded.value`.execute(write)
    assert.deepEqual(await factsOf(), [
      { state: 'good', text: 'chat 1.2.0' },
      { state: 'bad', text: 'map is left out: its file is missing' },
      { state: 'bad', text: 'wall was switched off after repeated failures: five failures', href: '/manage/modules/' },
    ])
    await sql`delete from extension`.execute(write)
    await sql`delete from setting where name = 'modules'`.execute(write)
  })

  test('shows the space of the folders for data and backups, where they exist', async () => {
    const named = async (env: Record<string, string>) =>
      (await find('disk', { config: configOf(env) })).map((text) => text.replace(/: (?:only )?[\d.,]+ of [\d.,]+ GB free$/, ''))
    const state = (await named({ BACKUP_DIR: '' }))[0]!.split(':')[0]
    assert.deepEqual(await named({ BACKUP_DIR: '' }), [`${state}: ${folder}`])
    assert.deepEqual(await named({}), [`${state}: ${folder}`], 'the folder for backups is made later')
    assert.deepEqual(await named({ BACKUP_DIR: folder }), [`${state}: ${folder}`, `${state}: ${folder}`])
  })

  test('does not mind plain http and sample accounts on the own machine', async () => {
    const demo = await world.addPerson({ name: 'Demo', email: 'other@demo.example' })
    const local = (siteUrl: string) => findSettings({ config: { ...configOf(), siteUrl } })
    assert.deepEqual(await local('http://localhost:8000'), [])
    assert.deepEqual(await local('http://127.0.0.1:8000'), ['bad: there are demo accounts (@demo.example)'])
    await sql`update user_profile set email = 'other@a.example' where id = ${demo.id}`.execute(write)
  })

  test('goes on after a check that cannot be done', async () => {
    const config = { ...configOf(), backupDir: '/proc/1/mem' }
    assert.match((await find('backup', { config }))[0]!, /^bad: this could not be checked: ENOTDIR/)
    assert.deepEqual(await find('version', { config }), [`info: Turnout 1.2.3, Node ${process.versions.node}`])
  })

  test('is a page for administrators, the same as doctor, with everything on demand', async () => {
    for (const who of [ANN, PAUL]) assert.equal((await (await browserOf(world, who)).get(STATUS)).statusCode, 403)
    const olga = await browserOf(world, OLGA)
    const { body } = await olga.get(STATUS)
    assert.deepEqual(checkMarkup(body), [])
    assert.match(body, /MAIL_URL is not set.*BACKUP_DIR is not set/s)
    assert.match(body, /\d things need attention/)
    assert.ok(body.includes(`${TURNOUT} doctor`))
    assert.doesNotMatch(body, /all derived values are right/)
    const all = (await olga.get(`${STATUS}?check=all`)).body
    assert.match(all, /every uploaded file is there.*all derived values are right/s)
    assert.match((await olga.get('/manage/')).body, /href="\/manage\/status\/"/)
  })
})

describe('single rules of the checks', () => {
  for (const [free, size, expected] of [
    [0.9e9, 10e9, true],
    [1.1e9, 10e9, false],
    [4.9e9, 100e9, true],
    [5.1e9, 100e9, false],
    [9.9e9, 1000e9, true],
    [10.1e9, 1000e9, false],
  ] as const)
    test(`${free / 1e9} of ${size / 1e9} GB is ${expected ? 'nearly full' : 'enough'}`, () =>
      assert.equal(isNearlyFull({ free, size }), expected))

  for (const [siteUrl, expected] of [
    ['http://localhost:8000', true],
    ['http://127.0.0.1', true],
    ['http://[::1]:1', true],
    ['http://localhost.example.org', false],
    ['https://plan.example.org', false],
  ] as const)
    test(`${siteUrl} is ${expected ? '' : 'not '}the own machine`, () => assert.equal(isOwnMachine({ siteUrl }), expected))

  for (const [days, state] of [
    [14, 'good'],
    [13.9, 'bad'],
    [-1, 'bad'],
  ] as const)
    test(`a certificate for ${days} more days is ${state}`, () => {
      const end = new Date(NOW.getTime() + days * 24 * 3600_000)
      assert.equal(certificateFact(words, { name: 'Harbour', end, now: NOW }).state, state)
    })

  test('certificates are read only where outgoing requests may go', async () => {
    const server = createServer((socket) => socket.end('no TLS')).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const { port } = server.address() as { port: number }
    const refused = await getCertificateEnd(`https://127.0.0.1:${port}`, { allow: [] })
    assert.match(refused.ok ? '' : refused.reason, /not on the public internet/)
    const answered = await getCertificateEnd(`https://127.0.0.1:${port}`, { allow: ['127.0.0.1'] })
    assert.ok(!answered.ok && !/public internet/.test(answered.reason))
    server.close()
  })
})
