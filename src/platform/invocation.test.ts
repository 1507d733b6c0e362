import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { invocationOf } from './invocation.ts'

describe('commands are named as they are called', () => {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-invocation-'))
  after(() => rmSync(folder, { recursive: true }))
  const rootWith = (...files: string[]) => {
    const root = `${mkdtempSync(join(folder, 'root-'))}/`
    for (const file of files) {
      mkdirSync(dirname(join(root, file)), { recursive: true })
      writeFileSync(join(root, file), '')
    }
    return root
  }

  test('in a clone by npx', () => assert.equal(invocationOf(rootWith('src/cli.ts', 'bin/turnout.js')), 'npx turnout'))
  test('in the packages for npm and Debian by their command', () => {
    assert.equal(invocationOf(rootWith('dist/cli.js', 'bin/turnout.js')), 'turnout')
    assert.equal(invocationOf(rootWith('dist/cli.js')), 'turnout')
  })
  test('in the image by Node', () => {
    const root = rootWith('src/cli.ts')
    assert.equal(invocationOf(root), `node ${root}src/cli.ts`)
  })
})
