import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type AskError, type Asking, ask, type SentRequest } from './http-client.ts'
import { isReady, preloading, type Server, type Settings, startServe, until } from './processes.ts'

/** `unreceived`: requests that were sent to a node that stopped, and that never reached its process. */
export type Load = { answers: number; failed: string[]; unreceived: number }
type Broken = { origin: string; sent: SentRequest; text: string }
/** How many requests a node received on a connection, by the port of the client. */
type Received = Map<number, number>
export type DrivenLoad = Load & {
  /** Fewer requests, while a node loads its code and nothing changes for clients. */
  isSparse: boolean
  /** Nodes that were told to stop, until they are started again, by origin. */
  stopped: Map<string, Received>
  /** Connections to these nodes that ended without a response. */
  broken: Broken[]
}

const CLIENTS = 8
const CHECK_EVERY_MS = 50
const PAUSE_MS = 5
/** For the seconds until a starting node listens: the clients would take the processor from it. */
const SPARSE_PAUSE_MS = 200

/** A load balancer: checks which nodes are ready and distributes requests among them. */
function makeBalancer(origins: string[], load: DrivenLoad) {
  const agents = new Map(origins.map((origin) => [origin, new Agent({ keepAlive: true })]))
  const ready = new Set(origins)
  let next = 0
  const state = { stopped: false }
  // Each node by itself: one that answers late must not delay what is known about the others.
  const check = async (origin: string) => {
    while (!state.stopped) {
      if (await isReady(origin)) ready.add(origin)
      else ready.delete(origin)
      await sleep(CHECK_EVERY_MS)
    }
  }
  const checking = origins.map(check)
  const forward = async (path: string, asking: Asking): Promise<Answer> => {
    const choice = [...ready]
    const origin = choice[next++ % choice.length] ?? assert.fail('no node is ready')
    try {
      return await ask(`${origin}${path}`, { ...asking, agent: agents.get(origin)! })
    } catch (error) {
      const { code, sent, message } = error as AskError
      // The node does not listen any more and has received nothing, so the request can go to another one.
      if (code !== 'ECONNREFUSED') {
        if (!load.stopped.has(origin)) throw error
        load.broken.push({ origin, sent, text: `${path}: ${message}` })
      }
      ready.delete(origin)
      return forward(path, asking)
    }
  }
  const stop = async () => {
    state.stopped = true
    await Promise.all(checking)
    for (const agent of agents.values()) agent.destroy()
  }
  return { forward, stop }
}

/**
 * Runs `work` while clients request these paths continuously; any response other than 200 is a failure, and so is a
 * request that a node had received and did not answer. Nodes that `work` stops need the settings `REPORTING`.
 */
export async function underLoad(
  origins: string[],
  paths: string[],
  asking: Asking,
  work: (load: DrivenLoad) => Promise<void>,
): Promise<Load> {
  const load: DrivenLoad = { answers: 0, failed: [], unreceived: 0, isSparse: false, stopped: new Map(), broken: [] }
  const balancer = makeBalancer(origins, load)
  const state = { stopped: false }
  const client = async (n: number) => {
    for (let i = n; !state.stopped; i++) {
      const path = paths[i % paths.length]!
      const outcome = await balancer.forward(path, asking).then(
        ({ status }) => status,
        (error: Error) => error.message,
      )
      load.answers++
      if (outcome !== 200) load.failed.push(`${path}: ${outcome}`)
      await sleep(load.isSparse ? SPARSE_PAUSE_MS : PAUSE_MS)
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
  for (const node of load.stopped.keys()) judgeBroken(load, node)
  return load
}

/**
 * The system establishes connections before the process accepts them, and resets those in between when it stops listening. A request
 * on a connection that was idle can cross with its end. Only requests that the process received are failures.
 */
const wasReceived = ({ localPort, number }: SentRequest, received: Received): boolean =>
  localPort !== undefined && (received.get(localPort) ?? 0) >= number

function judgeBroken(load: DrivenLoad, origin: string): void {
  const received = load.stopped.get(origin) ?? new Map()
  for (const { text, sent } of load.broken.filter((each) => each.origin === origin)) {
    if (wasReceived(sent, received)) load.failed.push(text)
    else load.unreceived++
  }
  load.broken = load.broken.filter((each) => each.origin !== origin)
}

/** Prints at the end how many requests the process received on each connection, by the port of the client. */
const PRINT_RECEIVED = `import { Server } from 'node:net'
  const counts = new Map()
  const { emit } = Server.prototype
  Server.prototype.emit = function (event, ...values) {
    if (event === 'connection') counts.set(values[0].remotePort, 0)
    if (event === 'request') {
      const { remotePort } = values[0].socket
      counts.set(remotePort, counts.get(remotePort) + 1)
    }
    return emit.call(this, event, ...values)
  }
  process.on('exit', () => console.error(\`received: \${JSON.stringify([...counts])}.\`))`
export const REPORTING = preloading(PRINT_RECEIVED)

function readReceived(node: Server): Received {
  const [, list] = /received: (\[.*\])\./.exec(node.stderr()) ?? assert.fail('the node did not print its connections')
  return new Map(JSON.parse(list!))
}

/** Stops a single node while clients request this path; returns what happened to requests that it had received. */
export async function stopUnderLoad(settings: Settings, path: string, asking: Asking): Promise<Load> {
  const node = await startServe({ ...settings, ...REPORTING })
  const load: Load = { answers: 0, failed: [], unreceived: 0 }
  const broken: Omit<Broken, 'origin'>[] = []
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let isOpen = true; isOpen; ) {
      try {
        const { status } = await ask(`${node.origin}${path}`, { ...asking, agent })
        load.answers++
        if (status !== 200) load.failed.push(`${path}: ${status}`)
      } catch (error) {
        const { syscall, message, sent } = error as AskError
        // No connection was established, so it has received nothing.
        isOpen = syscall !== 'connect'
        if (isOpen) broken.push({ sent, text: `${path}: ${message}` })
      }
    }
    agent.destroy()
  }
  const clients = Array.from({ length: CLIENTS }, client)
  await until('the load is there', () => load.answers > 10 * CLIENTS)
  assert.equal(await node.stop(), 0)
  await Promise.all(clients)
  const received = readReceived(node)
  const lost = broken.filter(({ sent }) => wasReceived(sent, received))
  return {
    answers: load.answers,
    failed: [...load.failed, ...lost.map(({ text }) => text)],
    unreceived: broken.length - lost.length,
  }
}

/** The load is sparse until the node listens, and complete from then on. */
export async function startUnderLoad(load: DrivenLoad, settings: Settings): Promise<Server> {
  load.isSparse = true
  try {
    const node = await startServe({ ...settings, ...REPORTING })
    judgeBroken(load, node.origin)
    load.stopped.delete(node.origin)
    return node
  } finally {
    load.isSparse = false
  }
}

/** For a node with the settings `REPORTING`. */
export async function stopNode(load: DrivenLoad, node: Server): Promise<void> {
  load.stopped.set(node.origin, new Map())
  assert.equal(await node.stop(), 0)
  load.stopped.set(node.origin, readReceived(node))
}

/** Stops and starts the nodes one after the other, as a supervisor does, and replaces them in `nodes`. */
export async function restartOneByOne(load: DrivenLoad, nodes: Server[], settings: Settings): Promise<void> {
  for (const [n, node] of nodes.entries()) {
    await stopNode(load, node)
    nodes[n] = await startUnderLoad(load, { ...settings, PORT: String(node.port) })
  }
}
