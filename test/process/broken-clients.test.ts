import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assetUrl } from '#platform/ui/assets.ts'
import {
  type BrokenClient,
  countConnections,
  KINDS_OF_CLIENTS,
  openBrokenClients,
  type Site,
} from '../support/process/broken-clients.ts'
import { migratedDatabase } from '../support/process/database.ts'
import { ask } from '../support/process/http-client.ts'
import { endAll, type Server, startServe, until } from '../support/process/processes.ts'

after(endAll)

const EACH_KIND = 5
const METRICS_TOKEN = 'a-token-for-numbers'

describe('slow and broken clients', () => {
  let server: Server
  let site: Site
  const clients: BrokenClient[] = []
  before(async () => {
    server = await startServe({ DATABASE_URL: await migratedDatabase(), RATE_LIMIT: 'off', METRICS_TOKEN })
    site = { port: server.port, host: `127.0.0.1:${server.port}`, asset: assetUrl('swagger-ui.js') }
  })
  after(() => {
    for (const { destroy } of clients) destroy()
  })
  const open = (count: number) => clients.push(...openBrokenClients(site, count))

  test('are all disconnected by the server while it serves other clients', async () => {
    const count = EACH_KIND * KINDS_OF_CLIENTS.length
    open(count)
    let most = 0
    const areAllClosed = async () => {
      const haveConnected = clients.every((client) => client.hasConnected())
      assert.equal((await ask(`${server.origin}/accounts/login/`)).status, 200)
      const connections = await countConnections(server.origin, METRICS_TOKEN)
      most = Math.max(most, connections)
      return haveConnected && connections === 0
    }
    // The server gives clients some time, so there is no reason to ask it all the time.
    await until('all are closed', areAllClosed, 200)
    assert.ok(most > 0)
  })

  test('do not prevent the server from stopping', async () => {
    open(KINDS_OF_CLIENTS.length)
    assert.equal(await server.stop(), 0)
  })
})
