import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

/** Runs npm with an empty cache in the given folder, and returns what it printed. */
export function npm(args: string[], cwd: string, cache: string): string {
  const env = { ...process.env, npm_config_cache: cache, npm_config_update_notifier: 'false' }
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, env, encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  return stdout
}

/** Packs a prepared folder without running its scripts; returns the path of the tarball. */
export function packFolder(source: string, target: string): string {
  const printed = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', target], source, join(target, 'cache'))
  const [{ filename }] = JSON.parse(printed)
  return join(target, filename)
}
