import type { Kysely } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, type Keyring } from '#platform/auth/secrets.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import type { PushSubscriptionForm } from '../schema.ts'

export const MAX_PUSH_DEVICES = 10

type Browser = { device: string; userAgent: string }

/**
 * Sends push messages to this browser from now on. Subscribing again refreshes the keys: browsers renew them, and the same browser
 * may belong to another person now. The oldest device makes room for the eleventh.
 */
export async function addPushDevice(context: CommandContext, browser: Browser, form: PushSubscriptionForm): Promise<void> {
  const { actor, now } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  const { userId } = actor
  await transact(context.db, async (tx) => {
    await tx.selectFrom('user_profile').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()
    const known = await tx.selectFrom('push_device').select('user_id').where('endpoint', '=', form.endpoint).executeTakeFirst()
    const row = {
      user_id: userId,
      device_hash: hashSecret(browser.device),
      p256dh: form.p256dh,
      auth: form.auth,
      user_agent: browser.userAgent,
    }
    await tx
      .insertInto('push_device')
      .values({ ...row, endpoint: form.endpoint, created_at: now })
      .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(row))
      .execute()
    const devices = await tx.selectFrom('push_device').select('id').where('user_id', '=', userId).orderBy('id', 'desc').execute()
    const surplus = devices.slice(MAX_PUSH_DEVICES).map(({ id }) => id)
    if (surplus.length) await tx.deleteFrom('push_device').where('id', 'in', surplus).execute()
    if (known?.user_id !== userId) await recordDevices(tx, context, userId, 'push_device.added')
  })
}

/** False: the caller has no such device. */
export async function removePushDevice(context: CommandContext, id: number): Promise<boolean> {
  const { actor } = context
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return transact(context.db, async (tx) => {
    const { numDeletedRows } = await tx
      .deleteFrom('push_device')
      .where('id', '=', id)
      .where('user_id', '=', actor.userId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await recordDevices(tx, context, actor.userId, 'push_device.removed')
    return true
  })
}

const recordDevices = (tx: Tx, context: CommandContext, userId: number, kind: 'push_device.added' | 'push_device.removed') =>
  record(tx, context, { kind, subject: { kind: 'user', id: userId } })

/** Part of the deactivation and deletion of a user. A trigger removes the device of a session that is signed out. */
export async function removePushDevicesOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('push_device').where('user_id', '=', userId).execute()
}

export type PushKeys = { publicKey: string; privateKey: string }

/** Creates the keys at the first use. They stay the same, because browsers subscribe to one key. */
export async function ensurePushKeys(db: Kysely<DB>, keyring: Keyring, now: Date): Promise<PushKeys> {
  const read = () => db.selectFrom('push_key').select(['public_key', 'sealed_private_key']).executeTakeFirst()
  let row = await read()
  if (!row) {
    const { default: webPush } = await import('web-push')
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    await db
      .insertInto('push_key')
      .values({ public_key: publicKey, sealed_private_key: keyring.seal(privateKey), created_at: now })
      // Another node was faster.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    row = (await read())!
  }
  return { publicKey: row.public_key, privateKey: keyring.unseal(row.sealed_private_key) }
}
