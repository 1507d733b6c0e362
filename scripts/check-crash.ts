// Repeatedly kills the app with SIGKILL during sign-ins: no acknowledged write may be lost. `npm test` runs a shorter version.
//   npm run check:crash -- --rounds 100
import { parseArgs } from 'node:util'
import { crashTheApp } from '#test/support/process/crashes.ts'
import { endAll } from '#test/support/process/processes.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
try {
  let slowest = 0
  let writes = 0
  for await (const { round, written, readyAfterMs } of crashTheApp(Number(values.rounds))) {
    slowest = Math.max(slowest, readyAfterMs)
    writes += written
    console.log(`round ${round}: ${written} acknowledged, all found; ready again after ${readyAfterMs} ms`)
  }
  console.log(`${values.rounds} rounds, ${writes} acknowledged writes, none lost; ready again after ${slowest} ms at most`)
} finally {
  await endAll()
}
