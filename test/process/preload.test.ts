import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'

const PRELOADED = new URL('../../scripts/compile-cache.mjs', import.meta.url).href

const FILES: Record<string, string> = {
  'main.mjs': "import { names } from 'mixed'\nconsole.log(names.join())\n",
  'node_modules/mixed/package.json': JSON.stringify({ name: 'mixed', type: 'module', exports: './index.js' }),
  'node_modules/mixed/index.js': [
    "import first from './parts/first.js'",
    "import second from './parts/second.js'",
    "import older from './older/deep/file.js'",
    "import oldest from './older/deep/next.js'",
    'export const names = [first, second, older, oldest]',
  ].join('\n'),
  'node_modules/mixed/parts/first.js': "import second from './second.js'\nexport default 'first of ' + second\n",
  'node_modules/mixed/parts/second.js': "export default 'second'\n",
  'node_modules/mixed/older/package.json': JSON.stringify({ type: 'commonjs' }),
  'node_modules/mixed/older/deep/file.js': "module.exports = 'older'\n",
  'node_modules/mixed/older/deep/next.js': "module.exports = 'oldest'\n",
}

describe('the preloaded search for modules', () => {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-preload-'))
  after(() => rmSync(dir, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), content)
  }

  test('finds the same files in the same formats in a package with modules and CommonJS', () => {
    const run = (...options: string[]) => spawnSync(process.execPath, [...options, join(dir, 'main.mjs')], { encoding: 'utf8' })
    const usual = run()
    const preloaded = run('--import', PRELOADED)
    assert.equal(usual.stdout, 'first of second,second,older,oldest\n')
    assert.deepEqual([preloaded.stdout, preloaded.stderr], [usual.stdout, usual.stderr])
  })
})
