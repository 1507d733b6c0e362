import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type Asking, ask } from './http-client.ts'
import { isReady, preloading, type Server, startServe, until } from './processes.ts'

export type Load = { answers: number; failed: string[] }
/** `isSparse`: fewer requests, while a node loads its code and nothing changes for clients. */
export type DrivenLoad = Load & { isSparse: boolean }

const CLIENTS = 8
const CHECK_EVERY_MS = 50
const PAUSE_MS = 5
/** For the seconds until a starting node listens: the clients would take the processor from it. */
const SPARSE_PAUSE_MS = 50

/** A load balancer: checks which nodes are ready and distributes requests among them. */
function makeBalancer(origins: string[]) {
  const agents = new Map(origins.map((origin) => [origin, new Agent({ keepAlive: true })]))
  let ready = origins
  let next = 0
  const state = { stopped: false }
  const check = async () => {
    while (!state.stopped) {
      const states = await Promise.all(origins.map(isReady))
      ready = origins.filter((_, n) => states[n])
      await sleep(CHECK_EVERY_MS)
    }
  }
  const checking = check()
  const forward = async (path: string, asking: Asking): Promise<Answer> => {
    const origin = ready[next++ % ready.length] ?? assert.fail('no node is ready')
    try {
      return await ask(`${origin}${path}`, { ...asking, agent: agents.get(origin)! })
    } catch (error) {
      // The node does not listen any more and has received nothing, so the request can go to another one.
      if ((error as { code?: string }).code !== 'ECONNREFUSED') throw error
      ready = ready.filter((each) => each !== origin)
      return forward(path, asking)
    }
  }
  const stop = async () => {
    state.stopped = true
    await checking
    for (const agent of agents.values()) agent.destroy()
  }
  return { forward, stop }
}

/** Runs `work` while clients request these paths continuously; any response other than 200 is a failure. */
export async function underLoad(
  origins: string[],
  paths: string[],
  asking: Asking,
  work: (load: DrivenLoad) => Promise<void>,
): Promise<Load> {
  const load: DrivenLoad = { answers: 0, failed: [], isSparse: false }
  const balancer = makeBalancer(origins)
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
  return load
}

/** Prints at the end which connections the process has accepted, by the port of the client. */
const PRINT_ACCEPTED = `import { Server } from 'node:net'
  const ports = []
  const { emit } = Server.prototype
  Server.prototype.emit = function (event, ...values) {
    if (event === 'connection') ports.push(values[0].remotePort)
    return emit.call(this, event, ...values)
  }
  process.on('exit', () => console.error(\`accepted: \${ports.join(' ')}.\`))`

/**
 * Stops a single node while clients request this path; returns what happened to requests that it had accepted. The system establishes
 * connections before the process accepts them, and resets those in between when it stops listening: `unaccepted`.
 */
export async function stopUnderLoad(
  settings: Record<string, string>,
  path: string,
  asking: Asking,
): Promise<Load & { unaccepted: number }> {
  const node = await startServe({ ...settings, ...preloading(PRINT_ACCEPTED) })
  const load: Load = { answers: 0, failed: [] }
  const broken: { port: string; text: string }[] = []
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    let port = ''
    const { createConnection } = agent
    agent.createConnection = function (...values) {
      const socket = createConnection.apply(this, values) as Socket
      socket.once('connect', () => {
        port = String(socket.localPort)
      })
      return socket
    }
    for (let isOpen = true; isOpen; ) {
      try {
        const { status } = await ask(`${node.origin}${path}`, { ...asking, agent })
        load.answers++
        if (status !== 200) load.failed.push(`${path}: ${status}`)
      } catch (error) {
        const { syscall, message } = error as NodeJS.ErrnoException
        // No connection was established, so it has received nothing.
        isOpen = syscall !== 'connect'
        if (isOpen) broken.push({ port, text: `${path}: ${message}` })
      }
    }
    agent.destroy()
  }
  const clients = Array.from({ length: CLIENTS }, client)
  await until('the load is there', () => load.answers > 10 * CLIENTS)
  assert.equal(await node.stop(), 0)
  await Promise.all(clients)
  const [, list] = /accepted: ([\d ]+)\./.exec(node.stderr()) ?? assert.fail('the node did not print its connections')
  const accepted = new Set(list!.split(' '))
  const lost = broken.filter(({ port }) => accepted.has(port))
  return {
    answers: load.answers,
    failed: [...load.failed, ...lost.map(({ text }) => text)],
    unaccepted: broken.length - lost.length,
  }
}

/** The load is sparse until the node listens, and complete from then on. */
export async function startUnderLoad(load: DrivenLoad, settings: Record<string, string>): Promise<Server> {
  load.isSparse = true
  try {
    return await startServe(settings)
  } finally {
    load.isSparse = false
  }
}

/** Stops and starts the nodes one after the other, as a supervisor does, and replaces them in `nodes`. */
export async function restartOneByOne(load: DrivenLoad, nodes: Server[], settings: Record<string, string>): Promise<void> {
  for (const [n, node] of nodes.entries()) {
    assert.equal(await node.stop(), 0)
    nodes[n] = await startUnderLoad(load, { ...settings, PORT: String(node.port) })
  }
}
