import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { backupFileName } from '#features/operations/backup/queries/backups.ts'
import { type Job, UsageError } from '#platform/command-line/command.ts'
import { readConfig } from '#platform/config.ts'
import { freshDatabase, type TestDatabase } from '#test/support/database.ts'
import { runOn } from '#test/support/postgres-server.ts'
import { upgrade } from './upgrade.ts'

describe('upgrade --check', () => {
  let database: TestDatabase
  const folder = mkdtempSync(join(tmpdir(), 'upgrade-test-'))
  const settings = { SITE_URL: 'https://plan.example', SECRET_KEY: 'k'.repeat(32) }
  before(async () => {
    database = await freshDatabase()
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await database.drop()
  })

  async function check(more: Record<string, string> = {}, values: Record<string, boolean> = { check: true }) {
    const lines: string[] = []
    const terminal = { print: (line: string) => void lines.push(line) } as unknown as Job['terminal']
    const env = { ...settings, DATABASE_URL: database.url, ...more }
    const config = readConfig({ DATABASE_URL: database.url, ...more, SECRET_KEY: settings.SECRET_KEY }, 'command')
    const code = await upgrade.run({ config, values, operands: [], terminal, env } as unknown as Job)
    return { code, lines, text: lines.join('\n') }
  }

  test('finds nothing in the way if everything is applied', async () => {
    const { code, text } = await check()
    assert.match(text, /^this version: Turnout \d+\.\d+\.\d+, Node \d+/m)
    assert.match(text, /^database: PostgreSQL \d+.*, \d+\.\d MB$/m)
    assert.match(text, /^migrations: \d+ applied, 0 pending$/m)
    assert.match(text, /^settings: valid for serve$/m)
    assert.match(text, /nothing is in the way of the upgrade$/)
    assert.equal(code, 0)
  })

  test('names pending migrations, with what they do to tables in use', async () => {
    await runOn(database.url, `delete from migration where name >= '0034'`)
    const { code, text } = await check()
    assert.match(text, /^migrations: 33 applied, \d+ pending$/m)
    assert.match(text, /^ {2}0034_modified_at$/m)
    assert.match(text, /^ {4}\w+ \(\d+ (bytes|kB), 0 rows.*\): .*; stop the nodes of the version before first$/m)
    assert.match(text, /^ {4}rate_count.*: adds something new; nothing in use is locked$/m)
    assert.equal(code, 0)
  })

  test('refuses a database of a newer version', async (t) => {
    t.after(() => runOn(database.url, `delete from migration where name = '9999_newer'`))
    await runOn(database.url, `insert into migration (name, checksum) values ('9999_newer', 'x')`)
    const { code, text } = await check()
    assert.match(text, /^problem: The database has migration 9999_newer, which this version of Turnout does not know/m)
    assert.match(text, /1 to solve before the upgrade$/)
    assert.equal(code, 1)
  })

  test('judges the age of the newest backup', async () => {
    assert.match((await check()).text, /^backup: BACKUP_DIR is not set/m)
    assert.match((await check({ BACKUP_DIR: folder })).text, /^problem: backup: there is none in/m)
    const write = (hours: number) => writeFileSync(join(folder, backupFileName(new Date(Date.now() - hours * 3_600_000))), 'x')
    write(30)
    assert.match((await check({ BACKUP_DIR: folder })).text, /^problem: backup: the newest is 30\.0 hours old/m)
    write(20)
    assert.match((await check({ BACKUP_DIR: folder })).text, /^backup: the newest is 20\.0 hours old/m)
  })

  test('reports settings that serve would refuse', async () => {
    const { code, text } = await check({ SECRET_KEY: 'short' })
    assert.match(text, /^problem: settings: SECRET_KEY must have 32 bytes or more$/m)
    assert.equal(code, 1)
  })

  test('does nothing without --check', async () => {
    await assert.rejects(check({}, {}), UsageError)
  })
})
