import { type Kysely, type RawBuilder, sql } from 'kysely'
import { getSettings } from '#features/operations/settings/queries.ts'
import { loadSharedFacts, loadSignupFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { findFreePeople } from '#features/staffing/eligibility/queries/free-people.ts'
import { type Candidacy, judgeCandidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import { identityShownTo } from '#features/staffing/participations/access.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Span } from '#platform/time-span.ts'
import { reasonsAgainstStandIn, type StandInMode, type StandInState } from '../rules/stand-in.ts'
import { MAX_ASKED, orderTakers, type SearchProgress, type Taker } from '../rules/waves.ts'
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
  waveSize: number
  /** When the next people are asked; null: nobody else is asked. */
  nextAt: Date | null
  asked: number
  /** Those who were asked and those who will be. */
  people: number
}

const columns = sql`d.id, d.shift_id as "shiftId", s.event_id as "eventId", d.participation_id as "participationId", d.user_id as "userId",
  d.state, d.message, d.taken_by_id as "takenBy", d.wave_size as "waveSize", d.next_at as "nextAt", s.start_time as start, s.end_time as end,
  (select count(a.asked_at) from stand_in_person a where a.stand_in_id = d.id)::int as asked,
  (select count(*) from stand_in_person a where a.stand_in_id = d.id)::int as people`

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
  const facts = await loadSignupFacts(db, { kind: 'local', id: userId }, [shiftId], { now, site }, { givenUp: [place.id] })
  if (!facts.person.isActive) return undefined
  // The times of the place, not those of a former participation of the taker.
  return judgeCandidacy(facts, shiftId, { now, timeZone: site.timeZone }, { start: place.start, end: place.end })
}

/** Shifts of the last two years count. */
const SHARED_DAYS = 730
const ASKED_DAYS = 30
const DAY_MS = 24 * 3_600_000

/** With how many past shifts people shared with the caller, of those whose participants the caller may see. */
async function findShared({ db, now, actor }: Pick<CommandContext, 'db' | 'now' | 'actor'>): Promise<Map<number, number>> {
  const me = userIdOf(actor)
  // never null: id (participations of kind local have a person)
  const { rows } = await sql<{ id: number; shared: number }>`
    select p.user_id as id, count(*)::int as shared
    from participation own join participation p on p.shift_id = own.shift_id and p.kind = 'local' and p.state = 1 and p.user_id <> ${me}
      join event e on e.id = p.event_id join event_type t on t.id = e.type_id
    where own.user_id = ${me} and own.kind = 'local' and own.state = 1 and own.start_time <= ${now}
      and own.start_time > ${new Date(now.getTime() - SHARED_DAYS * DAY_MS)} and e.deleted_at is null and ${identityShownTo(actor)}
    group by p.user_id order by shared desc, p.user_id limit ${MAX_ASKED}`.execute(db)
  return new Map(rows.map(({ id, shared }) => [id, shared]))
}

type Search = Pick<CommandContext, 'db' | 'now' | 'site'>

/** Who fits the shift and is free then. */
async function findAble(context: Search, shiftId: number, isLeftOut: RawBuilder<boolean>, most: number) {
  const shared = await loadSharedFacts(context.db, [shiftId], context.now)
  const found = await findFreePeople(context, shared, [{ id: shiftId, ways: [[]] }], { mostPerShift: most, isLeftOut })
  return (found.get(shiftId)?.people ?? []).filter(({ candidacy }) => !reasonsAgainstStandIn(candidacy).length)
}

/** People who fit the shift and are free then, in the order in which they are asked. Those who know the caller are found first. */
export async function findTakers(
  context: Pick<CommandContext, 'db' | 'now' | 'site' | 'actor'>,
  { shiftId, chosen = [] }: { shiftId: number; chosen?: readonly number[] },
): Promise<Taker[]> {
  const { db, now } = context
  const sharedOf = await findShared(context)
  const { rows } = await sql<{ id: number }>`
    select w.user_id as id from waiting_entry w where w.shift_id = ${shiftId} and w.state in ('waiting', 'offered')
    order by w.since, w.id limit ${MAX_ASKED}`.execute(db)
  const line = new Map(rows.map((row, index) => [row.id, index]))
  const known = [...new Set([...line.keys(), ...sharedOf.keys()])]
  const first = await findAble(context, shiftId, sql`not u.id = any (${known}::bigint[])`, known.length)
  const others = await findAble(context, shiftId, sql`u.id = any (${known}::bigint[])`, MAX_ASKED)
  const able = [...first, ...others]
  const asked = await sql<{ id: number; asked: number }>`
    select a.user_id as id, count(*)::int as asked from stand_in_person a
    where a.user_id = any (${able.map(({ id }) => id)}::bigint[]) and a.asked_at > ${new Date(now.getTime() - ASKED_DAYS * DAY_MS)}
    group by a.user_id`.execute(db)
  const askedOf = new Map(asked.rows.map((row) => [row.id, row.asked]))
  const takers = able.map(({ id, name }) => ({
    id,
    name,
    line: line.get(id),
    shared: sharedOf.get(id) ?? 0,
    // Others are not known to the caller, so they cannot be chosen.
    isChosen: sharedOf.has(id) && chosen.includes(id),
    asked: askedOf.get(id) ?? 0,
  }))
  return orderTakers(takers).slice(0, MAX_ASKED)
}

/** Those of a search who have not been asked and still fit, in its order. */
export async function findNextTakers(context: Search, { id, shiftId }: { id: number; shiftId: number }): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select a.user_id as id from stand_in_person a where a.stand_in_id = ${id} and a.asked_at is null
    order by a.position, a.id`.execute(context.db)
  const ids = rows.map((row) => row.id)
  const able = await findAble(context, shiftId, sql`not u.id = any (${ids}::bigint[])`, MAX_ASKED)
  const fits = new Set(able.map((person) => person.id))
  return ids.filter((one) => fits.has(one))
}

type Progress = Pick<StandIn, 'state' | 'asked' | 'people' | 'waveSize' | 'nextAt'>

export const progressOf = ({ state, asked, people, waveSize, nextAt }: Progress): SearchProgress => ({
  state: state === 'found' ? 'found' : 'open',
  asked,
  people,
  next: nextAt ? Math.min(waveSize, people - asked) : 0,
  nextAt,
})

export type RunningSearch = SearchProgress & { shiftId: number; name: string }
type StoredSearch = Omit<RunningSearch, 'next' | 'nextAt'> & { waveSize: number; nextAt: string | null }

/** Searches that go on for places of these shifts, as JSON for `readRunningSearches`. The caller plans the shifts. */
export const runningSearchesOf = (shiftIds: readonly number[]): RawBuilder<readonly StoredSearch[]> => sql`(
  select coalesce(json_agg(json_build_object('shiftId', d.shift_id, 'name', u.display_name, 'state', d.state, 'waveSize', d.wave_size,
      'nextAt', d.next_at, 'asked', counted.asked, 'people', counted.people) order by d.shift_id, d.id), '[]')
  from stand_in d join user_profile u on u.id = d.user_id
    cross join lateral (select count(a.asked_at) as asked, count(*) as people from stand_in_person a where a.stand_in_id = d.id) counted
  where d.shift_id = any (${shiftIds}::bigint[]) and d.state in ('open', 'found'))`

export const readRunningSearches = (stored: readonly StoredSearch[]): RunningSearch[] =>
  stored.map(({ shiftId, name, nextAt, ...search }) => ({
    shiftId,
    name,
    ...progressOf({ ...search, nextAt: nextAt === null ? null : new Date(nextAt) }),
  }))

/** What goes on for places of a person, by shift. */
export async function findOwnSearches(db: Kysely<DB>, userId: number): Promise<Map<number, SearchProgress>> {
  const rows = await rowsOf(db).all(sql<StandIn>`
    select ${columns} from stand_in d join shift s on s.id = d.shift_id
    where d.user_id = ${userId} and d.state in ('open', 'found') order by d.id limit 100`)
  return new Map(rows.map((row) => [row.shiftId, progressOf(row)]))
}

type StandInRow = StandIn & { name: string; takenByName: string | null }

/** Searches of a shift, the newest first. The caller plans it. */
export async function findStandInsOf(db: Kysely<DB>, shiftId: number): Promise<StandInRow[]> {
  return rowsOf(db).all(sql<StandInRow>`
    select ${columns}, u.display_name as name, t.display_name as "takenByName"
    from stand_in d join shift s on s.id = d.shift_id join user_profile u on u.id = d.user_id left join user_profile t on t.id = d.taken_by_id
    where d.shift_id = ${shiftId} order by d.id desc limit 50`)
}
