import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const PACKAGES = ['patroni', 'python3-etcd', 'etcd-server', 'haproxy', 'pgbouncer', 'postgresql', 'iproute2']
const PROGRAMS = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy', '/usr/sbin/pgbouncer']
const SERVERS = '/usr/lib/postgresql'

const isInstalled = (): boolean => PROGRAMS.every((program) => existsSync(program)) && existsSync(SERVERS)

/** Installs what is missing, without starting any service of Debian. */
export function installParts(print: (line: string) => void): void {
  if (process.getuid?.() !== 0) throw new Error('run it as root: it installs packages and creates network namespaces')
  if (isInstalled()) return
  print(`installing ${PACKAGES.join(', ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' }
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...PACKAGES], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env,
  })
  if (!isInstalled())
    throw new Error(`still missing after the installation: ${PROGRAMS.filter((each) => !existsSync(each)).join(', ')}`)
}

/** The newest PostgreSQL that Debian has installed. */
export function findServerBinaries(): string {
  const versions = readdirSync(SERVERS).filter((version) => existsSync(`${SERVERS}/${version}/bin/postgres`))
  const newest = versions.map(Number).sort((a, b) => b - a)[0]
  if (!newest) throw new Error(`there is no PostgreSQL in ${SERVERS}`)
  return `${SERVERS}/${newest}/bin`
}
