// Many people sign up for one shift at the same moment on one node: everybody gets an answer. `npm test` runs it with 100 people.
//   npm run check:burst -- --people 200
import { parseArgs } from 'node:util'
import { runOn, startTestServer, urlOfDatabase } from '#test/support/postgres-server.ts'
import { signUpAtOnce } from '#test/support/process/burst.ts'
import { endAll, startServe } from '#test/support/process/processes.ts'

const { values } = parseArgs({ options: { people: { type: 'string', default: '100' } } })
const server = await startTestServer()
try {
  await runOn(server.url, 'create database burst')
  const databaseUrl = urlOfDatabase(server.url, 'burst')
  const node = await startServe({ DATABASE_URL: databaseUrl, RATE_LIMIT: 'off' })
  const { answers, confirmed } = await signUpAtOnce(node, { databaseUrl, count: Number(values.people), places: 10 })
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
  const statuses = [...Map.groupBy(answers, ({ status }) => status)].map(([status, all]) => `${all.length} × ${status}`)
  console.log(
    `${statuses.join(', ')}; ${confirmed} confirmed; median ${at(0.5)} ms, 95 % ${at(0.95)} ms, last ${times.at(-1)} ms`,
  )
  if (answers.some(({ status }) => status >= 500)) process.exitCode = 1
} finally {
  await endAll()
  await server.stop()
}
