// Watches the event loop of the main thread. If code of an extension keeps it from turning, nobody is served any more and nothing can end that
// code safely: the thread notes the extension, so that the next start leaves it out, and ends the process.
import { writeSync } from 'node:fs'
import { Session } from 'node:inspector'
import { workerData } from 'node:worker_threads'
import { openDatabase } from '#platform/db/pool.ts'
import { markStuck } from './stop.ts'

type Watched = { source: string; url: string; name: string; version: string }
/** `watched`: addresses of the files of each extension. */
export type WatchdogData = { beats: SharedArrayBuffer; stuckMs: number; databaseUrl: string; watched: readonly Watched[] }

type Paused = { params: { callFrames: readonly { location: { scriptId: string } }[] } }
type Parsed = { params: { scriptId: string; url: string } }

const { beats, stuckMs, databaseUrl, watched } = workerData as WatchdogData
const counter = new Int32Array(beats)
const CHECK_MS = 250
/** Whoever waits for the server waits for this, too. */
const NOTE_LIMIT_MS = 5_000
let last = -1
let turnedAt = performance.now()
let isLooking = false

setInterval(() => {
  const now = Atomics.load(counter, 0)
  if (now !== last) {
    last = now
    turnedAt = performance.now()
  } else if (!isLooking && performance.now() - turnedAt >= stuckMs) look()
}, CHECK_MS)

/** Asks the debugger of V8 whose code runs. */
function look(): void {
  isLooking = true
  const session = new Session()
  session.connectToMainThread()
  const scripts = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }: Parsed) => void scripts.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }: Paused) => {
    const urls = params.callFrames.map(({ location }) => scripts.get(location.scriptId) ?? '')
    const stuck = watched.find(({ url }) => urls.some((each) => each.startsWith(url)))
    if (stuck) {
      void end(stuck)
      return
    }
    session.post('Debugger.resume', () => session.disconnect())
    turnedAt = performance.now()
    isLooking = false
  })
  session.post('Debugger.enable', () => session.post('Debugger.pause'))
}

async function end(stuck: Watched): Promise<void> {
  const what = `it kept the server from answering for ${Math.round(stuckMs / 1000)} s`
  setTimeout(kill, NOTE_LIMIT_MS)
  try {
    const db = openDatabase({ url: databaseUrl, reads: 1, writes: 1 })
    await markStuck(db.write, { ...stuck, problem: what })
    writeSync(2, `turnout: extension ${stuck.name}: ${what}. The server ends; started again, it leaves the extension out.\n`)
  } catch (error) {
    // The output may be closed, too.
    console.error(error)
  } finally {
    kill()
  }
}

/** Nothing else ends a process whose main thread does not turn. */
const kill = (): void => void process.kill(process.pid, 'SIGKILL')
