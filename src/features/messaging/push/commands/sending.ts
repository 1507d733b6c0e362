import type { Kysely } from 'kysely'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { PushDevice } from '../queries.ts'
import type { PushMessage } from '../rules.ts'
import { ensurePushKeys, type PushKeys } from './devices.ts'

/** After this, the push service drops a message that it could not deliver; older ones are not worth another attempt. */
export const LIFETIME_SECONDS = 1000

/** What sending needs besides the devices. */
export type PushContext = { db: Database; clock: Clock; site: Pick<Site, 'url' | 'keyring'>; outbound: Outbound }

/** The push service knows the subscription no longer. */
export async function deletePushDevices(db: Kysely<DB>, ids: readonly number[]): Promise<void> {
  if (ids.length) await db.deleteFrom('push_device').where('id', 'in', ids).execute()
}

export async function markPushDevicesUsed(db: Kysely<DB>, ids: readonly number[], now: Date): Promise<void> {
  if (ids.length) await db.updateTable('push_device').set({ last_sent_at: now }).where('id', 'in', ids).execute()
}

type PushOutcome = { reached: number[]; gone: number[]; failed: number[]; reason: string | undefined }

export async function sendToDevices(
  { db, clock, site, outbound }: PushContext,
  devices: readonly PushDevice[],
  messages: readonly PushMessage[],
): Promise<PushOutcome> {
  const keys = await ensurePushKeys(db.write, site.keyring, clock.now())
  const outcome: PushOutcome = { reached: [], gone: [], failed: [], reason: undefined }
  await Promise.all(
    devices.map(async (device) => {
      try {
        const results: ('ok' | 'gone')[] = []
        for (const message of messages) results.push(await sendOne(outbound, site.url, keys, device, message))
        const list = results.includes('gone') ? outcome.gone : outcome.reached
        list.push(device.id)
      } catch (error) {
        outcome.failed.push(device.id)
        outcome.reason = error instanceof Error ? error.message : String(error)
      }
    }),
  )
  return outcome
}

async function sendOne(
  outbound: Outbound,
  siteUrl: string,
  { publicKey, privateKey }: PushKeys,
  { endpoint, p256dh, auth }: PushDevice,
  message: PushMessage,
): Promise<'ok' | 'gone'> {
  const { default: webPush } = await import('web-push')
  const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(message), {
    // Push services require an address of the sender: https, or else mail.
    vapidDetails: { subject: siteUrl.startsWith('https:') ? siteUrl : 'mailto:turnout@localhost', publicKey, privateKey },
    TTL: LIFETIME_SECONDS,
    urgency: 'normal',
    contentEncoding: 'aes128gcm',
  })
  const headers = Object.fromEntries(Object.entries(details.headers ?? {}).map(([name, value]) => [name, String(value)]))
  // Outbound sets the length itself.
  delete headers['Content-Length']
  const { status } = await outbound.send(endpoint, { method: 'POST', headers, body: details.body })
  if (status >= 200 && status < 300) return 'ok'
  // 404 and 410: unsubscribed (RFC 8030). 400, 401, 403, 413: the service will not accept it from us, now or later.
  if (status < 500 && status !== 429) return 'gone'
  throw new Error(`the push service answered ${status}`)
}
