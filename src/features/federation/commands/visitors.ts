import { sql } from 'kysely'
import { refreshStatistics } from '#features/staffing/commands/statistics.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { HomeProfile } from '../partner.ts'

/**
 * A visitor is a person of one instance with the number that they have there; at each visit everything that home says about them
 * replaces what was known. Undefined: the link has ended meanwhile.
 */
export async function welcomeVisitor(
  tx: Tx,
  { now }: CommandContext,
  guestId: number,
  profile: HomeProfile,
): Promise<{ visitorId: number; isNew: boolean } | undefined> {
  // Two first visits of one person at once become one visitor, and a link that is being ended gets none.
  const guest = await tx.selectFrom('federated_guest').select('id').where('id', '=', guestId).forUpdate().executeTakeFirst()
  if (!guest) return undefined
  const known = await findKnown(tx, guestId, profile)
  const values = {
    email: profile.email,
    display_name: profile.display_name,
    date_of_birth: profile.date_of_birth ?? null,
    remote_id: profile.id ?? known?.remote_id ?? null,
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
  const hasChanged = await takeQualifications(tx, visitorId, profile)
  if (known && hasChanged) await refreshShiftsOf(tx, visitorId, now)
  return { visitorId, isNew: !known }
}

type Known = { id: number; remote_id: number | null }

/** By number; a row without one and with the same address is adopted, once, for it has a number from then on. */
async function findKnown(tx: Tx, guestId: number, { id, email }: HomeProfile): Promise<Known | undefined> {
  const { rows } = await sql<Known>`
    select id, remote_id from visitor
    where federated_guest_id = ${guestId}
      and (remote_id = ${id ?? null}::bigint or (remote_id is null and lower(email) = lower(${email})))
    order by remote_id nulls last, id limit 1 for update`.execute(tx)
  return rows[0]
}

/** By uuid; what we do not know is replaced by what it includes and we do know. */
async function takeQualifications(tx: Tx, visitorId: number, { qualifications }: HomeProfile): Promise<boolean> {
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

/** What is missing on a shift depends on what its people can do. Ended shifts stay as they are. */
async function refreshShiftsOf(tx: Tx, visitorId: number, now: Date): Promise<void> {
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
