import { sql } from 'kysely'
import { loadCatalogue, requireCatalogue } from '#features/accounts/qualifications/queries.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition, searchNames } from '#platform/db/conditions.ts'
import type { Span } from '#platform/time-span.ts'
import { type CardPerson, cardKey } from '../rules/cards.ts'
import { describePerson, type PersonInfo } from './card-drafts.ts'
import { loadPeopleFacts } from './people.ts'
import type { BoardShift } from './shift-board.ts'

type PeopleSearch = {
  terms: readonly string[]
  /** `fits`: only people who could take part. `free`: only people without a confirmed shift at that time. */
  fits: boolean
  free: boolean
  /** Holds this qualification, or one that includes it, until the end of the shift. */
  skillId: number | undefined
  page: number
}
type FoundPerson = PersonInfo & { key: string; who: CardPerson; name: string }

const PAGE_SIZE = 12
/** Most people judged for `fits`, which SQL cannot decide. */
const MAX_JUDGED_PEOPLE = 600

/** Otherwise the search would tell the addresses of people, letter by letter. */
export const maySearchByEmail = ({ actor }: RequestContext): boolean => hasPermission(actor, 'view_user')

/** Listed people, and guests and visitors of the event. */
export const candidatesOf = (eventId: number) => sql`(
      select 'local' as kind, u.id as user_id, null::bigint as visitor_id, null::bigint as guest_id, u.display_name as name, u.email
        from user_profile u where u.is_visible and u.is_active
      union all select 'guest', null, null, g.id, g.display_name, g.email from guest g where g.event_id = ${eventId}
      union all select 'visitor', null, v.id, null, v.display_name, v.email from visitor v
        where v.id in (select p.visitor_id from participation p where p.event_id = ${eventId})
    )`

export const searchCandidates = (context: RequestContext, terms: readonly string[]): Condition[] =>
  searchNames([...terms], maySearchByEmail(context) ? [sql`one.name`, sql`one.email`] : [sql`one.name`])

/** `fits` and `free`: for how many of the `shifts` that are not over. Qualifications count until the end of the last of them. */
export type FoundForEvent = Pick<PersonInfo, 'held' | 'expiring' | 'isMinor'> & {
  key: string
  who: CardPerson
  name: string
  fits: number
  free: number
  shifts: number
}

/** People who can be added to the board of an event. `taken`: keys of people on it. */
export async function findPeopleToAddToEvent(
  context: RequestContext,
  { id: eventId, shifts }: { id: number; shifts: readonly (Span & { id: number })[] },
  { terms, page }: { terms: readonly string[]; page: number },
  taken: ReadonlySet<string>,
): Promise<{ people: FoundForEvent[]; hasMore: boolean }> {
  const count = (page + 1) * PAGE_SIZE
  const { rows } = await sql<{ kind: 'local' | 'visitor' | 'guest'; id: number; name: string }>`
    select one.kind, coalesce(one.user_id, one.visitor_id, one.guest_id) as id, one.name from ${candidatesOf(eventId)} one
    where true${andAll(searchCandidates(context, terms))}
    order by lower(one.name), one.kind, id limit ${count + 1 + taken.size}`.execute(context.db)
  const found = rows
    .map(({ kind, id, name }) => ({ who: { kind, id }, key: cardKey({ kind, id }), name }))
    .filter(({ key }) => !taken.has(key))
  return { people: await describeForEvent(context, shifts, found.slice(0, count)), hasMore: found.length > count }
}

async function describeForEvent(
  context: RequestContext,
  shifts: readonly (Span & { id: number })[],
  people: readonly Pick<FoundForEvent, 'who' | 'key' | 'name'>[],
): Promise<FoundForEvent[]> {
  const coming = shifts.filter(({ end }) => end >= context.now).sort((a, b) => a.end.getTime() - b.end.getTime())
  if (!coming.length)
    return people.map((one) => ({ ...one, held: [], expiring: [], isMinor: false, fits: 0, free: 0, shifts: 0 }))
  const facts = await loadPeopleFacts(
    context,
    people.map(({ who }) => who),
    coming.map(({ id }) => id),
  )
  return people.map((one) => {
    const all = coming.map(({ id, start, end }) => describePerson(context, one.who, { shiftId: id, facts, span: { start, end } }))
    const { held, expiring, isMinor } = all.at(-1)!
    const free = all.filter(({ hints }) => hints.every(({ code }) => code !== 'conflict')).length
    return { ...one, held, expiring, isMinor, fits: all.filter(isFitting).length, free, shifts: coming.length }
  })
}

/** A confirmed shift at that time is told apart. */
const isFitting = ({ hints }: PersonInfo): boolean => hints.every(({ code }) => code === 'conflict')

/** People who can be added to the shift: listed people, and guests and visitors of the event. `taken`: keys of cards already on the board. */
export async function findPeopleToAdd(
  context: RequestContext,
  shift: BoardShift,
  { terms, fits, free, skillId, page }: PeopleSearch,
  taken: ReadonlySet<string>,
): Promise<{ people: FoundPerson[]; hasMore: boolean }> {
  const conditions: Condition[] = searchCandidates(context, terms)
  if (skillId !== undefined)
    conditions.push(sql`exists (
      select from (
        select g.qualification_id as id from qualification_grant g
          where g.user_id = one.user_id and (g.expires_at is null or g.expires_at >= ${shift.end})
        union all select v.qualification_id from visitor_qualification v where v.visitor_id = one.visitor_id
        union all select q.qualification_id from guest_qualification q where q.guest_id = one.guest_id and q.verified_at is not null
      ) held where held.id = ${skillId}
        or exists (select from qualification_closure c where c.qualification_id = held.id and c.included_id = ${skillId})
    )`)
  if (free)
    conditions.push(sql`not exists (
      select from participation o join event e on e.id = o.event_id
      where (o.user_id = one.user_id or o.visitor_id = one.visitor_id or o.guest_id = one.guest_id)
        and o.state = 1 and e.listed and o.start_time < ${shift.end} and o.end_time > ${shift.start}
    )`)
  const from = page * PAGE_SIZE
  const { rows } = await sql<{ kind: 'local' | 'visitor' | 'guest'; id: number; name: string }>`
    select one.kind, coalesce(one.user_id, one.visitor_id, one.guest_id) as id, one.name from ${candidatesOf(shift.eventId)} one
    where not exists (
      select from participation p where p.shift_id = ${shift.id}
        and (p.user_id = one.user_id or p.visitor_id = one.visitor_id or p.guest_id = one.guest_id)
    )${andAll(conditions)}
    order by lower(one.name), one.kind, id
    limit ${fits ? MAX_JUDGED_PEOPLE : from + PAGE_SIZE + 1 + taken.size}`.execute(context.db)
  const found = rows
    .map(({ kind, id, name }) => ({ who: { kind, id }, key: cardKey({ kind, id }), name }))
    .filter(({ key }) => !taken.has(key))
  const judged = fits ? found : found.slice(from, from + PAGE_SIZE)
  const facts = await loadPeopleFacts(
    context,
    judged.map(({ who }) => who),
    [shift.id],
  )
  const span = { start: shift.start, end: shift.end }
  const people = judged.map((one) => ({ ...one, ...describePerson(context, one.who, { shiftId: shift.id, facts, span }) }))
  if (!fits) return { people, hasMore: found.length > from + PAGE_SIZE }
  const fitting = people.filter(isFitting)
  return { people: fitting.slice(from, from + PAGE_SIZE), hasMore: fitting.length > from + PAGE_SIZE }
}

type QualificationNames = {
  titleOf: (id: number) => string
  /** Abbreviation for badges. */
  shortOf: (id: number) => string
  all: { id: number; title: string }[]
}

/** `known`: what was read with the version of the catalogue. */
export async function findQualificationNames(
  { db, words }: RequestContext,
  known?: { catalogueVersion: number },
): Promise<QualificationNames> {
  const catalogue = await (known ? requireCatalogue(db, known.catalogueVersion) : loadCatalogue(db))
  const all = [...catalogue].map(([id, { title }]) => ({ id, title }))
  return {
    titleOf: (id) => catalogue.get(id)?.title ?? `#${id}`,
    shortOf: (id) => catalogue.get(id)?.abbreviation || catalogue.get(id)?.title || `#${id}`,
    all: all.sort((a, b) => a.title.localeCompare(b.title, words.language)),
  }
}
