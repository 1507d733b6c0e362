import { sql } from 'kysely'
import { eventColumns } from '#features/events/events/queries/record-bodies.ts'
import { isConfirmedNoShow } from '#features/on-the-day/check-in/access.ts'
import { selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { isToldAbout, sharedWith } from '../access.ts'
import type { SharedEventRow } from './shared-events.ts'

export type ToldParticipation = {
  id: number
  event: number
  event_title: string
  shift: number
  shift_label: string
  user: number
  state: number
  start_time: string
  end_time: string
  no_show: boolean
}

type Copy = { kind: 'event' | 'participation'; id: number; position: number; isGone: boolean }

export type ToldChanges = {
  position: number
  isComplete: boolean
  events: SharedEventRow[]
  goneEvents: number[]
  participations: ToldParticipation[]
  goneParticipations: number[]
}

type Asked = { guestId: number; after: number; isFromStart: boolean; last: number; limit: number; now: Date }

/** Records that have changed for a guest, in the order of their last change, as they are now. */
export async function readToldChanges(tx: Tx, asked: Asked): Promise<ToldChanges> {
  const { guestId, after, isFromStart, last, limit, now } = asked
  const found = await rowsOf(tx).all(sql<Copy>`
    select kind, record_id as id, position, hash is null as "isGone" from guest_copy
    where federated_guest_id = ${guestId} and position > ${after} and (hash is not null or not ${isFromStart})
    order by position limit ${limit + 1}`)
  const copies = found.slice(0, limit)
  const idsOf = (kind: Copy['kind']) => copies.filter((copy) => copy.kind === kind && !copy.isGone).map(({ id }) => id)
  const columns = { ...eventColumns, guest_id: sql`${guestId}::bigint` }
  // never null: guest_id (it is a value of the request)
  const events = await rowsOf(tx).all(sql<SharedEventRow>`
    select ${selected(columns)} from event e join event_type t on t.id = e.type_id
    where e.id = any (${idsOf('event')}::bigint[]) and ${sharedWith(guestId)} order by e.id`)
  // never null: user (the condition compares it)
  const participations = await rowsOf(tx).all(sql<ToldParticipation>`
    select p.id, p.event_id as event, e.title as event_title, p.shift_id as shift, s.label as shift_label, v.remote_id as user, p.state,
      p.start_time::text as start_time, p.end_time::text as end_time, ${isConfirmedNoShow} as no_show
    from visitor v join participation p on p.visitor_id = v.id join shift s on s.id = p.shift_id join event e on e.id = p.event_id
    where p.id = any (${idsOf('participation')}::bigint[]) and ${isToldAbout(guestId, now)} order by p.id`)
  const seen = new Set([...events.map(({ id }) => `event ${id}`), ...participations.map(({ id }) => `participation ${id}`)])
  const goneOf = (kind: Copy['kind']) =>
    copies.filter((copy) => copy.kind === kind && !seen.has(`${kind} ${copy.id}`)).map(({ id }) => id)
  const isComplete = found.length <= limit
  return {
    position: isComplete ? last : copies.at(-1)!.position,
    isComplete,
    events,
    goneEvents: goneOf('event'),
    participations,
    goneParticipations: goneOf('participation'),
  }
}
