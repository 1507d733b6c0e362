import { mkdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseAccount } from './account.ts'
import { locateBinaries } from './binaries.ts'
import { CLUSTER_DIR, ensureCluster, readPassword } from './cluster.ts'
import { DataDirInUse, type Lock, lockAsClient, lockDataDir, lockOutClients } from './lock.ts'
import { makeSocketDir, type Running, readRunning, removeSocketDir } from './socket-dir.ts'
import { supervise } from './supervisor.ts'

export type EmbeddedOptions = {
  log?: (line: string) => void
  /** PostgreSQL settings that extend or override the defaults of postmaster.ts. */
  settings?: Record<string, string>
  /** False in tests, to behave as on a machine where root may not create user namespaces. */
  userNamespaces?: boolean
}

export type EmbeddedServer = {
  /** Stays valid until `stop`, also after a restart of the database process. */
  url: string
  stop(): Promise<void>
  /** The id of the current database process. */
  pid(): number
}

export type AttachedServer = Pick<EmbeddedServer, 'url' | 'stop'>

const ATTEMPTS = 300
const ATTEMPT_INTERVAL_MS = 100
const CLIENT_POLL_MS = 50

/**
 * For the server process: starts the PostgreSQL of this data directory and restarts it whenever it exits, until `stop`.
 * Throws DataDirInUse if another server process runs on the directory.
 */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const dir = prepareDataDir(dataDir)
  const lock = await lockAfterRunningCommand(dir)
  return runServer(dir, lock, 'app', options)
}

/** For commands: connects to the server that runs on this data directory, or starts one until the command calls `stop`. */
export async function attachEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<AttachedServer> {
  const dir = prepareDataDir(dataDir)
  let lastError: unknown
  for (let tries = 0; tries < ATTEMPTS; tries++) {
    const lock = tryLockDataDir(dir)
    if (lock) {
      const server = await runServer(dir, lock, 'command', options)
      return { url: server.url, stop: () => stopAfterClients(dir, server) }
    }
    const client = lockAsClient(dir)
    try {
      const url = client && (await reachServer(dir))
      if (url) return { url, stop: async () => client.release() }
    } catch (error) {
      lastError = error
    }
    // The server is starting, restarting or stopping.
    client?.release()
    await sleep(ATTEMPT_INTERVAL_MS)
  }
  throw new Error(`Turnout is running on ${dir}, but its database does not accept connections from this process.`, {
    cause: lastError,
  })
}

function prepareDataDir(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  // Processes of an earlier server are recognised by their working directory, which is a real path.
  return realpathSync(dataDir)
}

function tryLockDataDir(dir: string): Lock | undefined {
  try {
    return lockDataDir(dir)
  } catch (error) {
    if (error instanceof DataDirInUse) return undefined
    throw error
  }
}

/** Waits for a command that runs the server, because commands end soon. Throws at once if a server process runs it. */
async function lockAfterRunningCommand(dir: string): Promise<Lock> {
  for (let tries = 0; tries < ATTEMPTS && readRunning(dir)?.by === 'command'; tries++) {
    const lock = tryLockDataDir(dir)
    if (lock) return lock
    await sleep(ATTEMPT_INTERVAL_MS)
  }
  return lockDataDir(dir)
}

async function stopAfterClients(dir: string, server: EmbeddedServer): Promise<void> {
  let exclusive = lockOutClients(dir)
  while (!exclusive) {
    await sleep(CLIENT_POLL_MS)
    exclusive = lockOutClients(dir)
  }
  await server.stop()
  exclusive.release()
}

async function runServer(dir: string, lock: Lock, by: Running['by'], options: EmbeddedOptions): Promise<EmbeddedServer> {
  try {
    const { log = () => {}, settings = {}, userNamespaces = true } = options
    const native = locateBinaries()
    const cluster = join(dir, CLUSTER_DIR)
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
  client.on('error', () => {}) // connect() already rejects
  try {
    await client.connect()
    return url
  } finally {
    await client.end().catch(() => {})
  }
}
