import type { Server } from 'node:http'
import type { Socket } from 'node:net'

const SILENT_CHECK_MS = 1_000
/** Accepting ends after this time, also under load. */
const MAX_ACCEPTING_MS = 500
const QUIET_TURN_MS = 0.3

/**
 * Browsers open connections in advance. Node does not count one that has not sent a byte yet as idle, so the server would wait
 * for it without end.
 */
export function closeSilentConnections(server: Server, stopping: AbortSignal): void {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  stopping.addEventListener('abort', () => {
    // Two checks: the first request of a connection may have arrived without being read yet.
    let silentBefore = new Set<Socket>()
    const check = setInterval(() => {
      const silent = new Set([...open].filter((socket) => socket.bytesRead === 0))
      for (const socket of silent) if (silentBefore.has(socket)) socket.destroy()
      silentBefore = silent
    }, SILENT_CHECK_MS)
    server.once('close', () => clearInterval(check))
  })
}

type Turns = { now: () => number; nextTurn: () => Promise<unknown> }
const REAL_TURNS: Turns = {
  now: () => performance.now(),
  nextTurn: () => new Promise((done) => setImmediate(done)),
}

/**
 * Closing the socket resets connections that the system has established and the process has not accepted yet. Returns in a turn
 * of the event loop that accepted none and was so short that hardly any can wait. On a busy machine there may be no short turn: in
 * the second half of the time any turn that accepted none will do, and the end of the time is the end in any case.
 */
export async function acceptWaitingConnections(
  server: Pick<Server, 'on' | 'off'>,
  { now, nextTurn }: Turns = REAL_TURNS,
): Promise<void> {
  let accepted = 0
  const count = () => {
    accepted++
  }
  server.on('connection', count)
  const begun = now()
  for (let turnBegun = begun; turnBegun - begun < MAX_ACCEPTING_MS; turnBegun = now()) {
    accepted = 0
    await nextTurn()
    const isQuiet = now() - turnBegun < QUIET_TURN_MS || now() - begun >= MAX_ACCEPTING_MS / 2
    if (accepted === 0 && isQuiet) break
  }
  server.off('connection', count)
}
