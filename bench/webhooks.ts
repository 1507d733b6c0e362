import { sql } from 'kysely'
import { type ActorRow, actorColumns, actorFrom } from '#features/accounts/users/queries/actor.ts'
import { openChangeFeed } from '#features/sharing/change-feed/jobs.ts'
import { createWebhook } from '#features/sharing/webhooks/commands/webhooks.ts'
import { Dispatcher } from '#features/sharing/webhooks/jobs/dispatcher.ts'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { makeLog } from '#platform/log.ts'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { ADDED } from '../src/features.ts'
import { type Dataset, keyring, TIME_ZONE } from './data.ts'
import { connect, serve } from './measure.ts'

const ALLOW = ['127.0.0.1']
const WEBHOOKS = 20
const CHANGES = 200
const WARM_UP = 20

export type WebhookFigures = { perSecond: number; webhooks: number; deliveries: number }

/** Deliveries per second of one dispatcher to receivers that answer at once, each with its entry in the log. */
export async function measureWebhooks(data: Dataset): Promise<WebhookFigures> {
  const receiver = await serve('./raw-server.ts', [])
  const db = openDatabase({ url: data.url })
  const clock = systemClock
  const site = { url: 'http://localhost', timeZone: TIME_ZONE, keyring, tokenMaxDays: 365, added: ADDED, outboundAllow: ALLOW }
  const feed = openChangeFeed({ db, clock, log: makeLog('silent'), databaseUrl: data.url })
  const errors: Error[] = []
  const outbound = makeOutbound({ allow: ALLOW, reusesConnections: true })
  const dispatcher = new Dispatcher({ db, feed, clock, site, outbound, endpoints: [], onError: (error) => errors.push(error) })
  const ann = await sql<ActorRow>`select ${actorColumns} from user_profile u where u.email = 'ann@demo.example'`.execute(db.read)
  const actor = actorFrom(ann.rows[0]!, { kind: 'session', sessionHash: Buffer.alloc(32) })
  await feed.catchUp()
  for (let i = 0; i < WEBHOOKS; i++) {
    const context = { db: db.write, actor, now: clock.now(), site, requestId: null }
    const url = `${receiver.address}/${i}`
    const content = { kinds: ['event'], scopes: ['PUBLIC_READ'], include_record: false }
    const values = { name: `bench ${i}`, description: '', url, ...content, active: true }
    const made = await createWebhook(context, values)
    if (!made.ok) throw new Error(JSON.stringify(made.refusals))
  }
  const writer = await connect(data.url)
  const change = async (times: number) => {
    for (let i = 0; i < times; i++)
      await writer.query('update event set location = $1 where id = $2', [`Hall ${i}`, data.eventIds[0]])
  }
  const countDelivered = async () =>
    (await writer.query<{ count: number }>(`select count(*)::int as count from webhook_delivery where state = 'delivered'`))
      .rows[0]!.count
  await change(WARM_UP)
  await dispatcher.runUntilIdle()
  await change(CHANGES)
  const before = await countDelivered()
  const started = performance.now()
  await dispatcher.runUntilIdle()
  const seconds = (performance.now() - started) / 1000
  const deliveries = (await countDelivered()) - before
  await writer.query('delete from webhook')
  await writer.end()
  await dispatcher.stop(0)
  await feed.stop()
  await db.close()
  await receiver.stop()
  const [error] = errors
  if (error) throw error
  if (deliveries !== WEBHOOKS * CHANGES) throw new Error(`${deliveries} deliveries instead of ${WEBHOOKS * CHANGES}`)
  return { perSecond: deliveries / seconds, webhooks: WEBHOOKS, deliveries }
}
