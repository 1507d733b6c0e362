// Watches the event loop of the main thread. While code of an extension keeps it from turning, the debugger of V8 tells whose code that is and
// ends it, as a page of a browser that does not answer is ended.
import { Session } from 'node:inspector'
import { parentPort, workerData } from 'node:worker_threads'

/** `folders`: addresses of the files of each extension. */
export type WatchdogData = { beats: SharedArrayBuffer; stuckMs: number; folders: readonly { name: string; url: string }[] }
export type WatchdogReport = { name: string }

type Paused = { params: { callFrames: readonly { location: { scriptId: string } }[] } }
type Parsed = { params: { scriptId: string; url: string } }

const { beats, stuckMs, folders } = workerData as WatchdogData
const counter = new Int32Array(beats)
const CHECK_MS = Math.min(250, stuckMs / 4)
let last = -1
let turnedAt = Date.now()
let isLooking = false

setInterval(() => {
  const now = Atomics.load(counter, 0)
  if (now !== last) {
    last = now
    turnedAt = Date.now()
  } else if (!isLooking && Date.now() - turnedAt >= stuckMs) look()
}, CHECK_MS)

function look(): void {
  isLooking = true
  const session = new Session()
  session.connectToMainThread()
  const scripts = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }: Parsed) => void scripts.set(params.scriptId, params.url))
  session.on('Debugger.paused', ({ params }: Paused) => {
    const urls = params.callFrames.map(({ location }) => scripts.get(location.scriptId) ?? '')
    const stuck = folders.find(({ url }) => urls.some((each) => each.startsWith(url)))
    if (stuck) {
      session.post('Runtime.terminateExecution')
      parentPort!.postMessage({ name: stuck.name } satisfies WatchdogReport)
    }
    session.post('Debugger.resume', () => setTimeout(() => session.disconnect(), CHECK_MS))
    turnedAt = Date.now()
    isLooking = false
  })
  session.post('Debugger.enable', () => session.post('Debugger.pause'))
}
