import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { openWorld } from '#test/support/world.ts'
import { checkArchive } from './commands/restore.ts'
import { backupTasks, type NightlyOptions } from './jobs.ts'
import { findNightlyBackups, nameOfBackup } from './queries/backups.ts'

const SECRET_KEY = 'a key of the tests, long enough to be taken'

describe('nightly backups', async () => {
  const world = await openWorld()
  const parent = mkdtempSync(join(tmpdir(), 'nightly-test-'))
  after(() => rmSync(parent, { recursive: true }))

  const tasksFor = (config: Partial<NightlyOptions['config']>, more: Partial<NightlyOptions> = {}) =>
    backupTasks({
      db: world.db,
      clock: { now: () => world.now },
      keyring: makeKeyring(SECRET_KEY),
      secretKey: SECRET_KEY,
      version: '0.1.0',
      ...more,
      config: {
        backupDir: undefined,
        backupKeep: 3,
        backupPassphrase: undefined,
        siteUrl: 'https://a.example',
        timeZone: 'Europe/Berlin',
        defaultLanguage: 'en',
        ...config,
      },
    })
  const runFor = async (config: Partial<NightlyOptions['config']>) => {
    for (const task of tasksFor(config)) await task.run({})
  }
  const nextNight = () => {
    world.now = new Date(world.now.getTime() + 24 * 3600_000)
  }

  test('are not made without a place for them', () => {
    assert.deepEqual(tasksFor({}), [])
  })

  test('are whole, for the owner alone, and the oldest go', async () => {
    const backupDir = join(parent, 'kept')
    for (let night = 0; night < 5; night++) {
      await runFor({ backupDir })
      nextNight()
    }
    writeFileSync(join(backupDir, 'notes.txt'), 'not ours')
    const kept = await findNightlyBackups(backupDir)
    assert.deepEqual(
      kept.map(({ madeAt }) => Math.round((world.now.getTime() - madeAt.getTime()) / 24 / 3600_000)),
      [1, 2, 3],
    )
    assert.deepEqual(readdirSync(backupDir).length, 4)
    assert.deepEqual([statSync(backupDir).mode & 0o777, statSync(kept[0]!.path).mode & 0o777], [0o700, 0o600])
    assert.ok((await checkArchive(kept[0]!.path, undefined)).rows > 10)
  })

  test('are sealed when there is a passphrase', async () => {
    const backupDir = join(parent, 'sealed')
    await runFor({ backupDir, backupPassphrase: 'correct horse battery' })
    const [made] = await findNightlyBackups(backupDir)
    await assert.rejects(checkArchive(made!.path, undefined), /sealed/)
    assert.equal((await checkArchive(made!.path, 'correct horse battery')).manifest.secret_key, SECRET_KEY)
  })

  test('that fail leave the older ones alone', async () => {
    const backupDir = join(parent, 'failing')
    await runFor({ backupDir })
    const before = readdirSync(backupDir)
    nextNight()
    const [task] = tasksFor({ backupDir, backupKeep: 1, backupPassphrase: 'correct horse battery' }, { secretKey: undefined })
    await assert.rejects(task!.run({}), /needs the secret key/)
    assert.deepEqual(readdirSync(backupDir), before)
  })

  test('take the place of one that a crash left unfinished', async () => {
    const backupDir = join(parent, 'crashed')
    await runFor({ backupDir })
    nextNight()
    writeFileSync(join(backupDir, `${nameOfBackup(world.now)}.partial`), 'left by a crash')
    await runFor({ backupDir, backupKeep: 1 })
    assert.deepEqual(readdirSync(backupDir), [nameOfBackup(world.now)])
  })
})
