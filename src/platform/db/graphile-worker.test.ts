import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'

const folder = mkdtempSync(join(tmpdir(), 'turnout-foreign-'))
after(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'package.json'), 'not JSON')
writeFileSync(join(folder, '.graphile-workerrc.cjs'), "console.log('run by somebody else')")

const LOADING = JSON.stringify(new URL('graphile-worker.ts', import.meta.url).href)
const inFolder = (script: string) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stdout, isBroken: /JSON|SyntaxError/.test(stderr) }
}

test('files in the working directory are neither read nor run, and it stays the working directory', () => {
  const script = `import { loadGraphileWorker } from ${LOADING}
    const { run } = loadGraphileWorker()
    console.log(typeof run, process.cwd() === ${JSON.stringify(folder)})`
  assert.deepEqual(inFolder(script), { status: 0, stdout: 'function true\n', isBroken: false })
})

test('the library itself reads them', () => {
  const script = `await import(${JSON.stringify(import.meta.resolve('graphile-worker'))})`
  assert.deepEqual(inFolder(script), { status: 1, stdout: '', isBroken: true })
})
