// Repeats backup under load, restore, verification and sign-in. `npm test` runs a shorter version.
//   npm run check:backup -- --rounds 20
import { parseArgs } from 'node:util'
import { backUpUnderLoad } from '#test/support/process/backups.ts'
import { endAll } from '#test/support/process/processes.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
try {
  for await (const { round, rows, written, backupMs } of backUpUnderLoad(Number(values.rounds)))
    console.log(
      `round ${round}: ${rows} rows in ${backupMs} ms, ${written} writes meanwhile; the copy is complete and sign-in works`,
    )
  console.log(`${values.rounds} rounds, all complete`)
} finally {
  await endAll()
}
