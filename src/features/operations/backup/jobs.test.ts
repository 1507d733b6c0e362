import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { makeMemoryStore } from '#test/support/file-store.ts'
import { openWorld } from '#test/support/world.ts'
import { checkArchive } from './commands/restore.ts'
import { type BackupJobOptions, backupGauges, backupTasks } from './jobs.ts'
import { backupFileName, findNightlyBackups, getLastBackup } from './queries/backups.ts'

const SECRET_KEY = 'a key of the tests, long enough to be taken'

describe('nightly backups', async () => {
  const world = await openWorld()
  const parent = mkdtempSync(join(tmpdir(), 'nightly-test-'))
  after(() => rmSync(parent, { recursive: true }))

  const makeTasks = (config: Partial<BackupJobOptions['config']>, more: Partial<BackupJobOptions> = {}) =>
    backupTasks({
      db: world.db,
      clock: { now: () => world.now },
      files: makeMemoryStore(),
      site: { keyring: makeKeyring(SECRET_KEY), timeZone: 'Europe/Berlin', defaultLanguage: 'en' },
      secretKey: SECRET_KEY,
      version: '0.1.0',
      ...more,
      config: {
        backupDir: undefined,
        backupKeep: 3,
        backupPassphrase: undefined,
        siteUrl: 'https://a.example',
        defaultLanguage: 'en',
        ...config,
      },
    })
  const runTasks = async (config: Partial<BackupJobOptions['config']>) => {
    for (const task of makeTasks(config)) await task.run({})
  }
  const advanceOneDay = () => {
    world.now = new Date(world.now.getTime() + 24 * 3600_000)
  }

  test('are not made without BACKUP_DIR', () => {
    assert.deepEqual(makeTasks({}), [])
  })

  test('are complete, readable by the owner only, and rotated', async () => {
    const backupDir = join(parent, 'kept')
    for (let night = 0; night < 5; night++) {
      await runTasks({ backupDir })
      advanceOneDay()
    }
    writeFileSync(join(backupDir, 'notes.txt'), 'another file')
    const kept = await findNightlyBackups(backupDir)
    assert.deepEqual(
      kept.map(({ madeAt }) => Math.round((world.now.getTime() - madeAt.getTime()) / 24 / 3600_000)),
      [1, 2, 3],
    )
    assert.deepEqual(readdirSync(backupDir).length, 4)
    assert.deepEqual([statSync(backupDir).mode & 0o777, statSync(kept[0]!.path).mode & 0o777], [0o700, 0o600])
    assert.ok((await checkArchive(kept[0]!.path, undefined)).rows > 10)
  })

  test('are encrypted if there is a passphrase', async () => {
    const backupDir = join(parent, 'sealed')
    await runTasks({ backupDir, backupPassphrase: 'correct horse battery' })
    const [made] = await findNightlyBackups(backupDir)
    await assert.rejects(checkArchive(made!.path, undefined), /encrypted/)
    assert.equal((await checkArchive(made!.path, 'correct horse battery')).manifest.secret_key, SECRET_KEY)
  })

  test('that fail leave the older ones in place', async () => {
    const backupDir = join(parent, 'failing')
    await runTasks({ backupDir })
    const before = readdirSync(backupDir)
    advanceOneDay()
    const [task] = makeTasks({ backupDir, backupKeep: 1, backupPassphrase: 'correct horse battery' }, { secretKey: undefined })
    await assert.rejects(task!.run({}), /needs the secret key/)
    assert.deepEqual(readdirSync(backupDir), before)
  })

  test('are measured by the newest one, whatever the order of the names', async () => {
    assert.deepEqual(backupGauges(undefined), [])
    const backupDir = mkdtempSync(join(parent, 'measured-'))
    const gauges = backupGauges(backupDir)
    assert.deepEqual(
      gauges.map(({ name, help }) => [name, help]),
      [
        ['turnout_backup_newest_timestamp_seconds', 'Time of the newest nightly backup; absent if there is none'],
        ['turnout_backup_newest_bytes', 'Size of the newest nightly backup'],
      ],
    )
    const figures = () => Promise.all(gauges.map(({ read }) => read()))
    assert.deepEqual([await figures(), await getLastBackup(backupDir)], [[undefined, undefined], undefined])
    for (const [day, text] of [
      ['2031-04-30', 'one'],
      ['2031-05-02', 'three'],
      ['2031-05-01', 'to'],
    ] as const)
      writeFileSync(join(backupDir, backupFileName(new Date(`${day}T01:30:05Z`))), text)
    const newest = new Date('2031-05-02T01:30:05Z')
    assert.deepEqual([await figures(), await getLastBackup(backupDir)], [[newest.getTime() / 1000, 5], newest])
    writeFileSync(join(parent, 'no-folder'), '')
    await assert.rejects(findNightlyBackups(join(parent, 'no-folder')), { code: 'ENOTDIR' })
  })

  test('replace the partial file of a crashed backup', async () => {
    const backupDir = join(parent, 'crashed')
    await runTasks({ backupDir })
    advanceOneDay()
    writeFileSync(join(backupDir, `${backupFileName(world.now)}.partial`), 'partial')
    await runTasks({ backupDir, backupKeep: 1 })
    assert.deepEqual(readdirSync(backupDir), [backupFileName(world.now)])
  })
})
