import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type Kysely, sql } from 'kysely'
import { eraseAccount } from '#features/accounts/users/commands/account-state.ts'
import { erasureSteps } from '#features/accounts/users/points.ts'
import { readArchive } from '#features/operations/backup/commands/archive.ts'
import { makeBackup } from '#features/operations/backup/commands/backup.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { personalDataOf } from '#platform/features/personal-data.ts'
import { deleteUnusedFiles } from '#platform/files/stored-files.ts'
import { contextWith } from '#test/support/added.ts'
import { addCanary, CANARY, dumpTables, readHidden, TRACES, tracesIn } from '#test/support/canary.ts'
import { contextAs } from '#test/support/command-context.ts'
import { findJobs } from '#test/support/mail-outbox.ts'
import { ANN, OLGA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { ADDED, FEATURES } from '../../../features.ts'
import { eraseDueAccounts } from './commands/erasure-requests.ts'
import { rowsOf } from './queries/export.ts'

const PERSONAL_DATA = personalDataOf(FEATURES)
const ERASURE_STEPS = ADDED(erasureSteps)

/** Sealed columns that can contain what identifies a person. */
const SEALED_TEXTS = [
  'external_session.id_token_sealed',
  'idempotency_key.body',
  'pending_sign_in.id_token_sealed',
  'private_calendar.address_sealed',
  'totp_factor.secret_sealed',
]
/** Sealed columns with random secrets. */
const SEALED_SECRETS = [
  'channel_code.code_sealed',
  'event_check_in.token_sealed',
  'extension_setting.value_sealed',
  'federated_guest.client_secret_sealed',
  'federated_host.access_token_sealed',
  'guest.access_token_sealed',
  'guest_share.token_sealed',
  'guest_updates.secret_sealed',
  'host_updates.next_secret_sealed',
  'host_updates.old_secret_sealed',
  'host_updates.secret_sealed',
  'identity_provider.client_secret_sealed',
  'invite_code.code_sealed',
  'join_link.token_sealed',
  'oauth_signing_key.key_sealed',
  'push_key.sealed_private_key',
  'user_profile.calendar_token_sealed',
  'webhook.old_secret_sealed',
  'webhook.secret_sealed',
]

/** References that are not as `personal-data.ts` promises after an erasure. */
async function wrongReferences(db: Kysely<DB>, userId: number): Promise<string[]> {
  const wrong: string[] = []
  for (const entry of PERSONAL_DATA) {
    const { rows } = await sql<{ row: Record<string, unknown> }>`
      select to_jsonb(t) as row from ${sql.table(entry.table)} t where ${rowsOf(entry, userId)}`.execute(db)
    const isWrong =
      (entry.erased === 'deleted' && rows.length > 0) ||
      (entry.erased === 'anonymous' && rows.length === 0) ||
      (entry.erased === 'cleared' && rows.some(({ row }) => row.personal !== null))
    if (isWrong) wrong.push(`${entry.table}.${entry.column} is not ${entry.erased}`)
  }
  return wrong
}

describe('a canary', async () => {
  const world = await openWorld()
  const canary = await addCanary(world)
  const { person } = canary
  const { write } = world.db
  const countOf = async () =>
    (
      await sql`select count(*)::int as places, count(*) filter (where state = 1)::int as confirmed, sum(extract(epoch from end_time - start_time))::int as seconds
        from participation where shift_id = ${canary.shifts.past}`.execute(write)
    ).rows[0]
  const before = await countOf()

  class Undone extends Error {}
  const eraseWithout = async (left: string | undefined): Promise<string[]> => {
    let found: string[] = []
    const steps = ERASURE_STEPS.filter(({ name }) => name !== left)
    await write
      .transaction()
      .execute(async (tx: Tx) => {
        await eraseAccount(tx, contextWith(contextAs(world, OLGA), erasureSteps, steps), person.id)
        const mails = await findJobs({ ...world.db, write: tx }, 'account_mail')
        found = [
          ...tracesIn(await dumpTables(tx, world.app.site.keyring)),
          ...(await wrongReferences(tx, person.id)),
          ...(mails.length ? ['mails wait'] : []),
        ]
        throw new Undone()
      })
      .catch((error) => {
        if (!(error instanceof Undone)) throw error
      })
    return found
  }

  test('is in many tables before', async () => {
    assert.ok(tracesIn(await dumpTables(write, world.app.site.keyring)).length > 20)
  })

  test('is found inside of what is sealed or compressed', async () => {
    const { keyring } = world.app.site
    const plain = await dumpTables(write)
    const opened = await dumpTables(write, keyring)
    for (const table of SEALED_TEXTS.map((name) => `public.${name.split('.')[0]}`)) {
      const count = (dump: Map<string, string>) => dump.get(table)!.match(TRACES)?.length ?? 0
      assert.ok(count(opened) > count(plain), table)
    }
    const { rows } = await sql<{ name: string }>`
      select table_name || '.' || column_name as name from information_schema.columns
      where table_schema = 'public' and column_name ~ 'seal'`.execute(write)
    const sealed = [...rows.map(({ name }) => name), 'idempotency_key.body']
    assert.deepEqual(sealed.sort(), [...SEALED_TEXTS, ...SEALED_SECRETS].sort())
    for (const compress of [gzipSync, deflateSync, zstdCompressSync])
      assert.match(readHidden(`(1,"\\\\x${compress(CANARY.name).toString('hex')}")`, keyring), /Zacharias/)
  })

  test('is in no table after all steps', async () => {
    assert.deepEqual(await eraseWithout(undefined), [])
  })

  for (const { name } of ERASURE_STEPS)
    test(`leaves traces without the step “${name}”`, async () => {
      assert.notDeepEqual(await eraseWithout(name), [])
    })

  test('is in no table, log line, file, later backup or search after an administrator deleted the person', async () => {
    const olga = await browserOf(world, OLGA)
    const asked = await olga.get(`/manage/people/${person.id}/delete/`)
    assert.match(asked.body, /Comments and messages that the person wrote to others stay/)
    world.logLines.length = 0
    assert.equal((await olga.post(`/manage/people/${person.id}/delete/`)).statusCode, 303)
    // The message “… was deleted” is in a cookie of the administrator only.
    assert.deepEqual(tracesIn(await dumpTables(write, world.app.site.keyring)), [])
    assert.deepEqual(await wrongReferences(write, person.id), [])
    assert.doesNotMatch(world.logLines.join('\n'), TRACES)
    await deleteUnusedFiles(write, world.files, new Date(world.now.getTime() + 86_400_000))
    assert.deepEqual([...world.files.content.keys()], [canary.fileIds[1]], 'the file of the event stays')
    const path = join(mkdtempSync(join(tmpdir(), 'canary-')), 'later.backup')
    const keyring = makeKeyring('k'.repeat(32))
    const site = { url: 'https://a.example', timeZone: 'Europe/Berlin', language: 'en' }
    await makeBackup(write, { path, files: world.files, keyring, secretKey: 'k'.repeat(32), site, turnout: '1', now: world.now })
    let content = ''
    for await (const part of readArchive(path, undefined))
      content += part.kind === 'file' ? part.data.toString('latin1') : JSON.stringify(part)
    assert.match(content, /Former member/)
    assert.doesNotMatch(content, TRACES)
    // Shows and removes the message.
    await olga.get('/')
    for (const text of ['zacharias', 'canarius', CANARY.email])
      for (const url of [`/manage/people/?q=${text}`, `/manage/log/?who=${text}`, `/manage/log/?q=${text}`]) {
        const found = await olga.get(url)
        const shown = found.body.replaceAll(`value="${text}"`, '').replaceAll(/<(title|a)[^>]*>[^<]*|href="[^"]*"/g, '')
        assert.doesNotMatch(shown, TRACES, url)
      }
    assert.deepEqual(await world.as(OLGA, 'CONFIDENTIAL_READ').ids('/api/users/?search=canarius'), [])
  })

  test('leaves counts and hours of events as they were', async () => {
    assert.deepEqual(await countOf(), before)
    const { rows } = await sql<{
      hours: string
      reason: string
    }>`select hours, reason from working_hours where user_id = ${person.id}`.execute(write)
    assert.deepEqual(
      rows.map(({ hours, reason }) => [Number(hours), reason]),
      [[3.5, '']],
    )
  })
})

describe('deleting the own account', async () => {
  const world = await openWorld({ hasMail: true })
  const { write } = world.db
  const DATA = '/settings/data/'
  const setting = (name: string, value: unknown) =>
    sql`insert into setting (name, value) values (${name}, ${JSON.stringify(value)}) on conflict (name) do update set value = excluded.value`.execute(
      write,
    )
  const erase = () => eraseDueAccounts({ db: write, now: world.now, site: world.app.site, requestId: null })
  const isDeleted = async (id: number) =>
    (await write.selectFrom('user_profile').select('deleted_at').where('id', '=', id).executeTakeFirstOrThrow()).deleted_at !==
    null
  const after = (days: number) => new Date(Date.parse('2031-05-01T10:00:00Z') + days * 86_400_000)

  test('needs the tick, can be taken back, and happens after 14 days', async () => {
    const emil = await world.addPerson({ name: 'Emil' })
    const browser = await browserOf(world, emil)
    assert.equal((await browser.post(`${DATA}erase/`)).statusCode, 422)
    assert.equal((await browser.post(`${DATA}erase/`, { form: { confirm: 'on' } })).statusCode, 303)
    assert.match((await browser.get(DATA)).body, /Your account will be deleted on/)
    const mails = await findJobs(world.db, 'account_mail')
    assert.deepEqual(
      mails.map(({ payload }) => [payload.kind, payload.userId]),
      [['erasure_requested', emil.id]],
    )
    await browser.post(`${DATA}keep/`)
    world.now = after(15)
    assert.deepEqual([await erase(), await isDeleted(emil.id)], [0, false])
    world.now = after(0)
    await browser.post(`${DATA}erase/`, { form: { confirm: 'on' } })
    world.now = after(13)
    assert.deepEqual([await erase(), await isDeleted(emil.id)], [0, false])
    world.now = after(14)
    assert.deepEqual([await erase(), await isDeleted(emil.id)], [1, true])
    assert.equal((await browser.get(DATA)).statusCode, 303, 'the session has ended')
    world.now = after(0)
  })

  test('waits for an administrator if the setting says so', async () => {
    await setting('erasure_needs_approval', true)
    const [finn, gina] = [await world.addPerson({ name: 'Finn' }), await world.addPerson({ name: 'Gina' })]
    for (const person of [finn, gina]) await (await browserOf(world, person)).post(`${DATA}erase/`, { form: { confirm: 'on' } })
    world.now = after(20)
    assert.equal(await erase(), 0)
    const olga = await browserOf(world, OLGA)
    assert.match((await olga.get('/manage/privacy/')).body, /Finn.*needs approval/s)
    await olga.post(`/manage/privacy/requests/${finn.id}/agree/`)
    await olga.post(`/manage/privacy/requests/${gina.id}/refuse/`)
    assert.equal(await erase(), 1)
    assert.deepEqual([await isDeleted(finn.id), await isDeleted(gina.id)], [true, false])
    const ann = await browserOf(world, ANN)
    assert.equal((await ann.post(`/manage/privacy/requests/${gina.id}/agree/`)).statusCode, 403)
    await setting('erasure_needs_approval', false)
    world.now = after(0)
  })

  test('is refused for the last administrator, also when it is due', async () => {
    const world2 = await openWorld()
    const stella = await world2.addPerson({ name: 'Stella', isStaff: true })
    const browser = await browserOf(world2, stella)
    await browser.post(`${DATA}erase/`, { form: { confirm: 'on' } })
    const rows = () => world2.db.write.selectFrom('erasure_request').selectAll().execute()
    assert.equal((await rows()).length, 0)
    const tom = await world2.addPerson({ name: 'Tom', isStaff: true })
    await browser.post(`${DATA}erase/`, { form: { confirm: 'on' } })
    assert.equal((await rows()).length, 1)
    await world2.setActive(tom, false)
    const context = { db: world2.db.write, now: after(30), site: world2.app.site, requestId: null }
    assert.equal(await eraseDueAccounts(context), 0)
    await world2.setActive(tom, true)
    assert.equal(await eraseDueAccounts(context), 1)
  })

  test('cannot be asked for with a token', async () => {
    const token = await world.makeToken(ANN, ['ME_READ', 'CONFIDENTIAL_WRITE'])
    const reply = await world.with({ authorization: `Bearer ${token}` }).status(`${DATA}erase/`, { unchecked: true })
    assert.notEqual(reply, 200)
  })
})
