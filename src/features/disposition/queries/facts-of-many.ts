import { type Kysely, sql } from 'kysely'
import { findEngagementsAbroad, loadSignupFacts } from '#features/participations/queries/eligibility.ts'
import type { OwnRecord, SignupFacts } from '#features/participations/rules/candidacy.ts'
import type { Engagement } from '#features/staffing/rules/model.ts'
import type { DB } from '#platform/db/tables.ts'
import { type CardPerson, cardKey } from '../rules/cards.ts'

export type Grant = { id: number; until: Date | null }
export type PersonLoaded = {
  key: string
  name: string
  isActive: boolean
  isVisible: boolean
  dateOfBirth: string | null
  grants: Grant[]
}
export type OwnVersioned = OwnRecord & { version: number }

/** The same that decides about one person, for many people, with a number of queries that does not depend on theirs. */
export type FactsOfMany = {
  shared: SignupFacts
  person: (who: CardPerson) => PersonLoaded | undefined
  own: (who: CardPerson, shiftId: number) => OwnVersioned | undefined
  of: (who: CardPerson) => SignupFacts
}

const ANONYMOUS = { kind: 'local', id: 0 } as const

export async function loadFactsOfMany(
  db: Kysely<DB>,
  people: readonly CardPerson[],
  shiftIds: readonly number[],
  now: Date,
): Promise<FactsOfMany> {
  const shared = await loadSignupFacts(db, ANONYMOUS, shiftIds, now)
  const ids = idsOf(people)
  const persons = new Map((await loadPersons(db, ids)).map((person) => [person.key, person]))
  const own = Map.groupBy(await findOwnRecords(db, people, shiftIds), ({ key }) => key)
  const engagements = Map.groupBy(await loadEngagements(db, ids, shared), ({ key }) => key)
  const ownOf = (who: CardPerson) => new Map((own.get(cardKey(who)) ?? []).map((record) => [record.shiftId, record]))
  return {
    shared,
    person: (who) => persons.get(cardKey(who)),
    own: (who, shiftId) => ownOf(who).get(shiftId),
    of: (who) => {
      const person = persons.get(cardKey(who))
      const { isActive = true, dateOfBirth = null, grants = [] } = person ?? {}
      return {
        ...shared,
        who: 'placeholder' in who ? ANONYMOUS : who,
        person: { exists: 'placeholder' in who || !!person, isActive, dateOfBirth, grants },
        own: ownOf(who),
        engagements: engagements.get(cardKey(who)) ?? [],
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

type PersonRow = Omit<PersonLoaded, 'grants' | 'key'> & {
  kind: 'local' | 'visitor' | 'guest'
  id: number
  grants: { id: number; until: string | null }[] | null
}

async function loadPersons(db: Kysely<DB>, { local, visitor, guest }: Ids): Promise<PersonLoaded[]> {
  const { rows } = await sql<PersonRow>`
    select 'local' as kind, u.id, u.display_name as name, u.is_active as "isActive", u.is_visible as "isVisible",
      u.date_of_birth as "dateOfBirth",
      (select json_agg(json_build_object('id', g.qualification_id, 'until', g.expires_at)) from qualification_grant g where g.user_id = u.id) as grants
    from user_profile u where u.id = any (${local}::bigint[])
    union all select 'visitor', v.id, v.display_name, true, true, v.date_of_birth,
      (select json_agg(json_build_object('id', q.qualification_id, 'until', null)) from visitor_qualification q where q.visitor_id = v.id)
    from visitor v where v.id = any (${visitor}::bigint[])
    union all select 'guest', g.id, g.display_name, true, true, g.date_of_birth,
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

/** What these people have on these shifts, as it is now. */
export async function findOwnRecords(
  db: Kysely<DB>,
  people: readonly CardPerson[],
  shiftIds: readonly number[],
): Promise<(OwnVersioned & { key: string })[]> {
  const ids = idsOf(people)
  const { rows } = await sql<OwnVersioned & KeyRow>`
    select p.id, p.shift_id as "shiftId", p.state, p.individual_start_time as "individualStart",
      p.individual_end_time as "individualEnd", p.start_time as start, p.end_time as end,
      p.structure_data as "structureData", p.version, ${identity}
    from participation p where p.shift_id = any (${shiftIds}::bigint[])
      and (${isAmong(ids)} or p.placeholder_name = any (${ids.names}::text[]))`.execute(db)
  return rows.map((row) => ({ ...row, key: keyOfRow(row) }))
}

type EngagementRow = Engagement & { leaderShiftId: string | null }
const A_DAY = 24 * 3_600_000

/** Where these people are confirmed, from a day before the shifts until a day after them. */
async function loadEngagements(
  db: Kysely<DB>,
  ids: Ids,
  { shifts, settings }: SignupFacts,
): Promise<(EngagementRow & { key: string })[]> {
  if (!shifts.size) return []
  const all = [...shifts.values()]
  const margin = A_DAY + settings.minimumRestHours * 3_600_000
  const from = new Date(Math.min(...all.map(({ meeting }) => meeting.getTime())) - margin)
  const until = new Date(Math.max(...all.map(({ end }) => end.getTime())) + margin)
  const { rows } = await sql<EngagementRow & KeyRow>`
    select p.shift_id as "shiftId", p.event_id as "eventId", e.title as "eventTitle", p.start_time as start, p.end_time as end,
      case when s.signup_flow_slug = 'coupled' then s.signup_flow_configuration ->> 'leader_shift_id' end as "leaderShiftId", ${identity}
    from participation p join event e on e.id = p.event_id join shift s on s.id = p.shift_id
    where ${isAmong(ids)} and p.state = 1 and e.listed and p.end_time > ${from} and p.start_time < ${until}
    order by p.start_time, p.id`.execute(db)
  const abroad = await findEngagementsAbroad(db, ids.local, { from, until })
  return [
    ...rows.map(({ kind, person_id, placeholder_name, ...row }) => ({
      ...row,
      key: keyOfRow({ kind, person_id, placeholder_name }),
    })),
    ...abroad.map((row) => ({ ...row, key: cardKey({ kind: 'local', id: row.userId }) })),
  ]
}
