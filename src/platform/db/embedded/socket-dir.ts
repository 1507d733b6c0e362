import { randomUUID } from 'node:crypto'
import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Account, giveTo, giveToOwnerOf } from './account.ts'

/** The content of running.json. It may be outdated unless the caller holds the lock of the data directory. */
export type Running = {
  socketDir: string
  by: 'app' | 'command'
  /** Device, inode and a random id, also stored in the socket directory: a copy of the data directory owns no socket directory. */
  owner: string
}

const RUNNING_FILE = 'running.json'
const SOCKET_PREFIX = 'turnout-'
const OWNER_FILE = 'owner'
const MAX_SOCKET_DIR_BYTES = 80

/** Undefined in a copy of a data directory: the file then describes the server of the original. */
export function readRunning(dir: string): Running | undefined {
  try {
    const running = JSON.parse(readFileSync(join(dir, RUNNING_FILE), 'utf8')) as Running
    return running.owner.startsWith(identify(dir)) ? running : undefined
  } catch {
    return undefined // no server has been started yet, or the file is being written
  }
}

function identify(dir: string): string {
  const { dev, ino } = statSync(dir, { bigint: true })
  return `${dev}:${ino}:`
}

/** The path of a unix socket is limited to about 100 bytes, so it cannot be in the data directory. */
export function makeSocketDir(dir: string, account: Account, by: Running['by']): string {
  removeSocketDir(dir)
  const parent = Buffer.byteLength(tmpdir()) + SOCKET_PREFIX.length + 6 <= MAX_SOCKET_DIR_BYTES ? tmpdir() : '/tmp'
  const socketDir = mkdtempSync(join(parent, SOCKET_PREFIX))
  giveTo(account, socketDir)
  const owner = identify(dir) + randomUUID()
  writeFileSync(join(socketDir, OWNER_FILE), owner, { mode: 0o600 })
  const file = join(dir, RUNNING_FILE)
  writeFileSync(file, JSON.stringify({ socketDir, by, owner } satisfies Running), { mode: 0o600 })
  giveToOwnerOf(dir, file)
  return socketDir
}

export function removeSocketDir(dir: string): void {
  const running = readRunning(dir)
  if (running && isOwnedBy(running)) rmSync(running.socketDir, { recursive: true, force: true })
  rmSync(join(dir, RUNNING_FILE), { force: true })
}

/** The temporary directory is shared with other users: accept only a directory with our prefix and owner, and follow no symlink. */
function isOwnedBy({ socketDir, owner }: Running): boolean {
  if (!basename(socketDir).startsWith(SOCKET_PREFIX)) return false
  if (!lstatSync(socketDir, { throwIfNoEntry: false })?.isDirectory()) return false
  try {
    return readFileSync(join(socketDir, OWNER_FILE), 'utf8') === owner
  } catch {
    return false
  }
}
