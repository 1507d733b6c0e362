import { setTimeout as sleep } from 'node:timers/promises'
import { addressOf, HERE } from './network.ts'
import { MACHINES, type Machine, type Topology } from './topology.ts'

const ASK_MS = 2_000

async function askJson(url: string, body?: object): Promise<unknown> {
  const options = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(ASK_MS) })
  return response.json()
}

export async function waitUntil(what: string, isSo: () => Promise<boolean>, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > end) throw new Error(`waited ${withinMs / 1000} s in vain until ${what}`)
    await sleep(250)
  }
}

type Member = { name: Machine; role: string; state: string; timeline?: number; lag?: number | 'unknown' }

async function readMembers(): Promise<Member[]> {
  const answers = MACHINES.map((_, n) => askJson(`http://${addressOf(n)}:8008/cluster`) as Promise<{ members: Member[] }>)
  return (await Promise.any(answers)).members
}

export async function findPrimary(): Promise<Machine> {
  const leader = (await readMembers()).find(({ role }) => role === 'leader')
  if (!leader) throw new Error('there is no leader')
  return leader.name
}

/** The standby that the primary waits for. */
export async function findSynchronousStandby(): Promise<Machine> {
  const standby = (await readMembers()).find(({ role }) => role === 'sync_standby')
  if (!standby) throw new Error('there is no synchronous standby')
  return standby.name
}

export async function findEtcdLeader(): Promise<Machine> {
  for (const [n, machine] of MACHINES.entries()) {
    const status = (await askJson(`http://${addressOf(n)}:2379/v3/maintenance/status`, {}).catch(() => undefined)) as
      | { leader: string; header: { member_id: string } }
      | undefined
    if (status && status.leader === status.header.member_id) return machine
  }
  throw new Error('etcd has no leader')
}

const isReady = async (port: number): Promise<boolean> =>
  (await fetch(`http://${HERE}:${port}/readyz`, { signal: AbortSignal.timeout(ASK_MS) })).status === 200

/** All parts run: the next fault meets a complete cluster. */
async function isComplete(topology: Topology): Promise<boolean> {
  const members = await readMembers()
  // A former primary that is being rewound may still be reported as running, with its old timeline.
  const isReplicating =
    members.length === 3 &&
    new Set(members.map(({ timeline }) => timeline)).size === 1 &&
    members.every(({ state, lag }) => (state === 'running' || state === 'streaming') && lag !== 'unknown')
  const roles = members.map(({ role }) => role)
  await findEtcdLeader()
  const parts = [...Object.values(topology.etcd), ...Object.values(topology.nodes), topology.haproxy, topology.pgbouncer]
  const isUp = parts.every(({ isRunning }) => isRunning)
  return (
    isUp &&
    isReplicating &&
    roles.includes('leader') &&
    roles.includes('sync_standby') &&
    (await isReady(8001)) &&
    (await isReady(8002))
  )
}

export const waitUntilComplete = (topology: Topology): Promise<void> =>
  waitUntil('the cluster is complete', () => isComplete(topology), 240_000)
