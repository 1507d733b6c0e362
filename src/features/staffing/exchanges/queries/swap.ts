import { type Kysely, type RawBuilder, sql } from 'kysely'
import { shownTo } from '#features/events/events/access.ts'
import { openFor } from '#features/staffing/eligibility/access.ts'
import { loadSharedFacts, loadSignupFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { loadFactsOfPeople, seesEvent } from '#features/staffing/eligibility/queries/free-people.ts'
import { judgeCandidacy, type SignupFacts } from '#features/staffing/eligibility/rules/candidacy.ts'
import { identityShownTo } from '#features/staffing/participations/access.ts'
import type { Reason, SignupRules } from '#features/staffing/staffing/rules/model.ts'
import { userIdOf } from '#platform/auth/actor.ts'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Span } from '#platform/time-span.ts'
import { reasonsAgainstSwap, type SwapRole, type SwapState } from '../rules/swap.ts'
import type { Place } from './stand-in.ts'

/** One of the two people of a proposal, with the place that they have at first. */
type SwapSide = Span & {
  userId: number
  name: string
  shiftId: number
  label: string
  eventId: number
  eventTitle: string
  participationId: number
  decidedAt: Date | null
}
export type Swap = Record<SwapRole, SwapSide> & { id: number; state: SwapState; message: string; expiresAt: Date }

type Row = Omit<Swap, SwapRole> & SwapSide & { [Key in keyof SwapSide as `o_${Key}`]: SwapSide[Key] }

/** When a proposal ends. Of `swap w` and its shifts `s` and `os`, which may begin earlier than when it was made. */
export const endOfSwap = sql`least(w.expires_at, s.start_time, os.start_time)`

const columns = sql`w.id, w.state, w.message, ${endOfSwap} as "expiresAt",
  w.user_id as "userId", u.display_name as name, w.shift_id as "shiftId", s.label, e.id as "eventId", e.title as "eventTitle",
  w.participation_id as "participationId", s.start_time as start, s.end_time as end, w.decided_at as "decidedAt",
  w.other_id as "o_userId", ou.display_name as o_name, w.other_shift_id as "o_shiftId", os.label as o_label, oe.id as "o_eventId",
  oe.title as "o_eventTitle", w.other_participation_id as "o_participationId", os.start_time as o_start, os.end_time as o_end,
  w.other_decided_at as "o_decidedAt"`
const tables = sql`swap w join shift s on s.id = w.shift_id join event e on e.id = s.event_id join user_profile u on u.id = w.user_id
  join shift os on os.id = w.other_shift_id join event oe on oe.id = os.event_id join user_profile ou on ou.id = w.other_id`

function toSwap(row: Row): Swap {
  const { id, state, message, expiresAt, userId, name, shiftId, label, eventId, eventTitle, participationId } = row
  const { start, end, decidedAt } = row
  return {
    id,
    state,
    message,
    expiresAt,
    proposer: { userId, name, shiftId, label, eventId, eventTitle, participationId, start, end, decidedAt },
    other: {
      userId: row.o_userId,
      name: row.o_name,
      shiftId: row.o_shiftId,
      label: row.o_label,
      eventId: row.o_eventId,
      eventTitle: row.o_eventTitle,
      participationId: row.o_participationId,
      start: row.o_start,
      end: row.o_end,
      decidedAt: row.o_decidedAt,
    },
  }
}

export async function getSwap(db: Kysely<DB>, id: number): Promise<Swap | undefined> {
  const { rows } = await sql<Row>`select ${columns} from ${tables} where w.id = ${id}`.execute(db)
  return rows[0] && toSwap(rows[0])
}

/** Proposals from and to a person that are not decided; of one event or shift, if given. */
export async function findOpenSwaps(
  db: Kysely<DB>,
  userId: number,
  { now, eventId, shiftId }: { now: Date; eventId?: number; shiftId?: number },
): Promise<Swap[]> {
  const at = (own: RawBuilder<unknown>, event: RawBuilder<unknown>, shift: RawBuilder<unknown>) => sql`(${own} = ${userId}
    and (${eventId ?? null}::bigint is null or ${event} = ${eventId ?? null}) and (${shiftId ?? null}::bigint is null or ${shift} = ${shiftId ?? null}))`
  const { rows } = await sql<Row>`
    select ${columns} from ${tables}
    where w.state in ('open', 'accepted') and ${endOfSwap} > ${now}
      and (${at(sql`w.user_id`, sql`e.id`, sql`s.id`)} or ${at(sql`w.other_id`, sql`oe.id`, sql`os.id`)})
    order by w.id limit 20`.execute(db)
  return rows.map(toSwap)
}

type SwapForPlanner = Swap & { knows: Record<SwapRole, boolean> }

/** Proposals about a shift, the newest first. `knows`: the caller, who plans the shift, may see the event of each place. */
export async function findSwapsOf({ db, actor }: RequestContext, shiftId: number): Promise<SwapForPlanner[]> {
  const sees = (id: RawBuilder<unknown>) => sql`exists (select from event e where e.id = ${id} and ${openFor(actor)})`
  const { rows } = await sql<Row & { knows: Record<SwapRole, boolean> }>`
    select ${columns}, json_build_object('proposer', ${sees(sql`s.event_id`)}, 'other', ${sees(sql`os.event_id`)}) as knows
    from ${tables} where ${shiftId} in (w.shift_id, w.other_shift_id) order by w.id desc limit 50`.execute(db)
  return rows.map((row) => ({ ...toSwap(row), knows: row.knows }))
}

type Moment = Pick<CommandContext, 'now' | 'site'>
type JudgedSide = { reasons: Reason[]; signupRules: SignupRules | undefined }

/** The shift that a person gives up does not count, nor do those that follow it. */
const without = (facts: SignupFacts, shiftId: number): SignupFacts => ({
  ...facts,
  engagements: facts.engagements.filter(
    (other) => other.shiftId !== shiftId && (other.leaderShiftId === null || other.leaderShiftId !== String(shiftId)),
  ),
})

const withoutPerson = (facts: SignupFacts, participationId: number): SignupFacts => ({
  ...facts,
  people: new Map([...facts.people].map(([id, all]) => [id, all.filter((one) => one.participationId !== participationId)])),
})

/** With the times and the team of the place that the person gets. */
function judgeSide(facts: SignupFacts, { gives, gets }: Exchange, { now, site }: Moment): JudgedSide & { isAvailable: boolean } {
  const span = { start: gets.start, end: gets.end }
  const judged = judgeCandidacy(without(facts, gives.shiftId), gets.shiftId, { now, timeZone: site.timeZone }, span)!
  const reasons = reasonsAgainstSwap(judged, gets.structureData)
  return { reasons, signupRules: judged.signupRules, isAvailable: judged.availability !== 'cannot' }
}

type PlaceToSwap = Pick<Place, 'id' | 'shiftId' | 'start' | 'end' | 'structureData'>
type Exchange = { gives: PlaceToSwap; gets: PlaceToSwap }

async function judgePerson(
  db: Kysely<DB>,
  moment: Moment,
  { userId, eventId, ...exchange }: Exchange & { userId: number; eventId: number },
): Promise<JudgedSide | undefined> {
  const { gives, gets } = exchange
  const givenUp = [gives.id, gets.id]
  const facts = await loadSignupFacts(db, { kind: 'local', id: userId }, [gets.shiftId], moment, { givenUp })
  if (!facts.person.isActive || !facts.shifts.has(gets.shiftId)) return undefined
  const { rows } = await sql<{ sees: boolean }>`
    select ${seesEvent(sql`${eventId}`)}
      or exists (select from participation p where p.event_id = ${eventId} and p.user_id = u.id and p.state <> 4) as sees
    from user_profile u where u.id = ${userId}`.execute(db)
  return rows[0]?.sees ? judgeSide(facts, exchange, moment) : undefined
}

type Holder = { userId: number; eventId: number; place: PlaceToSwap }

/** What speaks against the exchange for each of the two; undefined: one of them is not active or does not see the event. */
export async function judgeSwap(
  db: Kysely<DB>,
  moment: Moment,
  { proposer, other }: Record<SwapRole, Holder>,
): Promise<Record<SwapRole, JudgedSide> | undefined> {
  const judge = (who: Holder, from: Holder) =>
    judgePerson(db, moment, { userId: who.userId, eventId: from.eventId, gives: who.place, gets: from.place })
  const first = await judge(proposer, other)
  const second = await judge(other, proposer)
  return first && second && { proposer: first, other: second }
}

/** A place of another person that the caller may know about. */
export type OtherPlace = PlaceToSwap & {
  userId: number
  name: string
  label: string
  eventId: number
  eventTitle: string
  location: string
}

const MAX_JUDGED = 200
export const MAX_SHOWN = 60
const DAY_MS = 24 * 3_600_000
/** Swaps are proposed among the shifts of this many days. */
const SWAP_DAYS = 92

type OwnPlace = PlaceToSwap & { eventId: number }
type Caller = Pick<CommandContext, 'db' | 'actor' | 'now'>

/**
 * Confirmed places of others in coming shifts that the caller could have instead of their own, as far as SQL can tell: both see the
 * event of the other, the caller sees the name, and neither has another shift at that time.
 */
async function findPlaces(
  { db, actor, now }: Caller,
  own: OwnPlace,
  userId: number,
  which: RawBuilder<unknown>,
): Promise<OtherPlace[]> {
  // never null: userId (the condition compares it)
  return rowsOf(db).all(sql<OtherPlace>`
    select p.id, p.shift_id as "shiftId", p.start_time as start, p.end_time as end, p.structure_data as "structureData",
      p.user_id as "userId", u.display_name as name, s.label, e.id as "eventId", e.title as "eventTitle", e.location
    from participation p join shift s on s.id = p.shift_id join event e on e.id = p.event_id join event_type t on t.id = e.type_id
      join user_profile u on u.id = p.user_id
    where p.kind = 'local' and p.state = 1 and p.user_id <> ${userId} and p.shift_id <> ${own.shiftId} and p.start_time > ${now}
      and p.start_time < ${new Date(now.getTime() + SWAP_DAYS * DAY_MS)} and s.start_time > ${now} and s.signup_flow_slug <> 'coupled' and ${which}
      and e.listed and ${shownTo(actor)} and ${identityShownTo(actor)} and u.is_active and u.is_visible
      and (e.id = ${own.eventId} or ${seesEvent(sql`${own.eventId}`)})
      and not exists (select from participation o where o.shift_id = s.id and o.user_id = ${userId} and o.state <> 2)
      and not exists (select from participation o where o.shift_id = ${own.shiftId} and o.user_id = u.id and o.state <> 2)
      and not exists (select from participation o join event x on x.id = o.event_id where o.user_id = ${userId} and o.state = 1
        and x.listed and o.id <> ${own.id} and o.start_time < p.end_time and o.end_time > p.start_time)
      and not exists (select from participation o join event x on x.id = o.event_id where o.user_id = u.id and o.state = 1
        and x.listed and o.id <> p.id and o.start_time < ${own.end} and o.end_time > ${own.start})
      and not exists (select from swap w where w.state in ('open', 'accepted')
        and (w.participation_id, w.other_participation_id) in ((p.id, ${own.id}::bigint), (${own.id}::bigint, p.id)))
    order by p.start_time, u.display_name, p.id limit ${MAX_JUDGED}`)
}

export async function getPlaceToSwap(context: Caller, own: OwnPlace, placeId: number): Promise<OtherPlace | undefined> {
  const [place] = await findPlaces(context, own, userIdOf(context.actor), sql`p.id = ${placeId}`)
  return place
}

/** Places that the caller can propose to swap with: both would be eligible after it. The number of queries is fixed. */
export async function findPlacesToSwap(context: Caller & Moment, own: OwnPlace): Promise<OtherPlace[]> {
  const { db, now, actor } = context
  const userId = userIdOf(actor)
  const places = await findPlaces(context, own, userId, sql`true`)
  if (!places.length) return []
  const shiftIds = [...new Set(places.map(({ shiftId }) => shiftId))]
  const mine = await loadSignupFacts(db, { kind: 'local', id: userId }, shiftIds, context, { givenUp: [own.id] })
  const shared = await loadSharedFacts(db, [own.shiftId], now)
  const others = await loadFactsOfPeople(context, shared, [...new Set(places.map((place) => place.userId))])
  return places
    .filter((place) => {
      const theirs = others.get(place.userId)
      if (!theirs) return false
      const me = judgeSide(withoutPerson(mine, place.id), { gives: own, gets: place }, context)
      if (me.reasons.length) return false
      const them = judgeSide(withoutPerson(theirs, own.id), { gives: place, gets: own }, context)
      return !them.reasons.length && them.isAvailable
    })
    .slice(0, MAX_SHOWN)
}
