import { sql } from 'kysely'
import type { OwnRecord, Participant } from '#features/staffing/eligibility/rules/candidacy.ts'
import { STATE } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { isAhead } from '../queries/departures.ts'
import { writeParticipation } from './records.ts'

type Departure = {
  who: Participant
  /** Recorded with each place, because notifications of a deleted person leave out the name. */
  cause: 'account_deactivated' | 'account_deleted' | 'guest_deleted'
}
const COLUMNS = { local: sql`p.user_id`, visitor: sql`p.visitor_id`, guest: sql`p.guest_id` }

type PlaceRow = OwnRecord & { eventId: number }

/**
 * Called when an account is closed or a guest is deleted: declines confirmed places of the future and withdraws open requests. Places that have begun and
 * those of the past stay. The caller holds the lock of the person, so that they cannot sign up meanwhile.
 */
export async function giveUpPlaces(tx: Tx, context: CommandContext, { who, cause }: Departure): Promise<void> {
  const ahead = sql`${COLUMNS[who.kind]} = ${who.id} and ${isAhead(context.now)}`
  await sql`select from event where id in (select p.event_id from participation p where ${ahead}) order by id for no key update`.execute(
    tx,
  )
  // Coupled shifts come last: those that follow a leader have been changed with it.
  for (const isCoupled of [false, true]) {
    const { rows } = await sql<PlaceRow>`
      select p.id, p.shift_id as "shiftId", p.event_id as "eventId", p.state, p.individual_start_time as "individualStart",
        p.individual_end_time as "individualEnd", p.start_time as start, p.end_time as end, p.structure_data as "structureData"
      from participation p join shift s on s.id = p.shift_id
      where ${ahead} and (s.signup_flow_slug = 'coupled') = ${isCoupled} order by p.event_id, p.id`.execute(tx)
    for (const before of rows)
      await writeParticipation(tx, context, {
        kind: 'participation.given_up',
        shift: { id: before.shiftId, eventId: before.eventId },
        who,
        before,
        state: STATE.declinedByUser,
        times: { start: before.individualStart, end: before.individualEnd },
        structureData: before.structureData,
        cause,
      })
  }
}
