import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { makeLog } from '#platform/log.ts'
import { freshDatabase, openTestDatabase } from '#test/support/database.ts'
import { loadExtensions } from './load.ts'
import { markStuck } from './stop.ts'

/** No export of this file. */
const EXPORT = 'export'
const NOW = new Date('2031-05-04T08:00:00Z')

describe('extensions that an operator names', async () => {
  const root = mkdtempSync(join(tmpdir(), 'turnout-load-'))
  const { url, drop } = await freshDatabase()
  const db = openTestDatabase({ url })
  after(async () => {
    await db.close()
    await drop()
    rmSync(root, { recursive: true })
  })
  const write = (folder: string, version: string, name = folder) => {
    mkdirSync(join(root, folder), { recursive: true })
    writeFileSync(join(root, folder, 'package.json'), JSON.stringify({ name, version, type: 'module', exports: './index.js' }))
    const words = "{ title: 'T', text: 'T', who: 'W' }"
    writeFileSync(
      join(root, folder, 'index.js'),
      `import { defineExtension } from 'turnout/extension'
const extension = defineExtension({ name: '${name}', version: '${version}', turnout: '^1.0', words: { en: ${words}, de: ${words} } })
${EXPORT} { extension as default }`,
    )
  }
  const load = async (...sources: string[]) => {
    const log = makeLog('silent')
    const options = { sources, workingFolder: root, db, databaseUrl: url, log, clock: { now: () => NOW }, features: [] }
    const { features, stop } = await loadExtensions(options)
    await stop()
    return features.map(({ name }) => name)
  }
  const stored = () =>
    db.read
      .selectFrom('extension')
      .select(['name', 'source', 'version', 'is_loaded', 'problem', 'stuck_version', 'loaded_at'])
      .orderBy('name')
      .execute()

  test('are stored as they are loaded', async () => {
    write('first', '1.0.0')
    assert.deepEqual(await load('./first'), ['x_first'])
    assert.deepEqual(await stored(), [
      { name: 'first', source: './first', version: '1.0.0', is_loaded: true, problem: null, stuck_version: null, loaded_at: NOW },
    ])
  })

  test('are left out with the reason, also if another one has the name, and the others are loaded', async () => {
    write('again', '1.0.0', 'first')
    assert.deepEqual(await load('./first', './again', './Not-There'), ['x_first'])
    const [first, missing] = await stored()
    assert.match(first!.problem ?? '', /another extension has the same name/)
    assert.deepEqual([missing!.name, missing!.is_loaded, missing!.version], ['not_there', false, null])
    assert.match(missing!.problem ?? '', /there is no folder/)
  })

  test('that are not named any more are not loaded, and no problem', async () => {
    assert.deepEqual(await load('./first'), ['x_first'])
    write('second', '2.0.0')
    assert.deepEqual(await load('./second'), ['x_second'])
    assert.deepEqual(
      (await stored()).map(({ name, is_loaded, problem }) => [name, is_loaded, problem]),
      [
        ['first', false, null],
        ['not_there', false, null],
        ['second', true, null],
      ],
    )
  })

  test('whose version took the server with it are left out until there is another version', async () => {
    write('stuck', '1.0.0')
    await markStuck(db.write, { source: './stuck', name: 'stuck', version: '1.0.0', problem: 'never ended' })
    assert.deepEqual(await load('./stuck', './second'), ['x_second'])
    const found = async () => (await stored()).find(({ name }) => name === 'stuck')!
    assert.match((await found()).problem ?? '', /never ended and took the server with it\. Another version than 1\.0\.0/)
    assert.equal((await found()).stuck_version, '1.0.0')
    rmSync(join(root, 'stuck'), { recursive: true })
    write('stuck', '1.0.1')
    assert.deepEqual(await load('./stuck'), ['x_stuck'])
    const { version, problem, stuck_version } = await found()
    assert.deepEqual([version, problem, stuck_version], ['1.0.1', null, null])
  })
})
