#!/usr/bin/env node
// Plain JavaScript for Node 18 and newer: starts the program with the pinned Node 24. In a clone it installs dependencies if needed; an
// installed package contains JavaScript in dist/, because Node refuses TypeScript inside node_modules.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const isClone = existsSync(`${root}src/cli.ts`)
if (isClone) await import('../scripts/ensure.mjs')
if (!process.exitCode) {
  const node = findPinnedNode() ?? process.execPath
  const compileCache = new URL('../scripts/compile-cache.mjs', import.meta.url).href
  const program = `${root}${isClone ? 'src/cli.ts' : 'dist/cli.js'}`
  const child = spawn(node, ['--import', compileCache, program, ...process.argv.slice(2)], { stdio: 'inherit' })
  // A terminal signals the whole process group, a supervisor only this process.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`turnout: cannot start ${node}: ${error.message}`)
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

/** npm puts the package of this platform into our node_modules, or beside us. */
function findPinnedNode() {
  const require = createRequire(import.meta.url)
  const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  for (const name of [`node-${platform}`, `node-bin-${platform}`]) {
    try {
      const manifest = require.resolve(`${name}/package.json`)
      return join(dirname(manifest), require(manifest).bin.node)
    } catch {
      // not the name for this platform, or installed without optional packages
    }
  }
  return undefined
}
