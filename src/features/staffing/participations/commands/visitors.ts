import { sql } from 'kysely'
import { refreshStatistics } from '#features/staffing/staffing/commands/statistics.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Tx } from '#platform/db/transaction.ts'

/** What the partner instance says about its user. */
type VisitorProfile = {
  id?: number | null | undefined
  email: string
  display_name: string
  date_of_birth?: string | null | undefined
  language?: 'en' | 'de' | undefined
  qualifications: readonly { uuid: string; includes: string[] }[]
}

/**
 * Adds or updates the visitor with the user id of the partner instance; the profile replaces what was stored before. Returns undefined
 * if the link with the instance has ended.
 */
export async function storeVisitor(
  tx: Tx,
  { now }: CommandContext,
  guestId: number,
  profile: VisitorProfile,
): Promise<{ visitorId: number; isNew: boolean } | undefined> {
  // The lock serialises two first visits of the same user, and a visit with the end of the link.
  const guest = await tx.selectFrom('federated_guest').select('id').where('id', '=', guestId).forUpdate().executeTakeFirst()
  if (!guest) return undefined
  const known = await findKnown(tx, guestId, profile)
  const values = {
    email: profile.email,
    display_name: profile.display_name,
    date_of_birth: profile.date_of_birth ?? null,
    remote_id: profile.id ?? known?.remote_id ?? null,
    language: profile.language ?? null,
    refreshed_at: now,
  }
  const visitorId =
    known?.id ??
    (
      await tx
        .insertInto('visitor')
        .values({ ...values, federated_guest_id: guestId, created_at: now })
        .returning('id')
        .executeTakeFirstOrThrow()
    ).id
  if (known) await tx.updateTable('visitor').set(values).where('id', '=', visitorId).execute()
  const hasChanged = await storeQualifications(tx, visitorId, profile)
  if (known && hasChanged) await refreshShiftStatistics(tx, visitorId, now)
  return { visitorId, isNew: !known }
}

type Known = { id: number; remote_id: number | null }

/** By id; a row without an id that has the same e-mail address is taken over and gets the id. */
async function findKnown(tx: Tx, guestId: number, { id, email }: VisitorProfile): Promise<Known | undefined> {
  return rowsOf(tx).first(sql<Known>`
    select id, remote_id from visitor
    where federated_guest_id = ${guestId}
      and (remote_id = ${id ?? null}::bigint or (remote_id is null and lower(email) = lower(${email})))
    order by remote_id nulls last, id limit 1 for update`)
}

/** Matches by uuid; a qualification that is unknown here counts as those that it includes. Returns whether anything changed. */
async function storeQualifications(tx: Tx, visitorId: number, { qualifications }: VisitorProfile): Promise<boolean> {
  const known = new Map(
    (await tx.selectFrom('qualification').select(['id', 'uuid']).execute()).map(({ id, uuid }) => [uuid.toLowerCase(), id]),
  )
  const idsOf = (uuids: string[]) => uuids.map((uuid) => known.get(uuid.toLowerCase())).filter((id) => id !== undefined)
  const ids = new Set(
    qualifications.flatMap(({ uuid, includes }) => (known.has(uuid.toLowerCase()) ? idsOf([uuid]) : idsOf(includes))),
  )
  const before = await tx
    .selectFrom('visitor_qualification')
    .select('qualification_id')
    .where('visitor_id', '=', visitorId)
    .execute()
  const isSame = before.length === ids.size && before.every(({ qualification_id }) => ids.has(qualification_id))
  if (isSame) return false
  await tx.deleteFrom('visitor_qualification').where('visitor_id', '=', visitorId).execute()
  if (ids.size)
    await tx
      .insertInto('visitor_qualification')
      .values([...ids].map((qualification_id) => ({ visitor_id: visitorId, qualification_id })))
      .execute()
  return true
}

/** Ended shifts keep their statistics. */
async function refreshShiftStatistics(tx: Tx, visitorId: number, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number; event_id: number }>`
    select shift.id, shift.event_id from participation join shift on shift.id = participation.shift_id
    where participation.visitor_id = ${visitorId} and participation.state in (0, 1) and shift.end_time > ${now} order by shift.event_id`.execute(
    tx,
  )
  if (!rows.length) return
  const events = rows.map(({ event_id }) => event_id)
  await sql`select from event where id = any (${events}::bigint[]) order by id for no key update`.execute(tx)
  await refreshStatistics(
    tx,
    rows.map(({ id }) => id),
  )
}

/** Called when the link with a partner instance ends, after its visitors became placeholders. */
export async function removeVisitors(tx: Tx, federatedGuestId: number): Promise<void> {
  await tx.deleteFrom('visitor').where('federated_guest_id', '=', federatedGuestId).execute()
}

/** Called after these visitors became placeholders. */
export async function removeVisitorsById(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.deleteFrom('visitor').where('id', 'in', ids).execute()
}
