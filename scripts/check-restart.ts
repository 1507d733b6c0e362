// Restarts two nodes on one database one by one under load, and stops single nodes under load: no request that a node has received
// may fail. `npm test` runs a shorter version.
//   npm run check:restart -- --rounds 20 --stops 20
import { parseArgs } from 'node:util'
import { runOn, startTestServer, urlOfDatabase } from '#test/support/postgres-server.ts'
import { endAll, startServe } from '#test/support/process/processes.ts'
import { REPORTING, restartOneByOne, stopUnderLoad, underLoad } from '#test/support/process/rolling-restart.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, stops: { type: 'string', default: '20' } },
})
const server = await startTestServer()
try {
  await runOn(server.url, 'create database restarted')
  const settings = { DATABASE_URL: urlOfDatabase(server.url, 'restarted'), SITE_URL: 'https://plan.example', RATE_LIMIT: 'off' }
  const reporting = { ...settings, ...REPORTING }
  const nodes = await Promise.all([startServe(reporting), startServe(reporting)])
  const origins = nodes.map(({ origin }) => origin)
  const asking = { headers: { host: 'plan.example' } }
  const { answers, failed, unreceived } = await underLoad(origins, ['/accounts/login/', '/healthz'], asking, async (load) => {
    for (let round = 1; round <= Number(values.rounds); round++) {
      await restartOneByOne(load, nodes, settings)
      console.log(`round ${round}: ${load.answers} answers, ${load.failed.length} failed`)
    }
  })
  console.log(
    `${values.rounds} rounds, ${answers} answers, ${failed.length} failed, ${unreceived} never reached the process of a node that stopped and went to the other one`,
  )
  for (const line of new Set(failed)) console.error(line)
  if (failed.length) process.exitCode = 1
  await Promise.all(nodes.map((node) => node.stop()))
  for (let stop = 1; stop <= Number(values.stops); stop++) {
    const load = await stopUnderLoad(settings, '/accounts/login/', asking)
    console.log(
      `stop ${stop}: ${load.answers} answers, ${load.failed.length} failed, ${load.unreceived} never reached the process`,
    )
    for (const line of new Set(load.failed)) console.error(line)
    if (load.failed.length) process.exitCode = 1
  }
} finally {
  await endAll()
  await server.stop()
}
