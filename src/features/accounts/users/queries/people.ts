import { type Kysely, sql } from 'kysely'
import { topQualificationsOf } from '#features/accounts/qualifications/queries.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { andAll, type Condition, searchNames, searchSimilar } from '#platform/db/conditions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import type { Pagination } from '#platform/http/paging.ts'
import { mayManageHidden } from '../access.ts'
import { isNotOfAge, type Moment } from './guardians.ts'

export type PeopleFilter = {
  terms: string[]
  /** Names that are similar to the terms, instead of those that contain them. */
  isSimilar?: boolean
  groupId?: number | undefined
  qualificationId?: number | undefined
  /** Only these people. */
  userIds?: readonly number[] | undefined
  state: 'active' | 'inactive' | 'administrators' | 'unattended' | 'failed_address' | 'hidden' | 'all'
}

export type PersonRow = {
  id: number
  name: string
  /** A stand-in if the person has no address of their own. */
  email: string
  username: string | null
  phone: string | null
  dateOfBirth: string | null
  isActive: boolean
  isVisible: boolean
  isStaff: boolean
  emailInvalid: boolean
  createdAt: Date
  lastSeenAt: Date | null
  groups: string[]
  qualifications: string[]
}

const STATES: Record<PeopleFilter['state'], Condition | ((at: Moment) => Condition)> = {
  active: sql`u.is_visible and u.is_active`,
  inactive: sql`u.is_visible and not u.is_active`,
  // People who cannot sign in and whom no active guardian looks after.
  unattended: (
    at,
  ) => sql`u.is_visible and u.is_active and u.email like '%@no-address.invalid' and u.username is null and not exists (
    select from guardianship g join user_profile a on a.id = g.guardian_id join user_profile c on c.id = g.child_id
    where g.child_id = u.id and a.is_active and ${isNotOfAge(at)})`,
  administrators: sql`u.is_visible and (u.is_staff or u.is_superuser)`,
  failed_address: sql`u.is_visible and u.is_active and u.email_invalid and u.email not like '%@no-address.invalid'`,
  hidden: sql`not u.is_visible and not u.is_service_account`,
  all: sql`u.is_visible`,
}

/** Has a valid grant of the qualification or of one that includes it. */
const holds = (qualificationId: number, now: Date): Condition => sql`u.id in (
  select g.user_id from qualification_grant g
  where (g.expires_at is null or g.expires_at >= ${now}) and g.qualification_id in (
    select ${qualificationId}::bigint union all
    select c.qualification_id from qualification_closure c where c.included_id = ${qualificationId}))`

const isState = (text: string): text is PeopleFilter['state'] => Object.hasOwn(STATES, text)

/** What the page of people asks for. */
type PeopleQuery = {
  q: string
  group: number | undefined
  qualification: number | undefined
  state: PeopleFilter['state']
  page: number
}

const LONGEST_SEARCH = 200
const MOST_TERMS = 10

/** Invalid values count as absent: people edit addresses by hand. */
export function readPeopleQuery(raw: URLSearchParams): PeopleQuery {
  const whole = (name: string, most = 1e15) => {
    const text = raw.get(name) ?? ''
    return /^\d{1,15}$/.test(text) && Number(text) >= 1 && Number(text) <= most ? Number(text) : undefined
  }
  const state = raw.get('state') ?? ''
  return {
    q: (raw.get('q') ?? '').replaceAll('\0', '').trim().slice(0, LONGEST_SEARCH),
    group: whole('group'),
    qualification: whole('qualification'),
    state: isState(state) ? state : 'active',
    page: whole('page', 1_000_000) ?? 1,
  }
}

export const filterOf = ({ q, group, qualification, state }: PeopleQuery): PeopleFilter => ({
  terms: q.split(/\s+/).filter(Boolean).slice(0, MOST_TERMS),
  groupId: group,
  qualificationId: qualification,
  state,
})

/** A condition on `user_profile` as `u`. */
export function peopleCondition(
  { actor, now, site }: Pick<RequestContext, 'actor' | 'now' | 'site'>,
  { terms, isSimilar, groupId, qualificationId, userIds, state }: PeopleFilter,
): Condition {
  const shown = state === 'hidden' && !mayManageHidden(actor) ? 'active' : state
  const condition = STATES[shown]
  return sql`u.deleted_at is null and ${typeof condition === 'function' ? condition({ now, site }) : condition}${andAll([
    ...(isSimilar
      ? [searchSimilar(terms.join(' '), sql`u.display_name`)]
      : searchNames(terms, [sql`u.display_name`, sql`u.email`, sql`u.username`, sql`u.contact_email`])),
    ...(groupId === undefined ? [] : [sql`u.id in (select m.user_id from user_group_member m where m.group_id = ${groupId})`]),
    ...(qualificationId === undefined ? [] : [holds(qualificationId, now)]),
    ...(userIds === undefined ? [] : [sql`u.id = any (${userIds}::bigint[])`]),
  ])}`
}

/** Whether names can be compared by similarity; the database may not have the extension. */
async function hasSimilarity(db: Kysely<DB>): Promise<boolean> {
  const { isPresent } = await rowsOf(db).one(sql<{ isPresent: boolean }>`
    select exists (select from pg_extension where extname = 'pg_trgm') as "isPresent"`)
  return isPresent
}

/** People after those of the page are counted up to this number, because counting all of 100,000 takes longer than the page. */
const MOST_COUNTED = 5000

/** `hasMore`: there are more than `count`. */
type FoundPeople = { count: number; hasMore: boolean; people: PersonRow[] }

/** Like `findPeople`; if nobody is found, people with similar names (`isSimilar`). */
export async function searchPeople(
  context: RequestContext,
  filter: PeopleFilter,
  page: Pagination,
): Promise<FoundPeople & { isSimilar: boolean }> {
  const found = await findPeople(context, filter, page)
  if (found.count || !filter.terms.length || !(await hasSimilarity(context.db))) return { ...found, isSimilar: false }
  return { ...(await findPeople(context, { ...filter, isSimilar: true }, page)), isSimilar: true }
}

/**
 * `materialized` picks the ids of the page first, so that the subqueries run for its rows only. The number of rows is part of the text and
 * `offset` is left out on the first page: for parameters, PostgreSQL plans to read a tenth of all people and to sort them.
 */
async function findPeople(context: RequestContext, filter: PeopleFilter, { limit, offset }: Pagination): Promise<FoundPeople> {
  const where = peopleCondition(context, filter)
  const most = offset + MOST_COUNTED
  const [counted, { rows: people }] = await Promise.all([
    sql<{ count: number }>`
      select count(*)::int as count from (select from user_profile u where ${where} limit ${most + 1}) counted`.execute(
      context.db,
    ),
    sql<PersonRow>`
      with chosen as materialized (
        select u.id from user_profile u where ${where} order by lower(u.display_name), u.id limit ${sql.lit(limit)} ${offset ? sql`offset ${offset}` : sql``}
      )
      select u.id, u.display_name as name, u.email, u.username, u.phone, u.date_of_birth as "dateOfBirth", u.is_active as "isActive",
        u.is_visible as "isVisible", (u.is_staff or u.is_superuser) as "isStaff", u.email_invalid as "emailInvalid",
        u.created_at as "createdAt",
        greatest(u.last_sign_in_at, (select max(s.last_seen_at) from session s where s.user_id = u.id)) as "lastSeenAt",
        array(select g.name from user_group g join user_group_member m on m.group_id = g.id where m.user_id = u.id order by g.name) as groups,
        array(select coalesce(nullif(q.abbreviation, ''), q.title) from (${topQualificationsOf(
          sql`select h.qualification_id from qualification_grant h
            where h.user_id = u.id and (h.expires_at is null or h.expires_at >= ${context.now})`,
        )}) q order by 1) as qualifications
      from chosen cross join lateral (select * from user_profile where id = chosen.id offset 0) u
      order by lower(u.display_name), u.id`.execute(context.db),
  ])
  const { count } = counted.rows[0]!
  return { count: Math.min(count, most), hasMore: count > most, people }
}

export type Choice = { id: number; name: string }

export const findGroupChoices = (db: Kysely<DB>): Promise<Choice[]> =>
  db.selectFrom('user_group').select(['id', 'name']).orderBy('name').execute()

export async function findQualificationChoices(db: Kysely<DB>): Promise<(Choice & { category: string })[]> {
  return db
    .selectFrom('qualification as q')
    .innerJoin('qualification_category as c', 'c.id', 'q.category_id')
    .select(['q.id', 'q.title as name', 'c.title as category'])
    .orderBy('c.title')
    .orderBy('q.title')
    .orderBy('q.id')
    .execute()
}
