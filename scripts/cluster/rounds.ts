import pg from 'pg'
import { connectTo } from '#platform/db/host-chooser.ts'
import { FAULTS } from './faults.ts'
import { IsolatedWriter } from './isolated-writer.ts'
import type { SignUps } from './load.ts'
import { waitUntil, waitUntilComplete } from './state.ts'
import { SUPERUSER_URL, TIMINGS, type Timing, type Topology } from './topology.ts'

export type Round = {
  timing: Timing
  fault: string
  round: number
  what: string
  /** The longest time without an acknowledged sign-up from the fault until the cluster is complete again, in seconds. */
  gap: number
  acknowledged: number
  failed: number
  lost: number
  overbooked: number
  /** What a primary that others do not see still acknowledged, and how much of it was lost. */
  isolated: string
}

const STEADY_MS = 4_000
/** A fault is noticed within this time, or was none for the clients. */
const EFFECT_MS = 3_000
const LIMIT_MS = 120_000
const OBSERVED_AFTERWARDS_MS = 4_000

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

export async function runRound(topology: Topology, load: SignUps, timing: Timing, fault: string, round: number): Promise<Round> {
  await waitUntilComplete(topology)
  await load.refill()
  await waitUntil('sign-ups are acknowledged constantly', async () => load.isSteady(STEADY_MS), LIMIT_MS)
  // Members report that they are complete when the primary renews its lease. Faults at this moment alone would always meet a new lease.
  await pause(Math.random() * TIMINGS[timing].loop_wait * 1000)
  const before = { acknowledged: load.acknowledged.length, failed: countFailed(load) }
  const since = performance.now()
  const damage = await FAULTS[fault]!(topology)
  const writer = damage.cutOff ? new IsolatedWriter(topology.localUrl(damage.cutOff), nextWriter()) : undefined
  writer?.start()
  await pause(EFFECT_MS)
  await waitUntil('sign-ups are acknowledged again', async () => load.isSteady(STEADY_MS), LIMIT_MS)
  await damage.repair()
  await pause(OBSERVED_AFTERWARDS_MS)
  await writer?.stop()
  await waitUntilComplete(topology)
  const gap = load.longestGap(since)
  const mistakes = await load.findMistakes()
  return {
    timing,
    fault,
    round,
    what: damage.what,
    gap,
    acknowledged: load.acknowledged.length - before.acknowledged,
    failed: countFailed(load) - before.failed,
    ...mistakes,
    isolated: writer ? await judgeIsolated(writer, since) : '',
  }
}

const countFailed = ({ failed }: SignUps): number => Object.values(failed).reduce((sum, count) => sum + count, 0)

let writers = 0
const nextWriter = (): number => ++writers

async function judgeIsolated(writer: IsolatedWriter, since: number): Promise<string> {
  if (writer.lastAcknowledgedAt === undefined) return 'none'
  const client = await connectTo(SUPERUSER_URL.replace('/postgres?', '/turnout?'), {})
  await client.connect()
  const { rows } = await client.query<{ id: number }>('select id from isolated_write where round = $1', [writers])
  await client.end()
  const saved = new Set(rows.map(({ id }) => id))
  const lost = writer.acknowledged.filter((id) => !saved.has(id)).length
  const last = ((writer.lastAcknowledgedAt - since) / 1000).toFixed(1)
  return `${writer.acknowledged.length} until ${last} s, ${lost} lost`
}

/** Role, database and the table of `IsolatedWriter`. */
export async function createDatabase(password: string): Promise<void> {
  const run = async (url: string, statements: string[]) => {
    const client = await connectTo(url, { connectionTimeoutMillis: 60_000 })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  const quoted = pg.escapeLiteral(password)
  await run(SUPERUSER_URL, [`create role turnout login password ${quoted}`, 'create database turnout owner turnout'])
  await run(SUPERUSER_URL.replace('/postgres?', '/turnout?'), ['create table isolated_write (round int, id int)'])
}
