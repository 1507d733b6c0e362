import { type Kysely, sql } from 'kysely'
import { changeableBy, shownTo } from '#features/events/events/access.ts'
import { availabilityOf } from '#features/staffing/availability/queries/availability.ts'
import type { Availability } from '#features/staffing/availability/rules/availability.ts'
import { loadSharedFacts, type SharedFacts } from '#features/staffing/eligibility/queries/eligibility.ts'
import { findEngagementsAtPartners, NOBODY } from '#features/staffing/eligibility/queries/engagements.ts'
import { findVerdicts } from '#features/staffing/eligibility/queries/rules.ts'
import { reachOfShifts } from '#features/staffing/eligibility/queries/shift-facts.ts'
import type { EngagementRow, Grant, OwnRecord, SignupFacts } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { PlaceBasis } from '#features/staffing/staffing/rules/lapses.ts'
import { reachOf } from '#features/staffing/working-time-limits/rules.ts'
import type { Actor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { journalKind } from '#platform/journal/entries.ts'
import { type CardPerson, cardKey } from '../rules/cards.ts'

type LoadedPerson = {
  key: string
  name: string
  isActive: boolean
  isVisible: boolean
  dateOfBirth: string | null
  phone: string | null
  groupIds: number[]
  availability: Availability | null
  grants: Grant[]
}
/** `basis` undefined: nothing is remembered, or the shift is over. */
export type VersionedRecord = OwnRecord & { version: number; basis: PlaceBasis | undefined }

/** Sign-up facts for many people, with a constant number of queries. */
export type PeopleFacts = {
  shared: SharedFacts
  person: (who: CardPerson) => LoadedPerson | undefined
  own: (who: CardPerson, shiftId: number) => VersionedRecord | undefined
  /** By shift. */
  recordsOf: (who: CardPerson) => ReadonlyMap<number, VersionedRecord>
  of: (who: CardPerson) => SignupFacts
}

export async function loadPeopleFacts(
  { db, actor, now, site }: Pick<RequestContext, 'db' | 'actor' | 'now' | 'site'>,
  people: readonly CardPerson[],
  shiftIds: readonly number[],
): Promise<PeopleFacts> {
  const shared = await loadSharedFacts(db, shiftIds, now)
  const ids = idsOf(people)
  const persons = new Map((await loadPersons(db, ids, shiftIds)).map((person) => [person.key, person]))
  const own = recordsByPerson(await findRecords(db, people, shiftIds))
  const engagements = Map.groupBy(await loadEngagements(db, actor, ids, shared), ({ key }) => key)
  const verdictsOf = await findVerdicts({ now, site }, ids.local, shiftIds)
  const ownOf = (who: CardPerson) => own.get(cardKey(who)) ?? NO_RECORDS
  return {
    shared,
    person: (who) => persons.get(cardKey(who)),
    own: (who, shiftId) => ownOf(who).get(shiftId),
    recordsOf: ownOf,
    of: (who) => {
      const person = persons.get(cardKey(who))
      const { isActive = true, dateOfBirth = null, groupIds = [], availability = null, grants = [] } = person ?? {}
      return {
        ...shared,
        who: 'placeholder' in who ? NOBODY : who,
        person: {
          exists: 'placeholder' in who || !!person,
          isActive,
          isProvisional: false,
          dateOfBirth,
          groupIds,
          availability,
          grants,
          savedAnswers: {},
        },
        own: ownOf(who),
        // Planners do not answer for others.
        answers: new Map(),
        engagements: engagements.get(cardKey(who)) ?? [],
        ...('kind' in who && who.kind === 'local' ? { verdicts: verdictsOf(who.id) } : {}),
      }
    },
  }
}

type Ids = { local: number[]; visitor: number[]; guest: number[]; names: string[] }

function idsOf(people: readonly CardPerson[]): Ids {
  const of = (kind: 'local' | 'visitor' | 'guest') =>
    people.flatMap((who) => ('kind' in who && who.kind === kind ? [who.id] : []))
  const names = people.flatMap((who) => ('placeholder' in who ? [who.placeholder] : []))
  return { local: of('local'), visitor: of('visitor'), guest: of('guest'), names }
}

type PersonRow = Omit<LoadedPerson, 'grants' | 'key'> & {
  kind: 'local' | 'visitor' | 'guest'
  id: number
  grants: { id: number; until: string | null }[] | null
}

async function loadPersons(db: Kysely<DB>, { local, visitor, guest }: Ids, shiftIds: readonly number[]): Promise<LoadedPerson[]> {
  const { rows } = await sql<PersonRow>`
    select 'local' as kind, u.id, u.display_name as name, u.is_active as "isActive", u.is_visible as "isVisible",
      u.date_of_birth as "dateOfBirth", u.phone, array(select m.group_id from user_group_member m where m.user_id = u.id) as "groupIds", ${availabilityOf(sql`u.id`, reachOfShifts(shiftIds))} as availability,
      (select json_agg(json_build_object('id', g.qualification_id, 'until', g.expires_at)) from qualification_grant g where g.user_id = u.id) as grants
    from user_profile u where u.id = any (${local}::bigint[])
    union all select 'visitor', v.id, v.display_name, true, true, v.date_of_birth, v.phone, '{}'::bigint[], null::json,
      (select json_agg(json_build_object('id', q.qualification_id, 'until', null)) from visitor_qualification q where q.visitor_id = v.id)
    from visitor v where v.id = any (${visitor}::bigint[])
    union all select 'guest', g.id, g.display_name, true, true, g.date_of_birth, g.phone, '{}'::bigint[], null::json,
      (select json_agg(json_build_object('id', q.qualification_id, 'until', null)) from guest_qualification q
        where q.guest_id = g.id and q.verified_at is not null)
    from guest g where g.id = any (${guest}::bigint[])`.execute(db)
  return rows.map(({ kind, id, grants, ...row }) => ({
    ...row,
    key: cardKey({ kind, id }),
    grants: (grants ?? []).map(({ id, until }) => ({ id, until: until === null ? null : new Date(until) })),
  }))
}

type KeyRow = { kind: 'local' | 'visitor' | 'guest' | 'placeholder'; person_id: number | null; placeholder_name: string | null }

const keyOfRow = ({ kind, person_id, placeholder_name }: KeyRow): string =>
  cardKey(kind === 'placeholder' ? { placeholder: placeholder_name! } : { kind, id: person_id! })

const identity = sql`p.kind, coalesce(p.user_id, p.visitor_id, p.guest_id) as person_id, p.placeholder_name`
const isAmong = ({ local, visitor, guest }: Ids) => sql`(p.user_id = any (${local}::bigint[])
  or p.visitor_id = any (${visitor}::bigint[]) or p.guest_id = any (${guest}::bigint[]))`

/** Current participations of these people in these shifts. */
export async function findRecords(
  db: Kysely<DB>,
  people: readonly CardPerson[],
  shiftIds: readonly number[],
): Promise<(VersionedRecord & { key: string })[]> {
  const ids = idsOf(people)
  type BasisRow = { wasQualified: boolean | null; hasLeftGroup: boolean | null }
  const { rows } = await sql<Omit<VersionedRecord, 'basis'> & KeyRow & BasisRow>`
    select p.id, p.shift_id as "shiftId", p.state, p.individual_start_time as "individualStart",
      p.individual_end_time as "individualEnd", p.start_time as start, p.end_time as end,
      p.structure_data as "structureData", p.version, b.was_qualified as "wasQualified", b.has_left_group as "hasLeftGroup", ${identity}
    from participation p left join place_basis b on b.participation_id = p.id and not p.finished
    where p.shift_id = any (${shiftIds}::bigint[])
      and (${isAmong(ids)} or p.placeholder_name = any (${ids.names}::text[]))`.execute(db)
  return rows.map(({ wasQualified, hasLeftGroup, ...row }) => ({
    ...row,
    key: keyOfRow(row),
    basis: wasQualified === null || hasLeftGroup === null ? undefined : { wasQualified, hasLeftGroup },
  }))
}

const NO_RECORDS: ReadonlyMap<number, VersionedRecord> = new Map()

/** By person and shift. */
function recordsByPerson(records: readonly (VersionedRecord & { key: string })[]): Map<string, Map<number, VersionedRecord>> {
  const found = new Map<string, Map<number, VersionedRecord>>()
  for (const record of records) found.set(record.key, (found.get(record.key) ?? new Map()).set(record.shiftId, record))
  return found
}

const DAY_MS = 24 * 3_600_000

/**
 * Confirmed participations from a day before the shifts until a day after them. Titles only of events that the planner sees, looked up
 * for each row: as a condition of the whole, PostgreSQL would read the grants of all groups.
 */
async function loadEngagements(
  db: Kysely<DB>,
  actor: Actor,
  ids: Ids,
  { shifts, settings }: SharedFacts,
): Promise<(EngagementRow & { key: string })[]> {
  if (!shifts.size) return []
  const all = [...shifts.values()]
  const margin = DAY_MS + reachOf(settings.limits)
  const from = new Date(Math.min(...all.map(({ meeting }) => meeting.getTime())) - margin)
  const until = new Date(Math.max(...all.map(({ end }) => end.getTime())) + margin)
  const { rows } = await sql<EngagementRow & KeyRow>`
    select p.shift_id as "shiftId", p.event_id as "eventId", p.start_time as start, p.end_time as end,
      (select e.title from event e where e.id = p.event_id and (${changeableBy(actor)} or ${shownTo(actor)}) offset 0) as "eventTitle",
      case when s.signup_flow_slug = 'coupled' then s.signup_flow_configuration ->> 'leader_shift_id' end as "leaderShiftId", ${identity}
    from participation p join event e on e.id = p.event_id join shift s on s.id = p.shift_id
    where ${isAmong(ids)} and p.state = 1 and e.listed and p.end_time > ${from} and p.start_time < ${until}
    order by p.start_time, p.id`.execute(db)
  const atPartners = await findEngagementsAtPartners(db, ids.local, { from, until })
  return [
    ...rows.map(({ kind, person_id, placeholder_name, ...row }) => ({
      ...row,
      key: keyOfRow({ kind, person_id, placeholder_name }),
    })),
    ...atPartners.map((row) => ({ ...row, key: cardKey({ kind: 'local', id: row.userId }) })),
  ]
}

/** Which of these people can be added to a shift of the event: active listed people, guests of the event, and visitors who already take part in it. */
export async function findAddablePeople(
  db: Kysely<DB>,
  eventId: number,
  people: readonly CardPerson[],
): Promise<ReadonlySet<string>> {
  if (!people.length) return new Set()
  const ids = (kind: string) => people.flatMap((who) => ('kind' in who && who.kind === kind ? [who.id] : []))
  const { rows } = await sql<{ kind: 'local' | 'visitor' | 'guest'; id: number }>`
    select 'local' as kind, u.id from user_profile u where u.id = any (${ids('local')}::bigint[]) and u.is_visible and u.is_active
    union all select 'guest', g.id from guest g where g.id = any (${ids('guest')}::bigint[]) and g.event_id = ${eventId}
    union all select 'visitor', v.id from visitor v where v.id = any (${ids('visitor')}::bigint[])
      and exists (select from participation p where p.visitor_id = v.id and p.event_id = ${eventId})`.execute(db)
  return new Set(rows.map(cardKey))
}

/** `by` null: unknown, or a participant who is not a user. */
export type LastChange = { at: Date; by: string | null; isOwn: boolean }

/** Last journal entry of each participation. */
export async function findLastChanges(db: Kysely<DB>, participationIds: readonly number[]): Promise<Map<number, LastChange>> {
  if (!participationIds.length) return new Map()
  const { rows } = await sql<LastChange & { id: number }>`
    select p.id, last.at, u.display_name as by, last.kind not in (${journalKind('participation.moved', 'participation.given_up')}) as "isOwn"
    from participation p
    cross join lateral (
      select j.at, j.kind, j.actor_kind, j.actor_id from journal j
      where j.subject_kind = 'participation' and j.subject_id = p.id order by j.id desc limit 1
    ) last
    left join user_profile u on last.actor_kind = 'user' and u.id = last.actor_id
    where p.id = any (${participationIds}::bigint[])`.execute(db)
  return new Map(rows.map(({ id, ...change }) => [id, change]))
}
