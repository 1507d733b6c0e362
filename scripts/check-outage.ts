// Repeatedly kills the database with SIGKILL: requests must not hang, and the app must recover. `npm test` runs a shorter version.
//   npm run check:outage -- --rounds 50
import { parseArgs } from 'node:util'
import { killTheDatabase } from '#test/support/process/crashes.ts'
import { endAll } from '#test/support/process/processes.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '10' } } })
try {
  const worst = { longestMs: 0, recoveredAfterMs: 0 }
  for await (const { round, answers, refused, longestMs, recoveredAfterMs } of killTheDatabase(Number(values.rounds))) {
    worst.longestMs = Math.max(worst.longestMs, longestMs)
    worst.recoveredAfterMs = Math.max(worst.recoveredAfterMs, recoveredAfterMs)
    console.log(
      `round ${round}: ${answers} answers, ${refused} of them 503, slowest ${longestMs} ms; recovered after ${recoveredAfterMs} ms`,
    )
  }
  console.log(`${values.rounds} rounds; slowest answer ${worst.longestMs} ms, longest outage ${worst.recoveredAfterMs} ms`)
} finally {
  await endAll()
}
