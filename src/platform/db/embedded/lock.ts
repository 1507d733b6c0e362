import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { OperatorError } from '../../operator-error.ts'
import { giveToOwnerOf } from './account.ts'

export class DataDirInUse extends OperatorError {
  override name = 'DataDirInUse'
  constructor(dataDir: string) {
    super(`Another turnout is already running on ${dataDir}: stop it first, or give this one another DATA_DIR.`)
  }
}

export type Lock = { release(): void }

/**
 * Held by the process that runs the server of a data directory. SQLite takes it as a kernel lock, which is released on kill -9;
 * a pid file cannot do that without a race. No other code may open `app.lock`: POSIX drops the locks of a process when any of its
 * descriptors of the file is closed.
 */
export function lockDataDir(dataDir: string): Lock {
  const lock = tryLock(dataDir, 'app.lock', 'exclusive')
  if (!lock) throw new DataDirInUse(dataDir)
  return lock
}

/** Held by commands that use a server of another process. Undefined while that server is stopping. */
export function lockAsClient(dataDir: string): Lock | undefined {
  return tryLock(dataDir, 'clients.lock', 'shared')
}

/** Undefined while a client uses the server. Once taken, new clients are kept out. */
export function lockOutClients(dataDir: string): Lock | undefined {
  return tryLock(dataDir, 'clients.lock', 'exclusive')
}

function tryLock(dataDir: string, name: string, kind: 'exclusive' | 'shared'): Lock | undefined {
  const file = join(dataDir, name)
  const db = new DatabaseSync(file, { timeout: 0 })
  try {
    if (kind === 'exclusive') db.exec('begin exclusive')
    else db.exec('begin; select count(*) from sqlite_schema') // the first read takes the shared lock and the open transaction keeps it
    giveToOwnerOf(dataDir, file)
    return { release: () => db.close() }
  } catch (error) {
    db.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined
    throw new Error(`Cannot lock ${file}: ${(error as Error).message}`, { cause: error })
  }
}

const SQLITE_BUSY = 5
