import { sql } from 'kysely'
import type { NotificationKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { NIGHT, notifyingTime, readQuietHours } from '#features/messaging/notification-kinds/rules/quiet-hours.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Tx } from '#platform/db/transaction.ts'

type About = {
  kind: NotificationKind
  now: Date
  timeZone: string
  eventId: number | null
  /** `shift_id`: the shift that it is about. `latest`: when it is too late, as ISO 8601. */
  data: Readonly<Record<string, unknown>>
}
type Recipient = { user_id: number | null; participation_id: number | null }

/**
 * Until when notifications wait for the end of quiet hours, by the id of the person. People without hours of their own are told
 * everything at once, except questions at night. What is about the next hours does not wait.
 */
export async function findQuietTimes(tx: Tx, recipients: readonly Recipient[], about: About): Promise<Map<number, Date>> {
  const { kind, now, timeZone, eventId, data } = about
  const people = recipients.flatMap(({ user_id, participation_id }) =>
    user_id === null ? [] : [{ user: user_id, participation: participation_id }],
  )
  if (kind.isUrgent || !people.length) return new Map()
  const shiftId = typeof data.shift_id === 'number' ? data.shift_id : null
  const rows = await rowsOf(tx).all(sql<{ id: number; hours: string | null; start: Date | null; end: Date | null }>`
    select u.id, u.quiet_hours as hours, coalesce(s.start_time, e.start_time) as start, coalesce(s.end_time, e.end_time) as end
    from jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as r ("user" bigint, participation bigint)
      join user_profile u on u.id = r."user"
      left join shift s on s.id = coalesce(${shiftId}::bigint, (select p.shift_id from participation p where p.id = r.participation))
      left join event e on e.id = ${eventId}::bigint
    where u.quiet_hours is not null or ${kind.answer !== undefined}`)
  const times = new Map<number, Date>()
  for (const { id, hours, start, end } of rows) {
    const goesOn = start && end && start <= now && now < end
    const limits = [typeof data.latest === 'string' ? new Date(data.latest) : undefined, start && start > now ? start : undefined]
    const latest = limits.filter((limit) => limit !== undefined).sort((a, b) => a.getTime() - b.getTime())[0]
    const until = goesOn ? now : notifyingTime(now, { timeZone, latest, hours: hours === null ? NIGHT : readQuietHours(hours) })
    // The soonest, if a person gets several at once.
    const known = times.get(id)
    times.set(id, known && known < until ? known : until)
  }
  for (const [id, until] of times) if (until <= now) times.delete(id)
  return times
}
