import { lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Account, giveTo, giveToOwnerOf } from './account.ts'

/** What a data directory says about the server that runs on it; may be out of date unless the lock is held. */
export type Running = { socketDir: string; by: 'app' | 'command' }

const RUNNING_FILE = 'running.json'
const SOCKET_PREFIX = 'turnout-'
const LONGEST_SOCKET_DIR = 80

export function readRunning(dir: string): Running | undefined {
  try {
    return JSON.parse(readFileSync(join(dir, RUNNING_FILE), 'utf8')) as Running
  } catch {
    return undefined // none was started yet, or it is being written at this moment
  }
}

/** The path of a unix socket is limited to about 100 bytes, so it cannot stand in the data directory. */
export function makeSocketDir(dir: string, account: Account, by: Running['by']): string {
  removeSocketDir(dir)
  const parent = Buffer.byteLength(tmpdir()) + SOCKET_PREFIX.length + 6 <= LONGEST_SOCKET_DIR ? tmpdir() : '/tmp'
  const socketDir = mkdtempSync(join(parent, SOCKET_PREFIX))
  giveTo(account, socketDir)
  const file = join(dir, RUNNING_FILE)
  writeFileSync(file, JSON.stringify({ socketDir, by } satisfies Running), { mode: 0o600 })
  giveToOwnerOf(dir, file)
  return socketDir
}

export function removeSocketDir(dir: string): void {
  const socketDir = readRunning(dir)?.socketDir
  // The temporary directory is shared: only what has our form is removed, and never through a link that somebody put there.
  if (
    socketDir &&
    basename(socketDir).startsWith(SOCKET_PREFIX) &&
    lstatSync(socketDir, { throwIfNoEntry: false })?.isDirectory()
  ) {
    rmSync(socketDir, { recursive: true, force: true })
  }
  rmSync(join(dir, RUNNING_FILE), { force: true })
}
