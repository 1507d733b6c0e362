import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { pidsOf, setLink } from './network.ts'
import { signalAll } from './processes.ts'
import { findEtcdLeader, findPrimary, findSynchronousStandby, waitUntil } from './state.ts'
import type { Machine, Topology } from './topology.ts'

/** What a fault hit, and how it is repaired once sign-ups work again. `cutOff`: a primary that others cannot see. */
export type Damage = { what: string; repair: () => Promise<void>; cutOff?: Machine }
type Fault = (topology: Topology) => Promise<Damage>

/** As long as systemd waits before it starts a service again. */
const RESTART_MS = 2_000
const STOP_MS = 20_000

const postmasterOf = ({ dir }: Topology, machine: Machine): number =>
  Number(readFileSync(join(dir, machine, 'postgresql/data/postmaster.pid'), 'utf8').split('\n')[0])

/** PostgreSQL and Patroni of a machine, without etcd. */
const databasePids = ({ etcd }: Topology, machine: Machine): number[] =>
  pidsOf(machine).filter((pid) => pid !== etcd[machine].pid)

const restartLater = async (part: { start: () => void }): Promise<void> => {
  await sleep(RESTART_MS)
  part.start()
}

/** PostgreSQL would end itself as soon as it cannot write what it receives. */
async function stopReplication(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`alter system set primary_conninfo = ''`)
  await client.query('select pg_reload_conf()')
  const hasStopped = async () => !(await client.query('select from pg_stat_wal_receiver')).rows.length
  await waitUntil('replication has stopped', hasStopped, STOP_MS)
  await client.end()
}

async function killMachine(topology: Topology, machine: Machine): Promise<Damage> {
  signalAll(databasePids(topology, machine), 'SIGKILL')
  return { what: machine, repair: () => restartLater(topology.patroni[machine]) }
}

export const FAULTS: Record<string, Fault> = {
  'kill -9 PostgreSQL of the primary': async (topology) => {
    const machine = await findPrimary()
    process.kill(postmasterOf(topology, machine), 'SIGKILL')
    return { what: machine, repair: async () => {} }
  },
  'kill -9 PostgreSQL and Patroni of the primary': async (topology) => killMachine(topology, await findPrimary()),
  'kill -9 of the synchronous replica': async (topology) => killMachine(topology, await findSynchronousStandby()),
  'PostgreSQL of a replica that runs without its data directory': async (topology) => {
    const machine = await findSynchronousStandby()
    const patroni = topology.patroni[machine]
    await patroni.end('SIGKILL')
    await stopReplication(topology.localUrl(machine))
    rmSync(join(topology.dir, machine, 'postgresql/data'), { recursive: true, force: true, maxRetries: 5 })
    await restartLater(patroni)
    return { what: machine, repair: async () => {} }
  },
  "kill -9 of etcd's leader": async (topology) => {
    const machine = await findEtcdLeader()
    await topology.etcd[machine].end('SIGKILL')
    return { what: machine, repair: () => restartLater(topology.etcd[machine]) }
  },
  'kill -9 of HAProxy': async ({ haproxy }) => {
    await haproxy.end('SIGKILL')
    await restartLater(haproxy)
    return { what: 'HAProxy', repair: async () => {} }
  },
  'kill -9 of a node of Turnout': async ({ nodes }) => {
    const name = Math.random() < 0.5 ? 'node1' : 'node2'
    await nodes[name].end('SIGKILL')
    return { what: name, repair: () => restartLater(nodes[name]) }
  },
  'partition of the primary': async () => {
    const machine = await findPrimary()
    setLink(machine, 'down')
    return { what: machine, cutOff: machine, repair: async () => setLink(machine, 'up') }
  },
  'pause of the primary': async (topology) => {
    const machine = await findPrimary()
    const paused = databasePids(topology, machine)
    signalAll(paused, 'SIGSTOP')
    return { what: machine, cutOff: machine, repair: async () => signalAll(paused, 'SIGCONT') }
  },
}
