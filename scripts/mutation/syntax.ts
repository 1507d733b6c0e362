import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'

/** A node of the syntax tree (ESTree), with the properties that mutants look at. */
export type Node = { type: string; start: number; end: number; [property: string]: unknown }

/** Node contains a parser, which only code with this flag may import. A thread has it without the flag for the whole process. */
const CODE = `
const { workerData: { port, signal } } = require('node:worker_threads')
const { parse } = require('internal/deps/acorn/acorn/dist/acorn')
port.on('message', (source) => {
  let answer
  try {
    answer = { text: JSON.stringify(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }), (key, value) => typeof value === 'bigint' ? undefined : value) }
  } catch (error) {
    answer = { error: error.message }
  }
  port.postMessage(answer)
  Atomics.store(signal, 0, 1)
  Atomics.notify(signal, 0)
})`
const PATIENCE_MS = 60_000

type Thread = { port: MessagePort; signal: Int32Array }
type MessagePort = MessageChannel['port1']
let thread: Thread | undefined

function startThread(): Thread {
  const signal = new Int32Array(new SharedArrayBuffer(4))
  const { port1, port2 } = new MessageChannel()
  const options = { eval: true, execArgv: ['--expose-internals'], workerData: { port: port2, signal }, transferList: [port2] }
  new Worker(CODE, options).unref()
  port1.unref()
  return { port: port1, signal }
}

/** The tree of JavaScript. */
export function parse(source: string): Node {
  thread ??= startThread()
  const { port, signal } = thread
  Atomics.store(signal, 0, 0)
  port.postMessage(source)
  if (Atomics.wait(signal, 0, 0, PATIENCE_MS) === 'timed-out') throw new Error('the parser does not answer')
  const { text, error } = receiveMessageOnPort(port)!.message as { text?: string; error?: string }
  if (text === undefined) throw new Error(`this is no JavaScript: ${error}`)
  return JSON.parse(text)
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []))
}

/** Calls back for each node with the nodes around it, the nearest last. */
export function walk(node: Node, visit: (node: Node, around: readonly Node[]) => void, around: readonly Node[] = []): void {
  visit(node, around)
  const inner = [...around, node]
  for (const child of childrenOf(node)) walk(child, visit, inner)
}
