import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readConfig } from '#platform/config.ts'
import { placeOfSecretKey } from './data-directory.ts'

const KEY = 'k'.repeat(32)

describe('a hint about the secret key names the place where it stands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-key-'))
  after(() => rmSync(folder, { recursive: true }))
  const settings = join(folder, 'turnout.env')
  const key = join(folder, 'secret-key.env')
  const other = join(folder, 'other.env')
  writeFileSync(settings, 'SITE_URL=https://plan.example\n')
  writeFileSync(key, `SECRET_KEY=${KEY}\n`)
  writeFileSync(other, `SECRET_KEY=${'o'.repeat(32)}\n`)

  const CASES: [name: string, env: Record<string, string>, nodeOptions: string[], place: string][] = [
    ['made by this program', {}, [], `the file ${folder}/secret-key`],
    ['a variable of the environment', { SECRET_KEY: KEY }, [], 'the setting SECRET_KEY'],
    [
      'a file that Node reads',
      { SECRET_KEY: KEY },
      [`--env-file=${settings}`, `--env-file-if-exists=${join(folder, 'missing.env')}`, `--env-file-if-exists=${key}`],
      `SECRET_KEY in ${key}`,
    ],
    ['a variable that replaces the one of the file', { SECRET_KEY: KEY }, [`--env-file=${other}`], 'the setting SECRET_KEY'],
  ]
  for (const [name, env, nodeOptions, place] of CASES)
    test(name, () => assert.equal(placeOfSecretKey(readConfig({ ...env, DATA_DIR: folder }, 'command'), nodeOptions), place))

  test('as the command of the Debian package starts Node', () => {
    const script = `import { readConfig } from '#platform/config.ts'
      import { placeOfSecretKey } from '#platform/command-line/data-directory.ts'
      console.log(placeOfSecretKey(readConfig(process.env, 'command')))`
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [`--env-file=${settings}`, `--env-file-if-exists=${key}`, '--input-type=module', '--eval', script],
      { cwd: fileURLToPath(new URL('../../..', import.meta.url)), env: { PATH: process.env.PATH }, encoding: 'utf8' },
    )
    assert.equal(stdout, `SECRET_KEY in ${key}\n`, stderr)
  })
})
