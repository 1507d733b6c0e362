import { type Kysely, sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { transact } from '#platform/db/transaction.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { cutText, PartnerError } from '../partner.ts'
import { nextAttempt } from '../rules/contact.ts'
import { writeCursor } from '../rules/cursor.ts'
import { numberChanges } from './guest-updates.ts'
import { signNotice } from './notices.ts'
import { sendNotice } from './request-updates.ts'

export const TELL_TASK = 'tell_guests'

/** Something may have changed for guests; one job tells them of all that has. */
export async function scheduleTelling(db: Kysely<DB>): Promise<void> {
  await sql`select graphile_worker.add_job(${TELL_TASK}, job_key => ${TELL_TASK}) where exists (select from guest_updates)`.execute(
    db,
  )
}

export async function findTold(db: Kysely<DB>): Promise<number[]> {
  const rows = await db
    .selectFrom('guest_updates')
    .select('federated_guest_id')
    .orderBy('failures_in_row')
    .orderBy('federated_guest_id')
    .execute()
  return rows.map(({ federated_guest_id }) => federated_guest_id)
}

type Contact = { outbound: Outbound; chance?: () => number }
type TellOutcome = 'told' | 'nothing' | 'later' | 'failed'

/** Tells a guest that there is something new. If it cannot be reached, it is told later; it can ask itself at any time. */
export async function tellGuest(
  context: CommandContext,
  { outbound, chance = Math.random }: Contact,
  guestId: number,
): Promise<TellOutcome> {
  const { db, now, site } = context
  const feed = await transact(db, (tx) => numberChanges(tx, guestId, now))
  const guest = await db
    .selectFrom('guest_updates as u')
    .innerJoin('federated_guest as g', 'g.id', 'u.federated_guest_id')
    .select(['g.url', 'u.secret_sealed', 'u.told_position', 'u.failures_in_row', 'u.next_attempt_at'])
    .where('g.id', '=', guestId)
    .executeTakeFirst()
  if (!feed || !guest || feed.position <= guest.told_position) return 'nothing'
  if (guest.next_attempt_at > now) return 'later'
  const notice = { host: site.url, cursor: writeCursor(feed), timestamp: Math.floor(now.getTime() / 1000) }
  const set = (values: {
    told_position?: number
    last_told_at?: Date
    last_error: string | null
    failures_in_row: number
    next_attempt_at: Date
  }) => db.updateTable('guest_updates').set(values).where('federated_guest_id', '=', guestId).execute()
  try {
    const signature = signNotice(notice, site.keyring.unseal(guest.secret_sealed))
    await sendNotice(outbound, guest.url, { ...notice, signature })
  } catch (error) {
    if (!(error instanceof PartnerError)) throw error
    const failures = guest.failures_in_row + 1
    await set({
      last_error: cutText(error.message, 1_000),
      failures_in_row: failures,
      next_attempt_at: nextAttempt(now, { failures, hasEnded: false }, chance()),
    })
    return 'failed'
  }
  await set({ told_position: feed.position, last_told_at: now, last_error: null, failures_in_row: 0, next_attempt_at: now })
  return 'told'
}
