import { ENDPOINTS } from '#endpoints'
import { openChangeFeed } from '#features/sharing/change-feed/jobs.ts'
import { createWebhook } from '#features/sharing/webhooks/commands/webhooks.ts'
import { Dispatcher, type DispatcherOptions } from '#features/sharing/webhooks/jobs/dispatcher.ts'
import { findUnseen, type WebhookValues } from '#features/sharing/webhooks/rules/webhooks.ts'
import { makeLog } from '#platform/log.ts'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { contextAs } from './command-context.ts'
import type { Person } from './people.ts'
import type { World } from './world.ts'

/** For worlds with receivers of webhooks on loopback. */
export const LOOPBACK = { outboundAllow: '127.0.0.1' }

type Wish = Partial<WebhookValues> & { url: string; active?: boolean }

export async function addWebhook(world: World, owner: Person, wish: Wish): Promise<{ id: number; secret: string }> {
  const values = {
    name: 'Roster',
    description: '',
    kinds: ['event', 'shift'],
    scopes: ['PUBLIC_READ'],
    include_record: false,
    active: true,
    ...wish,
  }
  // Webhooks from before this was refused can have such kinds.
  const isOld = findUnseen(values.kinds, values.scopes).length > 0
  const made = await createWebhook(contextAs(world, owner), isOld ? { ...values, kinds: ['access'] } : values)
  if (!made.ok) throw new Error(JSON.stringify(made.refusals))
  const { kinds } = values
  if (isOld) await world.db.write.updateTable('webhook').set({ kinds }).where('id', '=', made.id).execute()
  return made
}

/** A dispatcher with a change feed of its own, as in another process. It stops with the world. */
export function openDispatcher(world: World, options: Partial<DispatcherOptions> = {}): Dispatcher & { errors: Error[] } {
  const clock = { now: () => world.now }
  const log = makeLog('silent', { write: () => {} })
  const feed = openChangeFeed({ db: world.db, clock, log, databaseUrl: world.databaseUrl })
  const errors: Error[] = []
  const dispatcher = new Dispatcher({
    db: world.db,
    feed,
    clock,
    site: world.app.site,
    endpoints: ENDPOINTS,
    outbound: makeOutbound({ allow: ['127.0.0.1'], reusesConnections: true }),
    onError: (error) => void errors.push(error),
    chance: () => 0.5,
    ...options,
  })
  world.others.push({
    stop: async () => {
      await dispatcher.stop(0)
      await feed.stop()
    },
  })
  return Object.assign(dispatcher, { errors })
}

export const later = (world: World, ms: number): void => {
  world.now = new Date(world.now.getTime() + ms)
}
