// Slow and broken clients: the server must close them and keep serving others. `npm test` runs a shorter version.
//   npm run check:clients -- --count 2000
import assert from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { assetUrl } from '#platform/ui/assets.ts'
import { countConnections, openBrokenClients } from '#test/support/process/broken-clients.ts'
import { ask } from '#test/support/process/http-client.ts'
import { endAll, startTryOut, until } from '#test/support/process/processes.ts'

const { values } = parseArgs({ options: { count: { type: 'string', default: '300' } } })
const METRICS_TOKEN = 'a-token-for-numbers'
try {
  const server = await startTryOut({ RATE_LIMIT: 'off', METRICS_TOKEN })
  const site = { port: server.port, host: `127.0.0.1:${server.port}`, asset: assetUrl('swagger-ui.js') }
  const since = performance.now()
  const clients = openBrokenClients(site, Number(values.count))
  const secondsSince = () => ((performance.now() - since) / 1000).toFixed(1)
  let connectedAfter = ''
  let most = 0
  let slowest = 0
  await until('all are closed', async () => {
    const haveConnected = clients.every((client) => client.hasConnected())
    if (haveConnected) connectedAfter ||= secondsSince()
    const asked = performance.now()
    assert.equal((await ask(`${server.origin}/accounts/login/`)).status, 200)
    slowest = Math.max(slowest, performance.now() - asked)
    const open = await countConnections(server.origin, METRICS_TOKEN)
    most = Math.max(most, open)
    return haveConnected && open === 0
  })
  console.log(
    `${clients.length} clients, ${most} open at once, all connected after ${connectedAfter} s and all closed after ${secondsSince()} s; ` +
      `slowest page ${Math.round(slowest)} ms`,
  )
  for (const { destroy } of clients) destroy()
  assert.equal(await server.stop(), 0)
} finally {
  await endAll()
}
