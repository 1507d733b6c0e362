import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EmbeddedUnavailable, USE_DATABASE_URL } from './binaries.ts'

/** The user that the server runs as. PostgreSQL refuses to run as root. */
export type Account = {
  name: string
  /** A command that switches the user, in front of the command line of the server. */
  prefix: string[]
  ids: { uid: number; gid: number } | undefined
}

/** The server is `nobody` inside the namespace and root outside: it can enter root's private directories, and its files belong to root. */
const NAMESPACE: Account = {
  name: 'nobody in a user namespace',
  prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534'],
  ids: undefined,
}

/** A fixed environment: PGPORT, PGOPTIONS and secrets of the application must not reach the server. */
const SERVER_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

export function spawnArguments(account: Account, program: string, args: string[]) {
  const [file, ...rest] = [...account.prefix, program, ...args] as [string, ...string[]]
  return [file, rest, { cwd: '/', env: SERVER_ENV, ...account.ids }] as const
}

type Paths = { dataDir: string; cluster: string; native: string }

export function chooseAccount(paths: Paths, userNamespaces: boolean): Account {
  if (process.getuid?.() !== 0) return { name: 'the current user', prefix: [], ids: undefined }
  const obstacles: string[] = []
  for (const account of candidates(paths, userNamespaces)) {
    const found = findObstacle(account, paths)
    if (!found) {
      if (account.ids) openFor(account.ids, paths)
      return account
    }
    obstacles.push(found)
  }
  throw new EmbeddedUnavailable(
    `PostgreSQL refuses to run as root, and no other account can run it here: ${obstacles.join('; ')}. ` +
      `Open that directory, choose another DATA_DIR, or run turnout as an ordinary user. ${USE_DATABASE_URL}`,
  )
}

function candidates({ dataDir, cluster }: Paths, userNamespaces: boolean): Account[] {
  const owner = statSync(cluster, { throwIfNoEntry: false }) ?? statSync(dataDir)
  // A directory of an ordinary user stays usable for that user, because root may run only a single command.
  if (owner.uid !== 0) return [{ name: `user ${owner.uid}`, prefix: [], ids: { uid: owner.uid, gid: owner.gid } }]
  return [...(userNamespaces ? [NAMESPACE] : []), ...ordinaryUsers()]
}

function ordinaryUsers(): Account[] {
  const rows = readFileSync('/etc/passwd', 'utf8').split('\n')
  return ['postgres', 'nobody'].flatMap((name) => {
    const row = rows.find((line) => line.startsWith(`${name}:`))?.split(':')
    return row ? [{ name: `user ${name}`, prefix: [], ids: { uid: Number(row[2]), gid: Number(row[3]) } }] : []
  })
}

/** Why this account cannot run the server: user namespaces are disabled, or a parent directory cannot be entered. */
function findObstacle(account: Account, { dataDir, native }: Paths): string | undefined {
  // A data directory of root is opened for the ordinary user later; that of another user is not changed.
  const isOwnedByRoot = statSync(dataDir).uid === 0
  const directories = new Set([
    ...ancestors(isOwnedByRoot && account.ids ? dirname(dataDir) : dataDir),
    ...ancestors(join(native, 'bin')),
  ])
  const walk = 'for dir do cd "$dir" 2>/dev/null || { printf %s "$dir"; exit 3; }; done'
  const [file, args, options] = spawnArguments(account, '/bin/sh', ['-c', walk, 'sh', ...directories])
  const result = spawnSync(file, args, { ...options, encoding: 'utf8' })
  if (result.status === 0) return undefined
  if (result.status === 3) return `${account.name} cannot enter ${result.stdout}`
  return `${account.name} is not available (${result.error?.message ?? result.stderr.trim()})`
}

function ancestors(path: string): string[] {
  return path === dirname(path) ? [path] : [...ancestors(dirname(path)), path]
}

function openFor(ids: { uid: number; gid: number }, { dataDir, cluster }: Paths): void {
  const { uid, mode } = statSync(dataDir)
  if (uid === 0) chmodSync(dataDir, (mode & 0o777) | 0o011)
  if (statSync(cluster, { throwIfNoEntry: false })?.uid === 0) {
    for (const name of readdirSync(cluster, { recursive: true, encoding: 'utf8' }))
      lchownSync(join(cluster, name), ids.uid, ids.gid)
    chownSync(cluster, ids.uid, ids.gid)
  }
}

export function giveTo(account: Account, path: string): void {
  if (account.ids) chownSync(path, account.ids.uid, account.ids.gid)
}

/** A file that root creates in the data directory of an ordinary user must stay accessible to that user. */
export function giveToOwnerOf(dataDir: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir)
  if (uid !== 0) chownSync(path, uid, gid)
}
