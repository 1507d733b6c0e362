import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { giveToOwnerOf } from './account.ts'

export class DataDirInUse extends Error {
  override name = 'DataDirInUse'
  constructor(dataDir: string) {
    super(`Another turnout is already running on ${dataDir}: stop it first, or give this one another DATA_DIR.`)
  }
}

export type Lock = { release(): void }

/**
 * The lock of the one process that runs the server of a data directory. SQLite takes it as a kernel lock, so that kill -9 frees it,
 * which a pid file cannot do without a race. Nothing else may open `app.lock`: closing it anywhere in this process would drop the lock.
 */
export function lockDataDir(dataDir: string): Lock {
  const lock = tryLock(dataDir, 'app.lock', 'exclusive')
  if (!lock) throw new DataDirInUse(dataDir)
  return lock
}

/** Held by commands that use a server which another process runs; undefined while that server is going down. */
export function lockAsGuest(dataDir: string): Lock | undefined {
  return tryLock(dataDir, 'guests.lock', 'shared')
}

/** Obtained only when no guest is left; keeps new ones out. */
export function lockOutGuests(dataDir: string): Lock | undefined {
  return tryLock(dataDir, 'guests.lock', 'exclusive')
}

function tryLock(dataDir: string, name: string, kind: 'exclusive' | 'shared'): Lock | undefined {
  const file = join(dataDir, name)
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    if (kind === 'exclusive') db.exec('begin exclusive')
    else db.exec('begin; select count(*) from sqlite_schema') // the first read takes the lock, the open transaction keeps it
    giveToOwnerOf(dataDir, file)
    return { release: () => db.close() }
  } catch (error) {
    db.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw new Error(`Cannot lock ${file}: ${(error as Error).message}`, { cause: error })
  }
}

const SQLITE_BUSY = 5
