import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, ask, Visitor, withToken } from './http-client.ts'
import { databasePid, isAlive, newDataDir, type Server, startTryOut, until } from './processes.ts'

export type Round = { round: number; written: number; readyAfterMs: number }

const WRITERS = 4
const EACH_WRITES = 3

/** Kills the app during sign-ins, in every second round with its database; fails if an acknowledged sign-in is lost. */
export async function* crashTheApp(rounds: number, dataDir = newDataDir()): AsyncGenerator<Round> {
  let server = await startTryOut({ DATA_DIR: dataDir, RATE_LIMIT: 'off' })
  const settings = { DATA_DIR: dataDir, RATE_LIMIT: 'off', PORT: String(server.port) }
  const writers = Array.from({ length: WRITERS }, (_, n) => makeWriter(server, n))
  for (const writer of writers) await writer.write() // known devices have their own limit of wrong passwords

  for (let round = 1; round <= rounds; round++) {
    const before = writers.map(({ acknowledged }) => acknowledged.length)
    const written = () => writers.map(({ acknowledged }, n) => acknowledged.length - before[n]!)
    const stopped = { yes: false }
    const writing = writers.map((writer) => writer.writeUntil(stopped))
    await until('all clients have written', () => written().every((count) => count >= EACH_WRITES))
    const database = databasePid(dataDir)!
    const died = server.kill()
    if (round % 2 === 0) process.kill(database, 'SIGKILL')
    await died
    stopped.yes = true
    await Promise.all(writing)

    const since = performance.now()
    server = await startTryOut(settings)
    const readyAfterMs = Math.round(performance.now() - since)
    assert.equal(isAlive(database), false, 'the database of the killed app is gone')
    for (const { acknowledged } of writers) {
      for (const { visitor, signedIn } of acknowledged) assert.equal(await visitor.isSignedIn(), signedIn)
    }
    yield { round, written: written().reduce((sum, count) => sum + count), readyAfterMs }
    for (const writer of writers) await writer.write()
  }
  assert.equal(await server.stop(), 0)
  assert.equal(databasePid(dataDir), undefined)
}

type Written = { visitor: Visitor; signedIn: boolean }

/** Signs in repeatedly, and signs out after every third time. Records only acknowledged changes. */
function makeWriter({ origin, stdout }: Server, n: number) {
  const people = [...stdout().matchAll(/(\w+@demo\.example) +(\S+)$/gm)]
  const [, email, password] = people[n % people.length]!
  const device = new Visitor(origin)
  const acknowledged: Written[] = []
  const write = async () => {
    device.detachSession()
    const answer = await device.signIn(email!, password!)
    assert.equal(answer.status, 303, answer.body)
    const written = { visitor: device.detachSession(), signedIn: true }
    acknowledged.push(written)
    if (acknowledged.length % 3 !== 0) return
    await written.visitor.get('/')
    acknowledged.pop() // the state is unknown until the response arrives
    assert.equal((await written.visitor.post('/accounts/logout/', {})).status, 303)
    acknowledged.push({ ...written, signedIn: false })
  }
  const writeUntil = async (stopped: { yes: boolean }) => {
    while (!stopped.yes) {
      try {
        await write()
      } catch (error) {
        if (!/ECONNREFUSED|ECONNRESET|socket hang up|EPIPE/.test(String((error as { code?: string }).code ?? error))) throw error
      }
    }
  }
  return { acknowledged, write, writeUntil }
}

export type Outage = { round: number; answers: number; refused: number; longestMs: number; recoveredAfterMs: number }

const MOST_KILLS = 20
/** Without a pause the clients take the processor from the database that recovers. */
const PAUSE_MS = 40

/** Kills the database under load while the app runs; every request gets a response, and a 503 has Retry-After. */
export async function* killTheDatabase(rounds: number, dataDir = newDataDir()): AsyncGenerator<Outage> {
  const server = await startTryOut({ DATA_DIR: dataDir, RATE_LIMIT: 'off' })
  const token = /Bearer (\S+)'/.exec(server.stdout())![1]!
  let people = 0
  const newAddress = () => `unknown${++people}@example.org` // each address has a limit of wrong passwords
  const requests: Record<string, () => Promise<Answer>> = {
    api: () => ask(`${server.origin}/api/events/?limit=1`, withToken(token)),
    page: () => ask(`${server.origin}/accounts/login/`),
    form: () => new Visitor(server.origin).signIn(newAddress(), 'seven quiet lamps').catch(unlessFormIsMissing),
  }
  for (let round = 1; round <= rounds; round++) {
    const seen = { answers: 0, longestMs: 0, refused: {} as Record<string, number> }
    const stopped = { yes: false }
    const asking = Promise.all(
      Object.entries(requests).flatMap(([kind, send]) => [1, 2].map(() => sendUntil(stopped, kind, send, seen))),
    )
    asking.catch(() => {}) // awaited below
    let since = 0
    for (let kills = 0; !Object.keys(requests).every((kind) => seen.refused[kind]); kills++) {
      assert.ok(kills < MOST_KILLS, `not every kind of request got a 503 although the database was killed ${kills} times`)
      await until('the database runs', () => databasePid(server.dataDir))
      const pid = databasePid(server.dataDir)!
      process.kill(pid, 'SIGKILL')
      since = performance.now()
      await until('it has ended', () => !isAlive(pid))
      await until('the app has recovered', () => isHealthy(server, requests.api!))
    }
    const recoveredAfterMs = Math.round(performance.now() - since)
    stopped.yes = true
    await asking
    assert.equal((await ask(`${server.origin}/readyz`)).status, 200, 'the worker runs again, too')
    const refused = Object.values(seen.refused).reduce((sum, count) => sum + count)
    yield { round, answers: seen.answers, refused, longestMs: Math.round(seen.longestMs), recoveredAfterMs }
  }
  assert.equal(await server.stop(), 0)
}

const isHealthy = async (server: Server, send: () => Promise<Answer>): Promise<boolean> =>
  (await send()).status === 200 && (await ask(`${server.origin}/readyz`)).status === 200

/** signIn() asserts that the form is shown; while the database is down the page answers 503 instead. */
function unlessFormIsMissing(error: unknown): Promise<Answer> {
  if (error instanceof assert.AssertionError && error.actual === 503) return Promise.resolve({ status: 0, headers: {}, body: '' })
  throw error
}

async function sendUntil(
  stopped: { yes: boolean },
  kind: string,
  send: () => Promise<Answer>,
  seen: { answers: number; longestMs: number; refused: Record<string, number> },
): Promise<void> {
  while (!stopped.yes) {
    const since = performance.now()
    const { status, headers, body } = await send().catch((error) => {
      throw new Error(`no response to the request "${kind}"`, { cause: error })
    })
    seen.longestMs = Math.max(seen.longestMs, performance.now() - since)
    seen.answers++
    if (status === 503) {
      seen.refused[kind] = (seen.refused[kind] ?? 0) + 1
      assert.match(headers['retry-after'] ?? '', /^\d+$/)
      assert.match(headers['content-type'] ?? '', kind === 'api' ? /^application\/problem\+json/ : /^text\/html/)
    } else if (status !== 0) assert.equal(status, kind === 'form' ? 422 : 200, body)
    await sleep(PAUSE_MS)
  }
}
