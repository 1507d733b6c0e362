// Installs node_modules when it is missing or was made from another lock file.
// Plain JavaScript for Node 18 and newer: it runs before the pinned Node is there.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const stamp = `${root}node_modules/.turnout-lock`
const wanted = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .update(process.platform + process.arch)
  .digest('hex')
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM']

const isFresh = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** A directory is made atomically, so two commands started at once install only once. */
function takeTurn(mutex) {
  for (let tries = 0; ; tries++) {
    try {
      return mkdirSync(mutex)
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      const since = statSync(mutex, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (Date.now() - since > 600_000) rmSync(mutex, { recursive: true, force: true })
      if (tries === 2) console.error('turnout: another command is installing the dependencies, waiting …')
      pause(500)
    }
  }
}

async function install() {
  console.error('turnout: installing dependencies from package-lock.json (npm ci), a minute or so …')
  // Settings like "omit dev" of the calling npm must not leave out what the commands need.
  const inherited = /^npm_(config_(omit|include|production|ignore_scripts|global|prefix)|lifecycle|package)/i
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)))
  const npm = process.env.npm_execpath
  const flags = ['ci', '--include=optional', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: root, stdio: ['ignore', 2, 2], env }
  const child = npm ? spawn(process.execPath, [npm, ...flags], options) : spawn('npm', flags, options)
  // An interrupted installation ends by way of its clean-up, else the next command would wait for its turn in vain.
  const pass = (signal) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, pass)
  const status = await new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
  for (const signal of SIGNALS) process.off(signal, pass)
  if (status === 0) writeFileSync(stamp, wanted)
  else {
    console.error('turnout: the installation failed; see the lines above.')
    process.exitCode = status // no process.exit(): it would leave the mutex behind
  }
}

if (!isFresh()) {
  const mutex = `${root}.install-lock`
  takeTurn(mutex)
  try {
    if (!isFresh()) await install()
  } finally {
    rmSync(mutex, { recursive: true, force: true })
  }
}
