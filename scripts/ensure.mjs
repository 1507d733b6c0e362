// Installs node_modules if it is missing or was installed from another lock file.
// Plain JavaScript for Node 18 and newer: it runs before the pinned Node is installed.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const stamp = `${root}node_modules/.turnout-lock`
const lockHash = createHash('sha256')
  .update(readFileSync(`${root}package-lock.json`))
  .update(process.platform + process.arch)
  .digest('hex')
const SIGNALS = ['SIGHUP', 'SIGINT', 'SIGTERM']
const STALE_LOCK_MS = 600_000

const isInstalled = () => (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash) || hasAllPackages()

/** After an `npm ci` or `npm install` of the user: npm lists what it installed in a lock file of its own. */
function hasAllPackages() {
  const listed = readPackages('node_modules/.package-lock.json')
  const wanted = readPackages('package-lock.json')
  if (!listed || !wanted) return false
  const isFor = (names, own) => names === undefined || [names].flat().includes(own)
  return Object.entries(wanted).every(([path, { version, integrity, optional, os, cpu, libc }]) => {
    if (path === '') return true
    const found = listed[path]
    if (found) return found.version === version && found.integrity === integrity && existsSync(`${root}${path}/package.json`)
    return optional === true && !(os && cpu && !libc && isFor(os, process.platform) && isFor(cpu, process.arch))
  })
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(`${root}${file}`, 'utf8')).packages
  } catch {
    return undefined // missing, or being written
  }
}
const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Creating a directory is atomic, so only one of several commands installs. */
function acquireLock(lock) {
  for (let tries = 0; ; tries++) {
    try {
      return mkdirSync(lock)
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      const createdAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0
      if (Date.now() - createdAt > STALE_LOCK_MS) rmSync(lock, { recursive: true, force: true })
      if (tries === 2) console.error('turnout: another command is installing the dependencies, waiting for it')
      sleep(500)
    }
  }
}

async function install() {
  console.error('turnout: installing dependencies from package-lock.json (npm ci); this takes about a minute')
  // The calling npm may pass settings such as "omit dev", which would leave out packages that the commands need.
  const inherited = /^npm_(config_(omit|include|production|ignore_scripts|global|prefix)|lifecycle|package)/i
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !inherited.test(name)))
  const npm = process.env.npm_execpath
  const flags = ['ci', '--include=optional', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const options = { cwd: root, stdio: ['ignore', 2, 2], env }
  const child = npm ? spawn(process.execPath, [npm, ...flags], options) : spawn('npm', flags, options)
  // Forward signals and wait for the child, so that an interrupted installation releases the lock.
  const forward = (signal) => child.kill(signal)
  for (const signal of SIGNALS) process.on(signal, forward)
  const status = await new Promise((resolve) => {
    child.once('error', () => resolve(1))
    child.once('exit', (code) => resolve(code ?? 1))
  })
  for (const signal of SIGNALS) process.off(signal, forward)
  if (status === 0) writeFileSync(stamp, lockHash)
  else {
    console.error('turnout: the installation failed; see the output above.')
    process.exitCode = status // not process.exit(), which would skip releasing the lock
  }
}

if (!isInstalled()) {
  const lock = `${root}.install-lock`
  acquireLock(lock)
  try {
    if (!isInstalled()) await install()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}
