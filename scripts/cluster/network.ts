import { execFileSync } from 'node:child_process'

/** Each machine of the cluster is a network namespace, which a bridge connects with this one: a partition is a link that is down. */
const PREFIX = 'tocl'
const SUBNET = '10.213.77'
export const NETWORK = `${SUBNET}.0/24`
/** Of everything that runs beside the databases: HAProxy, PgBouncer, nodes and clients. */
export const HERE = `${SUBNET}.1`

const ip = (...args: string[]): string => execFileSync('ip', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

export const namespaceOf = (name: string): string => `${PREFIX}-${name}`
export const addressOf = (n: number): string => `${SUBNET}.${11 + n}`

export function makeNetwork(names: readonly string[]): void {
  removeNetwork(names)
  ip('link', 'add', `${PREFIX}-bridge`, 'type', 'bridge')
  ip('address', 'add', `${HERE}/24`, 'dev', `${PREFIX}-bridge`)
  ip('link', 'set', `${PREFIX}-bridge`, 'up')
  for (const [n, name] of names.entries()) {
    const namespace = namespaceOf(name)
    ip('netns', 'add', namespace)
    ip('link', 'add', `${PREFIX}-${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
    ip('link', 'set', `${PREFIX}-${name}`, 'master', `${PREFIX}-bridge`, 'up')
    ip('-n', namespace, 'address', 'add', `${addressOf(n)}/24`, 'dev', 'eth0')
    for (const device of ['eth0', 'lo']) ip('-n', namespace, 'link', 'set', device, 'up')
  }
}

export function removeNetwork(names: readonly string[]): void {
  for (const args of [
    ...names.map((name) => ['link', 'del', `${PREFIX}-${name}`]),
    ...names.map((name) => ['netns', 'del', namespaceOf(name)]),
    ['link', 'del', `${PREFIX}-bridge`],
  ]) {
    try {
      ip(...args)
    } catch {
      // there is none
    }
  }
}

export const setLink = (name: string, state: 'up' | 'down'): void => void ip('link', 'set', `${PREFIX}-${name}`, state)

/** The processes of a machine: only what this check has started. */
export const pidsOf = (name: string): number[] => ip('netns', 'pids', namespaceOf(name)).split('\n').filter(Boolean).map(Number)
