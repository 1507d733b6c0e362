import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newDir } from '#test/support/embedded-server.ts'
import { linkLibraries, locateBinaries } from './binaries.ts'

test('the error for an unsupported platform says what to do', () => {
  assert.throws(() => locateBinaries('sunos', 'sparc'), {
    name: 'EmbeddedUnavailable',
    message: 'There is no embedded PostgreSQL for sunos-sparc. Set DATABASE_URL to a PostgreSQL 15 or newer instead.',
  })
})

function makePackage(): string {
  const packageDir = newDir()
  mkdirSync(join(packageDir, 'native/lib'), { recursive: true })
  writeFileSync(join(packageDir, 'native/lib/libx.so.1.2'), 'library')
  const links = [{ source: 'native/lib/libx.so.1.2', target: 'native/lib/libx.so.1' }]
  writeFileSync(join(packageDir, 'native/pg-symlinks.json'), JSON.stringify(links))
  return packageDir
}

test('creates the library links that npm packages cannot contain, once', () => {
  const packageDir = makePackage()
  linkLibraries(packageDir)
  linkLibraries(packageDir)
  assert.equal(readlinkSync(join(packageDir, 'native/lib/libx.so.1')), 'libx.so.1.2')
  assert.equal(readFileSync(join(packageDir, 'native/lib/libx.so.1'), 'utf8'), 'library')
})

test('names the command that creates them if another user installed the package', (t) => {
  const packageDir = makePackage()
  chmodSync(join(packageDir, 'native/lib'), 0o555)
  // Modes do not stop root.
  if (process.getuid?.() === 0) {
    process.seteuid!(65534)
    t.after(() => process.seteuid!(0))
  }
  assert.throws(() => linkLibraries(packageDir), {
    name: 'EmbeddedUnavailable',
    message: new RegExp(`Run as the user who installed it: \\(cd ${packageDir} && node scripts/hydrate-symlinks.js\\)$`),
  })
})
