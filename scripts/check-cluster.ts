// Three machines with PostgreSQL, Patroni and etcd (network namespaces of this machine), HAProxy, PgBouncer and two nodes of Turnout.
// People sign up all the time, while parts are killed, paused and cut off. Needs root and Debian; installs what is missing.
//   npm run check:cluster -- --rounds 10 --timing tuned --only partition
import { parseArgs } from 'node:util'
import { FAULTS } from './cluster/faults.ts'
import { SignUps } from './cluster/load.ts'
import { makeNetwork, pidsOf, removeNetwork } from './cluster/network.ts'
import { installParts } from './cluster/parts.ts'
import { signalAll } from './cluster/processes.ts'
import { createDatabase, type Round, runRound } from './cluster/rounds.ts'
import { findPrimary, waitUntil, waitUntilComplete } from './cluster/state.ts'
import { MACHINES, makeTopology, PASSWORD, removeTopology, TIMINGS, type Timing, type Topology } from './cluster/topology.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    timing: { type: 'string', default: 'defaults,tuned' },
    only: { type: 'string', default: '' },
    keep: { type: 'boolean', default: false },
  },
})
const rounds = Number(values.rounds)
const timings = values.timing.split(',') as Timing[]
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds must be a positive whole number')
if (timings.some((timing) => !(timing in TIMINGS))) throw new Error('--timing must be defaults, tuned or both with a comma')
const wanted = values.only.split(',')
const faults = Object.keys(FAULTS).filter((fault) => wanted.some((part) => fault.includes(part)))
if (!faults.length) throw new Error(`--only must be parts of these, with commas: ${Object.keys(FAULTS).join('; ')}`)

const LIMIT_SECONDS: Record<Timing, number> = { defaults: 30, tuned: 10 }
const all: Round[] = []
const problems: string[] = []

async function start(topology: Topology): Promise<void> {
  for (const part of Object.values(topology.etcd)) part.start()
  for (const part of Object.values(topology.patroni)) part.start()
  topology.haproxy.start()
  await waitUntil('there is a primary', async () => Boolean(await findPrimary()), 180_000)
  await createDatabase(PASSWORD)
  topology.pgbouncer.start()
  topology.nodes.node1.start()
  topology.nodes.node2.start()
  await waitUntilComplete(topology)
}

async function end(topology: Topology): Promise<void> {
  const { nodes, pgbouncer, haproxy, patroni, etcd } = topology
  for (const part of [...Object.values(nodes), pgbouncer, haproxy]) await part.retire()
  for (const machine of MACHINES) {
    signalAll(pidsOf(machine), 'SIGCONT')
    signalAll(pidsOf(machine), 'SIGKILL')
    await patroni[machine].retire()
    await etcd[machine].retire()
  }
  if (!values.keep) removeTopology(topology)
}

function print({ timing, fault, round, what, gap, acknowledged, failed, lost, overbooked, isolated }: Round): void {
  const cells = [timing, fault, round, what, gap.toFixed(1), acknowledged, failed, lost, overbooked, isolated]
  console.log(`| ${cells.join(' | ')} |`)
}

async function runAll(timing: Timing): Promise<void> {
  makeNetwork(MACHINES)
  const topology = makeTopology(timing)
  let load: SignUps | undefined
  const interrupt = async () => {
    await end(topology)
    removeNetwork(MACHINES)
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt)
  try {
    await start(topology)
    load = await SignUps.prepare()
    load.start()
    for (const fault of faults)
      for (let round = 1; round <= rounds; round++) {
        try {
          const result = await runRound(topology, load, timing, fault, round)
          all.push(result)
          print(result)
        } catch (error) {
          problems.push(`${timing}, ${fault}, round ${round}: ${(error as Error).message}`)
          console.log(`| ${timing} | ${fault} | ${round} | ${(error as Error).message} |`)
        }
      }
    console.log(
      `${timing}: ${load.acknowledged.length} acknowledged, ${load.refused} refused, failed: ${JSON.stringify(load.failed)}`,
    )
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt)
    await load?.stop()
    await end(topology)
    removeNetwork(MACHINES)
    if (values.keep) console.log(`kept: ${topology.dir}`)
  }
}

installParts(console.log)
console.log(
  '| timing | fault | round | hit | seconds without sign-up | acknowledged | failed | lost | overbooked | written while isolated |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|')
for (const timing of timings) await runAll(timing).catch((error: Error) => problems.push(`${timing}: ${error.message}`))
for (const { timing, fault, round, gap, lost, overbooked, isolated } of all) {
  const name = `${timing}, ${fault}, round ${round}`
  if (lost || overbooked || /[1-9]\d* lost/.test(isolated))
    problems.push(`${name}: ${lost} lost, ${overbooked} overbooked, isolated: ${isolated}`)
  if (gap > LIMIT_SECONDS[timing])
    problems.push(`${name}: ${gap.toFixed(1)} s without a sign-up, limit ${LIMIT_SECONDS[timing]} s`)
}
console.log(problems.length ? `${problems.length} problems:\n${problems.join('\n')}` : `${all.length} rounds, no problems`)
process.exitCode = problems.length ? 1 : 0
