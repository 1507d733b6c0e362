import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount } from './embedded/account.ts'
import { locateBinaries } from './embedded/binaries.ts'
import { ensureCluster, readPassword } from './embedded/cluster.ts'
import { DataDirInUse, type Lock, lockAsGuest, lockDataDir, lockOutGuests } from './embedded/lock.ts'
import { makeSocketDir, type Running, readRunning, removeSocketDir } from './embedded/socket-dir.ts'
import { supervise } from './embedded/supervisor.ts'

export { EmbeddedUnavailable } from './embedded/binaries.ts'
export { DataDirInUse }

export type EmbeddedOptions = {
  log?: (line: string) => void
  /** Added to, or put in place of, our settings of the server. */
  settings?: Record<string, string>
  /** False: behave as on a machine where root may not make user namespaces. */
  userNamespaces?: boolean
}

export type EmbeddedServer = {
  /** Stays the same for the life of this server, also when the database process had to be started anew. */
  url: string
  stop(): Promise<void>
  /** Of the database process that runs now. */
  pid(): number
}

export type AttachedServer = Pick<EmbeddedServer, 'url' | 'stop'>

/** For the app: runs the PostgreSQL of this data directory, and starts it again whenever it dies, until `stop`. */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const dir = prepareDataDir(dataDir)
  const lock = await lockAfterCommands(dir)
  return runServer(dir, lock, 'app', options)
}

/** For commands: uses the server that runs on this data directory, or runs it until the command stops it. */
export async function attachEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<AttachedServer> {
  const dir = prepareDataDir(dataDir)
  let obstacle: unknown
  for (let tries = 0; tries < 300; tries++) {
    const lock = tryLockDataDir(dir)
    if (lock) {
      const server = await runServer(dir, lock, 'command', options)
      return { url: server.url, stop: () => stopAfterGuests(dir, server) }
    }
    const guest = lockAsGuest(dir)
    try {
      const url = guest && (await reachServer(dir))
      if (url) return { url, stop: async () => guest.release() }
    } catch (error) {
      obstacle = error
    }
    // It is starting, healing or stopping; each of these takes a moment.
    guest?.release()
    await sleep(100)
  }
  throw new Error(`A turnout runs on ${dir}, but its database cannot be reached from here.`, { cause: obstacle })
}

function prepareDataDir(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  return realpathSync(dataDir) // leftovers are recognised by their working directory, which has no symlinks
}

function tryLockDataDir(dir: string): Lock | undefined {
  try {
    return lockDataDir(dir)
  } catch (error) {
    if (error instanceof DataDirInUse) return undefined
    throw error
  }
}

/** A command will be done soon, so the app waits for it; another app is refused at once. */
async function lockAfterCommands(dir: string): Promise<Lock> {
  for (let tries = 0; tries < 300 && readRunning(dir)?.by === 'command'; tries++) {
    const lock = tryLockDataDir(dir)
    if (lock) return lock
    await sleep(100)
  }
  return lockDataDir(dir)
}

async function stopAfterGuests(dir: string, server: EmbeddedServer): Promise<void> {
  let closed = lockOutGuests(dir)
  while (!closed) {
    await sleep(50)
    closed = lockOutGuests(dir)
  }
  await server.stop()
  closed.release()
}

async function runServer(dir: string, lock: Lock, by: Running['by'], options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    const { log = () => {}, settings = {}, userNamespaces = true } = options
    const native = locateBinaries()
    const cluster = join(dir, 'postgres')
    const account = chooseAccount({ dataDir: dir, cluster, native }, userNamespaces)
    await ensureCluster({ dataDir: dir, cluster, native, account, log })
    const socketDir = makeSocketDir(dir, account, by)
    const url = urlOf(socketDir, readPassword(dir))
    const run = await supervise({ native, account, cluster, socketDir, logFile: join(dir, 'postgres.log'), settings, log })
    const stop = async () => {
      try {
        await run.stop()
        removeSocketDir(dir)
      } finally {
        lock.release()
      }
    }
    let stopped: Promise<void> | undefined
    return {
      url,
      pid: run.pid,
      stop: () => {
        stopped ??= stop()
        return stopped
      },
    }
  } catch (error) {
    removeSocketDir(dir)
    lock.release()
    throw error
  }
}

function urlOf(socketDir: string, password: string): string {
  return `postgresql://turnout:${password}@localhost/turnout?host=${encodeURIComponent(socketDir)}`
}

async function reachServer(dir: string): Promise<string | undefined> {
  const running = readRunning(dir)
  if (!running) return undefined
  const url = urlOf(running.socketDir, readPassword(dir))
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {}) // the failed connect says it already
  try {
    await client.connect()
    return url
  } finally {
    await client.end().catch(() => {})
  }
}
