#!/usr/bin/env node
// Plain JavaScript for Node 18 and newer: installs dependencies if needed, then starts the pinned Node 24.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
await import('../scripts/ensure.mjs')
if (!process.exitCode) {
  const pinned = `${root}node_modules/.bin/node`
  const node = existsSync(pinned) ? pinned : process.execPath
  const compileCache = new URL('../scripts/compile-cache.mjs', import.meta.url).href
  const child = spawn(node, ['--import', compileCache, `${root}src/cli.ts`, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal signals the whole process group, a supervisor only this process.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
