import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { addressOf, HERE, NETWORK, namespaceOf } from './network.ts'
import { findServerBinaries } from './parts.ts'
import { Part } from './processes.ts'

export const MACHINES = ['db1', 'db2', 'db3'] as const
export type Machine = (typeof MACHINES)[number]
const NODES = ['node1', 'node2'] as const

/** Patroni's defaults, and values with which a lost primary is replaced within ten seconds. */
export const TIMINGS = {
  defaults: { ttl: 30, loop_wait: 10, retry_timeout: 10, primary_start_timeout: 300 },
  tuned: { ttl: 5, loop_wait: 1, retry_timeout: 2, primary_start_timeout: 0 },
}
export type Timing = keyof typeof TIMINGS

export const PASSWORD = 'only-on-this-machine'
const WEB_PORT = 8080
const NODE_PORTS = { node1: 8001, node2: 8002 }
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const TEMPLATES = join(ROOT, 'deploy/cluster')

export const ENTRY = `http://${HERE}:${WEB_PORT}`
const HOSTS = MACHINES.map((_, n) => `${addressOf(n)}:5432`).join(',')
/** All three servers, of which the primary is used. */
export const DIRECT_URL = `postgresql://turnout:${PASSWORD}@${HOSTS}/turnout?target_session_attrs=read-write`
export const SUPERUSER_URL = `postgresql://postgres:${PASSWORD}@${HOSTS}/postgres?target_session_attrs=read-write`
const POOLED_URL = `postgresql://turnout:${PASSWORD}@${HERE}:6432/turnout`

export type Topology = {
  dir: string
  etcd: Record<Machine, Part>
  patroni: Record<Machine, Part>
  haproxy: Part
  pgbouncer: Part
  nodes: Record<(typeof NODES)[number], Part>
  /** The PostgreSQL of a machine, also while the machine is cut off. */
  localUrl: (machine: Machine) => string
}

const idOf = (kind: '-u' | '-g', user: string): number => Number(execFileSync('id', [kind, user], { encoding: 'utf8' }))

/** The files of `deploy/cluster/` with the addresses and directories of this check. */
function fill(file: string, values: Record<string, string>, directories: Record<string, string> = {}): string {
  let text = readFileSync(join(TEMPLATES, file), 'utf8')
  for (const [name, value] of Object.entries(values)) text = text.replaceAll(`__${name}__`, value)
  for (const [from, to] of Object.entries(directories)) text = text.replaceAll(from, to)
  return text
}

export function makeTopology(timing: Timing): Topology {
  const dir = mkdtempSync(join(tmpdir(), 'turnout-cluster-'))
  execFileSync('chmod', ['755', dir])
  const owner = { uid: idOf('-u', 'postgres'), gid: idOf('-g', 'postgres') }
  const machines = Object.fromEntries(MACHINES.map((name, n) => [name, writeMachine(dir, name, n, timing, owner)])) as Record<
    Machine,
    ReturnType<typeof writeMachine>
  >
  const every = <T>(pick: (machine: Machine) => T) =>
    Object.fromEntries(MACHINES.map((name) => [name, pick(name)])) as Record<Machine, T>
  return {
    dir,
    etcd: every((name) => machines[name].etcd),
    patroni: every((name) => machines[name].patroni),
    haproxy: writeHaproxy(dir),
    pgbouncer: writePgbouncer(dir, owner),
    nodes: {
      node1: node(dir, 'node1', { DATABASE_URL: DIRECT_URL }),
      node2: node(dir, 'node2', { DATABASE_URL: POOLED_URL, DATABASE_DIRECT_URL: DIRECT_URL }),
    },
    localUrl: (machine) =>
      `postgresql://postgres:${PASSWORD}@localhost/turnout?host=${encodeURIComponent(join(dir, machine, 'socket'))}`,
  }
}

function writeMachine(dir: string, name: Machine, n: number, timing: Timing, { uid, gid }: { uid: number; gid: number }) {
  const home = join(dir, name)
  for (const folder of ['', 'etcd', 'postgresql', 'socket']) {
    mkdirSync(join(home, folder), { recursive: true, mode: 0o700 })
    chownSync(join(home, folder), uid, gid)
  }
  const values = {
    NAME: name,
    ADDRESS: addressOf(n),
    MEMBERS: MACHINES.map((each, at) => `${each}=http://${addressOf(at)}:2380`).join(','),
    ETCD: MACHINES.map((_, at) => `${addressOf(at)}:2379`).join(','),
    NETWORK,
    SUPERUSER_PASSWORD: PASSWORD,
    REPLICATION_PASSWORD: PASSWORD,
    REWIND_PASSWORD: PASSWORD,
  }
  const settings = fill('etcd.env', values, { '/var/lib/etcd/turnout': join(home, 'etcd') })
  let patroni = fill('patroni.yml', values, {
    '/var/lib/postgresql/15/turnout': join(home, 'postgresql/data'),
    '/usr/lib/postgresql/15/bin': findServerBinaries(),
    '/var/lib/postgresql/turnout.pgpass': join(home, 'pgpass'),
    '/var/run/postgresql': join(home, 'socket'),
    'local all postgres peer': 'local all all scram-sha-256',
  }).replace('mode: automatic', 'mode: off')
  for (const [key, value] of Object.entries(TIMINGS[timing]))
    patroni = patroni.replace(new RegExp(`^( +${key}:) \\d+$`, 'm'), `$1 ${value}`)
  const config = join(home, 'patroni.yml')
  writeFileSync(config, patroni)
  chownSync(config, uid, gid)
  const inside = (program: string, ...args: string[]) => ({
    program: 'ip',
    args: [
      'netns',
      'exec',
      namespaceOf(name),
      'setpriv',
      '--reuid',
      String(uid),
      '--regid',
      String(gid),
      '--clear-groups',
      program,
      ...args,
    ],
  })
  const env = Object.fromEntries(
    settings
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ) as Record<string, string>
  return {
    etcd: new Part({ ...inside('etcd'), log: join(home, 'etcd.log'), env }),
    patroni: new Part({ ...inside('patroni', config), log: join(home, 'patroni.log'), env: { HOME: home, LANG: 'C.UTF-8' } }),
  }
}

function writeHaproxy(dir: string): Part {
  const config = join(dir, 'haproxy.cfg')
  const databases = Object.fromEntries(MACHINES.map((_, n) => [`DB${n + 1}`, addressOf(n)]))
  const nodes = Object.fromEntries(NODES.map((name, n) => [`NODE${n + 1}`, `${HERE}:${NODE_PORTS[name]}`]))
  writeFileSync(config, fill('haproxy.cfg', { ...databases, ...nodes, LISTEN: `${HERE}:${WEB_PORT}`, LOCAL: HERE }))
  return new Part({ program: '/usr/sbin/haproxy', args: ['-db', '-f', config], log: join(dir, 'haproxy.log') })
}

function writePgbouncer(dir: string, { uid, gid }: { uid: number; gid: number }): Part {
  const users = join(dir, 'userlist.txt')
  const config = join(dir, 'pgbouncer.ini')
  writeFileSync(users, `"turnout" "${PASSWORD}"\n`)
  writeFileSync(config, fill('pgbouncer.ini', { LOCAL: HERE }, { '/etc/pgbouncer/userlist.txt': users }))
  for (const file of [users, config]) chownSync(file, uid, gid)
  return new Part({ program: '/usr/sbin/pgbouncer', args: ['-u', 'postgres', config], log: join(dir, 'pgbouncer.log') })
}

function node(dir: string, name: (typeof NODES)[number], database: Record<string, string>): Part {
  const dataDir = join(dir, name)
  mkdirSync(dataDir)
  const env = {
    ...database,
    DATA_DIR: dataDir,
    LISTEN_HOST: HERE,
    PORT: String(NODE_PORTS[name]),
    SITE_URL: ENTRY,
    SECRET_KEY: 'the same key on all nodes of this check',
    RATE_LIMIT: 'off',
    TRUST_PROXY: '1',
    LOG_LEVEL: 'warn',
    HOME: dataDir,
  }
  return new Part({ program: process.execPath, args: [join(ROOT, 'src/cli.ts'), 'serve'], log: join(dir, `${name}.log`), env })
}

export const removeTopology = ({ dir }: Topology): void => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
