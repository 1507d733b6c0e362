import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Account, giveTo, giveToOwnerOf, spawnArguments } from './account.ts'
import { EmbeddedUnavailable, USE_DATABASE_URL } from './binaries.ts'

/** In the data directory. */
export const CLUSTER_DIR = 'postgres'
const UNFINISHED_PREFIX = 'postgres.new-'

/** True if a database has been created in this data directory. */
export const hasCluster = (dataDir: string): boolean => existsSync(join(dataDir, CLUSTER_DIR))

export function readPassword(dataDir: string): string {
  return readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim()
}

type ClusterOptions = { dataDir: string; cluster: string; native: string; account: Account; log: (line: string) => void }

/** Creates cluster, role, database and password on the first start. The directory is renamed when complete, so that a crash leaves no partial cluster. */
export async function ensureCluster({ dataDir, cluster, native, account, log }: ClusterOptions): Promise<void> {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith(UNFINISHED_PREFIX)) rmSync(join(dataDir, name), { recursive: true, force: true, maxRetries: 5 })
  }
  if (hasCluster(dataDir)) return
  log(`Creating a new database in ${cluster}`)
  const password = randomBytes(24).toString('hex')
  const passwordFile = join(dataDir, 'postgres.password')
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600, flush: true })
  giveToOwnerOf(dataDir, passwordFile)

  const unfinished = mkdtempSync(join(dataDir, UNFINISHED_PREFIX))
  giveTo(account, unfinished)
  const fresh = join(unfinished, 'data')
  const superuserPassword = join(unfinished, 'password')
  writeFileSync(superuserPassword, randomBytes(24).toString('hex'), { mode: 0o600 })
  giveTo(account, superuserPassword)
  await runToEnd(account, join(native, 'bin/initdb'), [
    '-D',
    fresh,
    '-U',
    'postgres',
    `--pwfile=${superuserPassword}`,
    '--auth=scram-sha-256',
    '-E',
    'UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
  ])
  // The application role owns its database and is no superuser, as on an external server. Without a password the superuser cannot
  // connect.
  await runToEnd(
    account,
    join(native, 'bin/postgres'),
    ['--single', '-D', fresh, 'postgres'],
    [
      `create role turnout login createdb password '${password}'`,
      'create database turnout owner turnout',
      'alter role postgres password null',
      '',
    ].join('\n'),
  )
  renameSync(fresh, cluster)
  syncDirectory(dataDir)
  rmSync(unfinished, { recursive: true, force: true })
}

async function runToEnd(account: Account, program: string, args: string[], input = ''): Promise<void> {
  const [file, rest, options] = spawnArguments(account, program, args)
  const child = spawn(file, rest, { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  const ended = new Promise<{ code: number | null; failure?: Error }>((resolve) => {
    child.once('error', (failure) => resolve({ code: null, failure }))
    child.once('close', (code) => resolve({ code }))
  })
  child.stdin.on('error', () => {}) // EPIPE of a program that exits early; its exit code and stderr say more
  child.stdin.end(input)
  const [{ code, failure }, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)])
  // Single-user mode reports a failed statement and continues, so the exit code alone is not enough.
  if (code === 0 && !/^.*\b(ERROR|FATAL|PANIC):/m.test(stderr)) return
  const output = `${failure?.message ?? `exit code ${code}`}\n${stdout}${stderr}`.trim()
  if (failure || code === 126 || code === 127 || output.includes('GLIBC_')) {
    throw new EmbeddedUnavailable(
      `The embedded PostgreSQL cannot run on this system; it needs glibc, which Alpine and other musl systems lack. ${USE_DATABASE_URL}\n${output}`,
    )
  }
  throw new Error(`Could not create the database. Output of ${program}: ${output}`)
}

function syncDirectory(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
