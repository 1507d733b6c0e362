import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Account, giveTo, giveToOwnerOf } from './account.ts'

/** The content of running.json. It may be outdated unless the caller holds the lock of the data directory. */
export type Running = { socketDir: string; by: 'app' | 'command' }

const RUNNING_FILE = 'running.json'
const SOCKET_PREFIX = 'turnout-'
const MAX_SOCKET_DIR_BYTES = 80

export function readRunning(dir: string): Running | undefined {
  try {
    return JSON.parse(readFileSync(join(dir, RUNNING_FILE), 'utf8')) as Running
  } catch {
    return undefined // no server has been started yet, or the file is being written
  }
}

/** The path of a unix socket is limited to about 100 bytes, so it cannot be in the data directory. */
export function makeSocketDir(dir: string, account: Account, by: Running['by']): string {
  removeSocketDir(dir)
  const parent = Buffer.byteLength(tmpdir()) + SOCKET_PREFIX.length + 6 <= MAX_SOCKET_DIR_BYTES ? tmpdir() : '/tmp'
  const socketDir = mkdtempSync(join(parent, SOCKET_PREFIX))
  giveTo(account, socketDir)
  const file = join(dir, RUNNING_FILE)
  writeFileSync(file, JSON.stringify({ socketDir, by } satisfies Running), { mode: 0o600 })
  giveToOwnerOf(dir, file)
  return socketDir
}

export function removeSocketDir(dir: string): void {
  const socketDir = readRunning(dir)?.socketDir
  // The temporary directory is shared with other users: remove only a directory with our prefix, and follow no symlink.
  if (
    socketDir &&
    basename(socketDir).startsWith(SOCKET_PREFIX) &&
    lstatSync(socketDir, { throwIfNoEntry: false })?.isDirectory()
  ) {
    rmSync(socketDir, { recursive: true, force: true })
  }
  rmSync(join(dir, RUNNING_FILE), { force: true })
}
