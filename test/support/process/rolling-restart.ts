import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Asking, ask } from './http-client.ts'
import { isReady, type Server, startServe } from './processes.ts'

export type Load = { answers: number; failed: string[] }

const CLIENTS = 8
const CHECK_EVERY_MS = 50

/** What stands in front of nodes: asks them whether they are ready, and hands requests to those that are. */
function makeBalancer(origins: string[]) {
  const agents = new Map(origins.map((origin) => [origin, new Agent({ keepAlive: true })]))
  let ready = origins
  let turn = 0
  const state = { stopped: false }
  const check = async () => {
    while (!state.stopped) {
      const states = await Promise.all(origins.map(isReady))
      ready = origins.filter((_, n) => states[n])
      await sleep(CHECK_EVERY_MS)
    }
  }
  const checking = check()
  const pass = async (path: string, asking: Asking): Promise<Answer> => {
    const origin = ready[turn++ % ready.length] ?? assert.fail('no node is ready')
    try {
      return await ask(`${origin}${path}`, { ...asking, agent: agents.get(origin)! })
    } catch (error) {
      // Nothing was sent: the node does not listen any more, so another one is asked.
      if ((error as { code?: string }).code !== 'ECONNREFUSED') throw error
      ready = ready.filter((each) => each !== origin)
      return pass(path, asking)
    }
  }
  const stop = async () => {
    state.stopped = true
    await checking
    for (const agent of agents.values()) agent.destroy()
  }
  return { pass, stop }
}

/** Runs `work` while clients ask for these paths without a pause; anything but a 200 is a failure. */
export async function underLoad(
  origins: string[],
  paths: string[],
  asking: Asking,
  work: (load: Load) => Promise<void>,
): Promise<Load> {
  const load: Load = { answers: 0, failed: [] }
  const balancer = makeBalancer(origins)
  const state = { stopped: false }
  const client = async (n: number) => {
    for (let i = n; !state.stopped; i++) {
      const path = paths[i % paths.length]!
      const outcome = await balancer.pass(path, asking).then(
        ({ status }) => status,
        (error: Error) => error.message,
      )
      load.answers++
      if (outcome !== 200) load.failed.push(`${path}: ${outcome}`)
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, n) => client(n))
  try {
    await work(load)
  } finally {
    state.stopped = true
    await Promise.all(clients)
    await balancer.stop()
  }
  return load
}

/** Each node is stopped as a supervisor does and started again, one after the other, its place in `nodes` taken by the new one. */
export async function restartOneByOne(nodes: Server[], settings: Record<string, string>): Promise<void> {
  for (const [n, node] of nodes.entries()) {
    assert.equal(await node.stop(), 0)
    nodes[n] = await startServe({ ...settings, PORT: String(node.port) })
  }
}
