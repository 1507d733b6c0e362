import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import pg from 'pg'

export type Served = { address: string; child: ChildProcess; stop: () => Promise<void> }

/** Starts one of the servers of this folder and waits for the address that it prints. */
export async function serve(file: string, args: string[], input?: Buffer): Promise<Served> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  // A failed measurement must not leave servers behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.stdin.end(input)
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await once(child, 'exit')
    process.off('exit', kill)
  }
  return { address: line.toString().trim().replace('localhost', '127.0.0.1'), child, stop }
}

export type Call = { url: string; token?: string; headers?: Record<string, string> }

const headersOf = ({ token, headers = {} }: Call): Record<string, string> => ({
  ...(token ? { authorization: `Bearer ${token}` } : {}),
  ...headers,
})

/** Requests per second over ten connections; throws on an unexpected status. */
export async function throughput(call: Call, seconds: number, status = 200): Promise<number> {
  const options = { url: call.url, headers: headersOf(call), connections: 10 }
  await autocannon({ ...options, duration: Math.max(1, Math.floor(seconds / 3)) })
  const result = await autocannon({ ...options, duration: seconds })
  const wrong = Object.entries(result.statusCodeStats ?? {}).filter(([code]) => Number(code) !== status)
  if (wrong.length || result.errors)
    throw new Error(`${call.url} answered ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`)
  return result.requests.average
}

/** Duration of sequential requests in milliseconds. */
export async function latencies(call: Call, count: number): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    const started = performance.now()
    // A redirect would measure another page, such as the sign-in.
    const response = await fetch(call.url, { headers: headersOf(call), redirect: 'manual' })
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${call.url} answered ${response.status}`)
    times.push(performance.now() - started)
  }
  return times
}

export const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

export type Statement = { text: string; values: unknown[] }

/** If a part fails, the database stops while its connections are open; without a listener their errors would hide the first one. */
export async function connect(url: string, options?: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options })
  client.on('error', () => {})
  await client.connect()
  return client
}

/** Rounds per second of the same statements without the app, over as many connections as the app uses for reads. */
export async function bareLoop(url: string, statements: Statement[], seconds: number): Promise<number> {
  const clients = await Promise.all(Array.from({ length: 4 }, () => connect(url, '-c timezone=Europe/Berlin')))
  let rounds = 0
  const run = async (until: number): Promise<void> => {
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() < until) {
          for (const [i, { text, values }] of statements.entries()) await client.query({ name: `s${i}`, text, values })
          rounds++
        }
      }),
    )
  }
  await run(performance.now() + 500)
  rounds = 0
  const started = performance.now()
  await run(started + seconds * 1000)
  const rate = rounds / ((performance.now() - started) / 1000)
  await Promise.all(clients.map((client) => client.end()))
  return rate
}
