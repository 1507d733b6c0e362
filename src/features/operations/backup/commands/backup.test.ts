import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { loadDemoWorld } from '#demo/world.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { readMigrations } from '#platform/db/migrate.ts'
import type { Database } from '#platform/db/pool.ts'
import { FORMER_HISTORY } from '#platform/db/renumbered.ts'
import type { FileStore } from '#platform/files/store.ts'
import { compareFiles, keepFile } from '#platform/files/stored-files.ts'
import type { Upload } from '#platform/files/upload.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { findRestoredTables } from '#test/support/restored-tables.ts'
import { findStoredTables } from '../queries/tables.ts'
import { type BackupOptions, makeBackup } from './backup.ts'
import { findDrift } from './denormalised.ts'
import { checkArchive, restoreBackup } from './restore.ts'
import { TransferError } from './transfer-error.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const SECRET_KEY = 'a key of the tests, long enough to be taken'
const keyring = makeKeyring(SECRET_KEY)
const PASSPHRASE = 'correct horse battery staple'
const folder = mkdtempSync(join(tmpdir(), 'backup-test-'))
after(() => rmSync(folder, { recursive: true }))

const site = { url: 'https://a.example', timeZone: 'Europe/Berlin', language: 'en' }
const makeOptions = (path: string, more: Partial<BackupOptions> = {}): BackupOptions => ({
  path,
  files: makeMemoryStore(),
  keyring,
  secretKey: SECRET_KEY,
  site,
  turnout: '0.1.0',
  now: NOW,
  ...more,
})

async function openFresh(): Promise<Database> {
  const { url, drop } = await freshDatabase()
  const db = openTestDatabase({ url })
  after(async () => {
    await db.close()
    await drop()
  })
  return db
}

/** A database with two groups, as it was after this migration. */
async function openOlder(last: string): Promise<Database> {
  const old = await openFresh()
  await sql`drop schema public cascade`.execute(old.write)
  await sql`create schema public`.execute(old.write)
  await sql`create table migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())`.execute(
    old.write,
  )
  for (const { name, sql: text, checksum } of readMigrations().filter((migration) => migration.name <= last)) {
    await sql.raw(`/* ${name} */ ${text}`).execute(old.write)
    await old.write.insertInto('migration').values({ name, checksum }).execute()
  }
  await sql`insert into user_group (name) values ('Helpers'), ('Planners')`.execute(old.write)
  return old
}

/** A fingerprint of every table that is restored, whatever the order of its rows. */
async function contentOf({ read }: Database): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {}
  for (const { name, columns } of await findRestoredTables(read)) {
    const chosen = sql.join(columns.map((column) => sql.ref(column)))
    const { rows } = await sql<{ rows: number; print: string }>`
      select count(*)::int as rows, md5(coalesce(string_agg(each::text, e'\n' order by each::text), '')) as print
      from (select ${chosen} from ${sql.table(name)}) each`.execute(read)
    found[name] = rows[0]
  }
  return found
}

type Restoring = { passphrase?: string; replace?: boolean; files?: FileStore }

async function restoreInto(db: Database, path: string, more: Restoring = {}): Promise<void> {
  const options = { path, passphrase: more.passphrase, replace: more.replace ?? false, files: more.files ?? makeMemoryStore() }
  await restoreBackup(db.write, options, await checkArchive(path, options.passphrase))
}

describe('a backup', async () => {
  const source = await openFresh()
  const plain = join(folder, 'plain.backup')
  const encrypted = join(folder, 'encrypted.backup')
  before(async () => {
    const passwords = { ann: 'ann-and-her-secret', paul: 'paul-and-his-secret', olga: 'olga-and-her-secret' }
    const world = { db: source, now: NOW, seed: 'backup', timeZone: 'Europe/Berlin', keyring, log: () => {} }
    await loadDemoWorld({ ...world, language: 'en', passwords } as never)
    // Numbers that JavaScript would round, and characters that need escaping.
    await sql`update shift set structure_configuration = '{"big": 12345678901234567890.123, "text": "tab\\t \\"quotes\\" ünïcödé 🚒"}'
      where id = (select min(id) from shift)`.execute(source.write)
    await sql`update user_profile set created_at = '2026-01-02 03:04:05.678901+00', date_of_birth = '0099-02-28'
      where id = (select min(id) from user_profile)`.execute(source.write)
    await makeBackup(source.write, makeOptions(plain))
    await makeBackup(source.write, makeOptions(encrypted, { passphrase: PASSPHRASE }))
  })

  test('restores every table, with and without a passphrase', async () => {
    const expected = await contentOf(source)
    assert.ok(Object.values(expected).filter((table) => (table as { rows: number }).rows > 0).length > 30)
    for (const [path, passphrase] of [
      [plain, undefined],
      [encrypted, PASSPHRASE],
    ] as const) {
      const target = await openFresh()
      await restoreInto(target, path, { ...(passphrase ? { passphrase } : {}) })
      assert.deepEqual(await contentOf(target), expected)
      assert.deepEqual(await findDrift(target.read), [])
    }
  })

  test('restores a working instance: new ids do not collide and triggers work', async () => {
    const target = await openFresh()
    await restoreInto(target, plain)
    const maxId = async (db: Database) =>
      (await sql<{ id: number }>`select max(id) as id from user_group`.execute(db.read)).rows[0]!.id
    const { id } = await target.write.insertInto('user_group').values({ name: 'later' }).returning('id').executeTakeFirstOrThrow()
    assert.ok(id > (await maxId(source)))
    const shift = await target.write.selectFrom('shift').select(['id', 'event_id']).limit(1).executeTakeFirstOrThrow()
    await target.write.deleteFrom('participation').where('shift_id', '=', shift.id).execute()
    await target.write
      .updateTable('shift')
      .set({ end_time: new Date('2040-01-01') })
      .where('id', '=', shift.id)
      .execute()
    const event = await target.read.selectFrom('event').select('end_time').where('id', '=', shift.event_id).executeTakeFirst()
    assert.deepEqual([event!.end_time, await findDrift(target.read)], [new Date('2040-01-01'), []])
  })

  test('is documented JSON Lines in gzip, with columns of each table and a checksum', () => {
    const lines = gunzipSync(readFileSync(plain)).toString('utf8').trimEnd().split('\n')
    const parsed = lines.map((line) => JSON.parse(line))
    assert.equal(parsed[0].format, 'turnout-backup')
    assert.deepEqual(
      parsed[0].migrations.map(({ name }: { name: string }) => name),
      readMigrations().map(({ name }) => name),
    )
    assert.ok(parsed.some((line) => line.table === 'event' && line.columns.includes('title')))
    const { end } = parsed.at(-1)
    const before = lines.slice(0, -1).map((line) => `${line}\n`)
    assert.equal(end.sha256, createHash('sha256').update(before.join('')).digest('hex'))
    assert.equal(end.rows.event, parsed.filter((line) => line.row && 'cancellation_reason' in line.row).length)
  })

  test('is readable by the owner only, and contains the secret key only if it is encrypted', async () => {
    for (const path of [plain, encrypted]) assert.equal(statSync(path).mode & 0o777, 0o600)
    assert.ok(!gunzipSync(readFileSync(plain)).includes(SECRET_KEY))
    assert.ok(!readFileSync(encrypted).includes('turnout-backup'))
    const [open, closed] = await Promise.all([checkArchive(plain, undefined), checkArchive(encrypted, PASSPHRASE)])
    assert.deepEqual([open.manifest.secret_key, open.manifest.key_id], [undefined, keyring.keyId])
    assert.equal(closed.manifest.secret_key, SECRET_KEY)
  })

  test('names its cipher, its key derivation and their cost in the first line, if it is encrypted', () => {
    const bytes = readFileSync(encrypted)
    const { salt, ...header } = JSON.parse(bytes.subarray(0, bytes.indexOf('\n')).toString('utf8'))
    assert.equal(Buffer.from(salt, 'base64').length, 16)
    assert.deepEqual(header, {
      turnout: 'sealed backup',
      version: 1,
      cipher: 'aes-256-gcm',
      kdf: 'scrypt',
      N: 131_072,
      r: 8,
      p: 1,
    })
  })

  test('leaves out tables of other schemas, also those that refer to each other', async () => {
    const beside = await openFresh()
    await sql`create schema other`.execute(beside.write)
    await sql`create table other.event (id int primary key, parent_id int references other.event)`.execute(beside.write)
    await sql`create table other.shift (id int primary key, event_id int references other.event)`.execute(beside.write)
    const names = async (db: Database) => (await findStoredTables(db.read)).map(({ name }) => name)
    assert.deepEqual(await names(beside), await names(source))
  })

  test('starts another change feed, so that no cursor of the former one works', async () => {
    const target = await openFresh()
    await target.write.insertInto('user_group').values({ name: 'ours' }).execute()
    const feed = target.read.selectFrom('change_feed').select(['id', 'position'])
    const before = await feed.executeTakeFirstOrThrow()
    await restoreInto(target, plain, { replace: true })
    const restored = await feed.execute()
    assert.deepEqual([restored.length, restored[0]!.position, restored[0]!.id === before.id], [1, 0, false])
    assert.deepEqual(await target.read.selectFrom('change_pending').select('id').execute(), [])
  })

  test('overwrites an instance only with --replace', async () => {
    const target = await openFresh()
    await target.write.insertInto('user_group').values({ name: 'ours' }).execute()
    const before = await contentOf(target)
    await assert.rejects(restoreInto(target, plain), /not empty.*--replace/)
    assert.deepEqual(await contentOf(target), before)
    await restoreInto(target, plain, { replace: true })
    assert.deepEqual(await contentOf(target), await contentOf(source))
  })

  const damaged: [what: string, make: (whole: Buffer) => Buffer, message: RegExp][] = [
    ['an empty file', () => Buffer.alloc(0), /not a Turnout backup/],
    ['some other file', () => Buffer.from('PK\u0003\u0004 a spreadsheet'), /not a Turnout backup/],
    ['another compressed file', () => gzipSync('{"format":"something-else"}\n'), /not a Turnout backup/],
    ['a file cut in the middle', (whole) => whole.subarray(0, whole.length / 2), /damaged/],
    ['a file without its last byte', (whole) => whole.subarray(0, -1), /damaged/],
    ['a file with one bit changed', (whole) => flip(whole, Math.floor(whole.length / 2)), /damaged/],
    ['a changed row', (whole) => repack(whole, (text) => text.replace('"title":"', '"title":"x')), /checksum/],
    ['a missing row', (whole) => repack(whole, (text) => text.replace(/^\{"row".*\n/m, '')), /checksum|should have/],
    ['a missing end', (whole) => repack(whole, (text) => text.replace(/^\{"end".*\n/m, '')), /end is missing/],
    ['something after the end', (whole) => repack(whole, (text) => `${text}{"row":{}}\n`), /data after its end/],
    [
      'a newer schema',
      (whole) => repack(whole, (text) => text.replace('"migrations":[', '"migrations":[{"name":"9999_later","checksum":"0"},')),
      /which has a different database schema/,
    ],
  ]
  for (const [what, make, message] of damaged) {
    test(`is refused before anything is changed: ${what}`, async () => {
      const path = join(folder, 'damaged.backup')
      writeFileSync(path, make(readFileSync(plain)))
      await assert.rejects(
        checkArchive(path, undefined),
        (error) => error instanceof TransferError && message.test(error.message),
      )
    })
  }

  const broken: [what: string, make: (whole: Buffer) => Buffer, passphrase: string | undefined, message: RegExp][] = [
    ['no passphrase', (whole) => whole, undefined, /Set BACKUP_PASSPHRASE/],
    ['another passphrase', (whole) => whole, `${PASSPHRASE}!`, /passphrase is wrong/],
    ['cut after a whole chunk', cutLastChunk, PASSPHRASE, /damaged/],
    ['cut in a chunk', (whole) => whole.subarray(0, -5), PASSPHRASE, /damaged/],
    ['a changed bit', (whole) => flip(whole, whole.length - 40), PASSPHRASE, /damaged/],
    ['bytes at the end', (whole) => Buffer.concat([whole, Buffer.from('x')]), PASSPHRASE, /damaged/],
    ['a costly header', (whole) => replaceHeader(whole, '"N":131072', '"N":1073741824'), PASSPHRASE, /damaged/],
    ['a changed header', (whole) => replaceHeader(whole, '"p":1', '"p":2'), PASSPHRASE, /passphrase is wrong/],
  ]
  for (const [what, make, passphrase, message] of broken) {
    test(`that is encrypted is refused: ${what}`, async () => {
      const path = join(folder, 'broken.backup')
      writeFileSync(path, make(readFileSync(encrypted)))
      await assert.rejects(
        checkArchive(path, passphrase),
        (error) => error instanceof TransferError && message.test(error.message),
      )
    })
  }

  test('contains uploaded files, and tells which ones are missing', async () => {
    const db = await openFresh()
    const files = makeMemoryStore()
    const large = randomBytes(1_000_000)
    const uploads = [Buffer.from('%PDF-1.7'), large, Buffer.from('lost')].map((bytes) => ({ id: randomUUID(), bytes }))
    for (const { id, bytes } of uploads) {
      await db.write.transaction().execute((tx) => keepFile(tx, uploadOf(id, bytes), NOW))
      if (bytes.toString() !== 'lost') await files.put(id, Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]))
    }
    const path = join(folder, 'files.backup')
    const made = await makeBackup(db.write, makeOptions(path, { files, passphrase: PASSPHRASE }))
    assert.deepEqual([made.files, made.missingFiles], [2, 1])
    const [target, restored] = [await openFresh(), makeMemoryStore()]
    await restoreInto(target, path, { passphrase: PASSPHRASE, files: restored })
    const kept = uploads.slice(0, 2).sort((a, b) => a.id.localeCompare(b.id))
    assert.deepEqual(
      [...restored.content].map(([id, { bytes }]) => ({ id, bytes })),
      kept,
    )
    assert.deepEqual((await compareFiles(target.read, restored, new Date())).missing, [uploads[2]!.id])
  })

  test('with a missing file is refused', async () => {
    const db = await openFresh()
    const [files, id] = [makeMemoryStore(), randomUUID()]
    await db.write.transaction().execute((tx) => keepFile(tx, uploadOf(id, Buffer.from('%PDF-1.7')), NOW))
    await files.put(id, Readable.from([Buffer.from('%PDF-1.7')]))
    const path = join(folder, 'cut-files.backup')
    await makeBackup(db.write, makeOptions(path, { files }))
    writeFileSync(
      path,
      repack(readFileSync(path), (text) => signed(text.replace(/^\{"file".*\n/m, ''))),
    )
    await assert.rejects(checkArchive(path, undefined), /should have 1 files/)
  })

  test('that fails leaves no file behind', async () => {
    const path = join(folder, 'unfinished.backup')
    const failing = makeBackup(source.write, makeOptions(path, { progress: () => assert.fail('the disk is full') }))
    await assert.rejects(failing, /the disk is full/)
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('unfinished')),
      [],
    )
  })

  test('with the former numbering of migrations is restored completely', async () => {
    const old = await openOlder('0011_instance')
    const made = join(folder, 'merged.backup')
    await makeBackup(old.write, makeOptions(made))
    const path = join(folder, 'renumbered.backup')
    writeFileSync(path, withHistory(readFileSync(made), FORMER_HISTORY))
    const target = await openFresh()
    await restoreInto(target, path)
    const groups = await target.read.selectFrom('user_group').select('name').orderBy('id').execute()
    assert.deepEqual(groups, [{ name: 'Helpers' }, { name: 'Planners' }])
    const applied = await target.read.selectFrom('migration').select('name').orderBy('name').execute()
    assert.deepEqual(
      applied,
      readMigrations().map(({ name }) => ({ name })),
    )
  })

  test('with an incomplete former history is refused', async () => {
    const path = join(folder, 'incomplete.backup')
    writeFileSync(path, withHistory(readFileSync(plain), FORMER_HISTORY.slice(0, -1)))
    await assert.rejects(checkArchive(path, undefined), TransferError)
  })

  test('of an older schema is migrated', async () => {
    const old = await openOlder('0009_participations')
    const path = join(folder, 'old.backup')
    await makeBackup(old.write, makeOptions(path))
    const { manifest } = await checkArchive(path, undefined)
    assert.equal(manifest.migrations.at(-1)!.name, '0009_participations')
    const target = await openFresh()
    await restoreInto(target, path)
    const groups = await target.read.selectFrom('user_group').select('name').orderBy('id').execute()
    const applied = await target.read.selectFrom('migration').select('name').orderBy('name').execute()
    assert.deepEqual(groups, [{ name: 'Helpers' }, { name: 'Planners' }])
    assert.deepEqual(
      applied,
      readMigrations().map(({ name }) => ({ name })),
    )
    const tables = async (db: Database) => (await findStoredTables(db.read)).map(({ name, columns }) => [name, columns])
    assert.deepEqual(await tables(target), await tables(source))
    // Also those that a migration of a running instance builds outside a transaction.
    assert.deepEqual(await indexesOf(target), await indexesOf(source))
  })
})

async function indexesOf({ read }: Database): Promise<string[]> {
  const { rows } = await sql<{ definition: string }>`
    select indexdef as definition from pg_indexes where schemaname = 'public' order by indexdef`.execute(read)
  return rows.map(({ definition }) => definition)
}

const uploadOf = (id: string, bytes: Buffer): Upload => ({
  id,
  name: 'proof.pdf',
  type: 'application/pdf',
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at]! ^= 1
  return copy
}

const repack = (whole: Buffer, change: (text: string) => string): Buffer => gzipSync(change(gunzipSync(whole).toString('utf8')))

/** Replaces the list of migrations in the manifest of a backup. */
const withHistory = (whole: Buffer, migrations: readonly { name: string; checksum: string }[]): Buffer =>
  repack(whole, (text) => {
    const lines = text.split('\n')
    lines[0] = JSON.stringify({ ...JSON.parse(lines[0]!), migrations })
    return signed(lines.join('\n'))
  })

/** With the checksum that fits the changed text. */
function signed(text: string): string {
  const lines = text.split('\n')
  const end = JSON.parse(lines.at(-2)!)
  const before = lines.slice(0, -2).map((line) => `${line}\n`)
  end.end.sha256 = createHash('sha256').update(before.join('')).digest('hex')
  return `${before.join('')}${JSON.stringify(end)}\n`
}

function replaceHeader(whole: Buffer, from: string, to: string): Buffer {
  const end = whole.indexOf(10)
  const header = whole.subarray(0, end).toString('utf8')
  assert.ok(header.includes(from))
  return Buffer.concat([Buffer.from(header.replace(from, to)), whole.subarray(end)])
}

function cutLastChunk(whole: Buffer): Buffer {
  let at = whole.indexOf(10) + 1
  let last = at
  while (at < whole.length) {
    last = at
    at += 4 + (whole.readUInt32BE(at) & 0x7fffffff) + 16
  }
  return whole.subarray(0, last)
}
