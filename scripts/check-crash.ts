// Kills the app with -9 while people sign in, again and again: nothing acknowledged may be lost. The long form of what `npm test` does.
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
    console.log(`round ${round}: ${written} acknowledged, all there; ready again after ${readyAfterMs} ms`)
  }
  console.log(`${values.rounds} rounds, ${writes} acknowledged writes, none lost; ready again after ${slowest} ms at most`)
} finally {
  await endAll()
}
