import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { EmbeddedUnavailable, USE_DATABASE_URL } from './binaries.ts'

/** Who the server runs as. PostgreSQL refuses root, so root lends it another identity. */
export type Account = {
  name: string
  /** Programs that take on the identity, put before the server's own command line. */
  prefix: string[]
  ids: { uid: number; gid: number } | undefined
}

/** Seen from inside the namespace the server is `nobody`, seen from outside root: it passes root's private directories, files stay root's. */
const NAMESPACE: Account = {
  name: 'nobody in a user namespace',
  prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534'],
  ids: undefined,
}

/** A fixed environment: PGPORT, PGOPTIONS and the app's secrets must not reach the server. */
export const SERVER_ENV = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
}

export function spawnArguments(account: Account, program: string, args: string[]) {
  const [file, ...rest] = [...account.prefix, program, ...args] as [string, ...string[]]
  return [file, rest, { cwd: '/', env: SERVER_ENV, ...account.ids }] as const
}

type Places = { dataDir: string; cluster: string; native: string }

export function chooseAccount(places: Places, userNamespaces: boolean): Account {
  if (process.getuid?.() !== 0) return { name: 'the current user', prefix: [], ids: undefined }
  const obstacles: string[] = []
  for (const account of candidates(places, userNamespaces)) {
    const found = findObstacle(account, places)
    if (!found) {
      if (account.ids) openFor(account.ids, places)
      return account
    }
    obstacles.push(found)
  }
  throw new EmbeddedUnavailable(
    `PostgreSQL refuses to run as root, and no other account can run it here: ${obstacles.join('; ')}. ` +
      `Open that directory, choose another DATA_DIR, or run turnout as an ordinary user. ${USE_DATABASE_URL}`,
  )
}

function candidates({ dataDir, cluster }: Places, userNamespaces: boolean): Account[] {
  const owner = statSync(cluster, { throwIfNoEntry: false }) ?? statSync(dataDir)
  // What belongs to an ordinary user stays that user's: root may only be here for one command.
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

/** What keeps this account from running the server: user namespaces are closed, or a directory on the way is. */
function findObstacle(account: Account, { dataDir, native }: Places): string | undefined {
  // Root's data directory is opened for an ordinary user later; somebody else's stays as it is.
  const isRoots = statSync(dataDir).uid === 0
  const way = new Set([...ancestors(isRoots && account.ids ? dirname(dataDir) : dataDir), ...ancestors(join(native, 'bin'))])
  const walk = 'for dir do cd "$dir" 2>/dev/null || { printf %s "$dir"; exit 3; }; done'
  const [file, args, options] = spawnArguments(account, '/bin/sh', ['-c', walk, 'sh', ...way])
  const result = spawnSync(file, args, { ...options, encoding: 'utf8' })
  if (result.status === 0) return undefined
  if (result.status === 3) return `${account.name} cannot enter ${result.stdout}`
  return `${account.name} is not available (${result.error?.message ?? result.stderr.trim()})`
}

function ancestors(path: string): string[] {
  return path === dirname(path) ? [path] : [...ancestors(dirname(path)), path]
}

function openFor(ids: { uid: number; gid: number }, { dataDir, cluster }: Places): void {
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

/** A file that root makes in the data directory of an ordinary user must not lock that user out. */
export function giveToOwnerOf(dataDir: string, path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dataDir)
  if (uid !== 0) chownSync(path, uid, gid)
}
