import { type Kysely, sql } from 'kysely'
import { getSettings } from '#features/operations/settings/queries.ts'
import { loadSharedFacts, loadSignupFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { findFreePeople } from '#features/staffing/eligibility/queries/free-people.ts'
import { type Candidacy, judgeCandidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Span } from '#platform/time-span.ts'
import { reasonsAgainstStandIn, type StandInMode, type StandInState } from '../rules/stand-in.ts'
import { exchangeSettings } from '../schema.ts'

export type StandIn = Span & {
  id: number
  shiftId: number
  eventId: number
  participationId: number
  userId: number
  state: StandInState
  message: string
  takenBy: number | null
  asked: number
}

const columns = sql`d.id, d.shift_id as "shiftId", s.event_id as "eventId", d.participation_id as "participationId", d.user_id as "userId",
  d.state, d.message, d.taken_by_id as "takenBy", s.start_time as start, s.end_time as end,
  (select count(*) from stand_in_person a where a.stand_in_id = d.id)::int as asked`

export const getStandInMode = async (db: Kysely<DB>): Promise<StandInMode> => (await getSettings(db, exchangeSettings)).stand_ins

export async function getStandIn(db: Kysely<DB>, id: number): Promise<StandIn | undefined> {
  return rowsOf(db).first(sql<StandIn>`
    select ${columns} from stand_in d join shift s on s.id = d.shift_id where d.id = ${id}`)
}

/** The search of a person for one of their places that goes on. */
export async function getOpenStandIn(db: Kysely<DB>, shiftId: number, userId: number): Promise<StandIn | undefined> {
  return rowsOf(db).first(sql<StandIn>`
    select ${columns} from stand_in d join shift s on s.id = d.shift_id
    where d.shift_id = ${shiftId} and d.user_id = ${userId} and d.state in ('open', 'found')`)
}

export type Place = {
  id: number
  state: State
  individualStart: Date | null
  individualEnd: Date | null
  start: Date
  end: Date
  structureData: unknown
  shiftId: number
}

export async function getPlace(db: Kysely<DB>, shiftId: number, userId: number): Promise<Place | undefined> {
  return rowsOf(db).first(sql<Place>`
    select p.id, p.shift_id as "shiftId", p.state, p.individual_start_time as "individualStart", p.individual_end_time as "individualEnd",
      p.start_time as start, p.end_time as end, p.structure_data as "structureData"
    from participation p where p.shift_id = ${shiftId} and p.kind = 'local' and p.user_id = ${userId}`)
}

type Taking = { shiftId: number; userId: number; place: Place }

/** What speaks against this person in the place of another, who leaves it. Undefined: not an active person. */
export async function judgeTaker(
  db: Kysely<DB>,
  { now, site }: Pick<CommandContext, 'now' | 'site'>,
  { shiftId, userId, place }: Taking,
): Promise<Candidacy | undefined> {
  const facts = await loadSignupFacts(db, { kind: 'local', id: userId }, [shiftId], now, [place.id])
  if (!facts.person.isActive) return undefined
  // The times of the place, not those of a former participation of the taker.
  return judgeCandidacy(facts, shiftId, { now, timeZone: site.timeZone }, { start: place.start, end: place.end })
}

const MAX_ASKED = 100

/** People who fit the shift and are free then, those who wait first. People who have answered about the shift are not asked again. */
export async function findTakers(
  context: Pick<CommandContext, 'db' | 'now' | 'site'>,
  standIn: { shiftId: number; id?: number },
): Promise<{ waiting: number[]; others: number[] }> {
  const { db, now } = context
  const { shiftId, id = 0 } = standIn
  const shared = await loadSharedFacts(db, [shiftId], now)
  const asked = sql<boolean>`exists (select from stand_in_person a where a.stand_in_id = ${id} and a.user_id = u.id)`
  const found = await findFreePeople(context, shared, [{ id: shiftId, ways: [[]] }], {
    mostPerShift: MAX_ASKED,
    isLeftOut: asked,
  })
  const able = (found.get(shiftId)?.people ?? []).filter(({ candidacy }) => !reasonsAgainstStandIn(candidacy).length)
  const { rows } = await sql<{ id: number }>`
    select w.user_id as id from waiting_entry w where w.shift_id = ${shiftId} and w.state in ('waiting', 'offered')
    order by w.since, w.id`.execute(db)
  const line = new Set(rows.map((row) => row.id))
  const ids = able.map((person) => person.id)
  return { waiting: ids.filter((one) => line.has(one)), others: ids.filter((one) => !line.has(one)) }
}

type StandInRow = StandIn & { name: string; takenByName: string | null }

/** Searches of a shift, the newest first. The caller plans it. */
export async function findStandInsOf(db: Kysely<DB>, shiftId: number): Promise<StandInRow[]> {
  return rowsOf(db).all(sql<StandInRow>`
    select ${columns}, u.display_name as name, t.display_name as "takenByName"
    from stand_in d join shift s on s.id = d.shift_id join user_profile u on u.id = d.user_id left join user_profile t on t.id = d.taken_by_id
    where d.shift_id = ${shiftId} order by d.id desc limit 50`)
}
