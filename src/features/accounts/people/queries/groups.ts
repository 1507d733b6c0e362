import { type Kysely, sql } from 'kysely'
import { grantTargets } from '#features/accounts/users/queries/group-rights.ts'
import { bundlesIn, loosePermissions } from '#features/accounts/users/rules.ts'
import { BUNDLES } from '#platform/auth/permissions.ts'
import { andAll, type Condition, searchNames } from '#platform/db/conditions.ts'
import { byId, findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { requireFound } from '#platform/http/problem.ts'

export type Group = {
  id: number
  name: string
  members: number
  permissions: string[]
  publishFor: number[]
  decideHoursFor: number[]
}
export type GroupWithBundles = Group & { bundles: string[]; loose: string[] }

const columns = sql`g.id, g.name, (select count(*)::int from user_group_member m where m.group_id = g.id)
    - (select count(*)::int from user_group_member m join user_profile u on u.id = m.user_id
      where m.group_id = g.id and u.is_service_account) as members,
  array(select p.permission from group_permission p where p.group_id = g.id order by 1) as permissions,
  array(select t.target_group_id from group_grant t where t.group_id = g.id and t.permission = 'publish_event_for_group' order by 1) as "publishFor",
  array(select t.target_group_id from group_grant t where t.group_id = g.id and t.permission = 'decide_working_hours_for_group' order by 1) as "decideHoursFor"`

const withBundles = (group: Group): GroupWithBundles => ({
  ...group,
  bundles: bundlesIn(BUNDLES, group.permissions),
  loose: loosePermissions(BUNDLES, group.permissions),
})

export async function findGroups(db: Kysely<DB>): Promise<GroupWithBundles[]> {
  const { rows } = await sql<Group>`select ${columns} from user_group g order by lower(g.name), g.id`.execute(db)
  return rows.map(withBundles)
}

export async function getGroup(db: Kysely<DB>, id: number): Promise<GroupWithBundles | undefined> {
  const { rows } = await sql<Group>`select ${columns} from user_group g where g.id = ${id}`.execute(db)
  return rows[0] && withBundles(rows[0])
}

export const requireGroup = async ({ db }: { db: Kysely<DB> }, id: number): Promise<GroupWithBundles> =>
  requireFound(await getGroup(db, id))

export type GroupRow = {
  id: number
  name: string
  member_count: number
  permissions: string[]
  publish_for: number[]
  decide_hours_for: number[]
}

const rowColumns = {
  id: sql`g.id`,
  name: sql`g.name`,
  member_count: sql`(select count(*)::int from user_group_member m where m.group_id = g.id)`,
  permissions: sql`array(select p.permission from group_permission p where p.group_id = g.id order by 1)`,
  publish_for: grantTargets('publish_event_for_group'),
  decide_hours_for: grantTargets('decide_working_hours_for_group'),
}

/** For the API, by id. */
export function findGroupRows({ db }: { db: Kysely<DB> }, page: PageRequest): Promise<PagedRows<GroupRow>> {
  const listing = { columns: rowColumns, from: sql`from user_group g`, where: sql`true`, order: byId(sql`g.id`) }
  return findPage({ db }, listing, page, (chosen) => sql<Paged<GroupRow>>`${chosen}`)
}

export async function getGroupRow({ db }: { db: Kysely<DB> }, id: number): Promise<GroupRow | undefined> {
  return rowsOf(db).first(sql<GroupRow>`select ${selected(rowColumns)} from user_group g where g.id = ${id}`)
}

/** Whether another group has the whole management bundle. */
export async function hasOtherManagement(db: Kysely<DB>, groupId: number): Promise<boolean> {
  const row = await db
    .selectFrom('group_permission')
    .select('group_id')
    .where('permission', 'in', BUNDLES.management)
    .where('group_id', '!=', groupId)
    .groupBy('group_id')
    .having((eb) => eb.fn.countAll<number>(), '=', BUNDLES.management.length)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Without `showsEmail`, addresses are neither shown nor searched. */
type MemberSearch = { terms: string[]; limit: number; showsEmail: boolean }
export type Member = { id: number; name: string; email: string | null; isActive: boolean }

/** From that on, the first members by name are found sooner among all people by name than among the members. */
const LARGE_GROUP = 2000

const people = (isShown: Condition, { terms, limit, showsEmail }: MemberSearch) => sql<Member>`
  select u.id, u.display_name as name, ${showsEmail ? sql`u.email` : sql`null::text`} as email, u.is_active as "isActive" from user_profile u
  where u.deleted_at is null and u.is_visible and ${isShown}
    ${andAll(searchNames(terms, showsEmail ? [sql`u.display_name`, sql`u.email`] : [sql`u.display_name`]))}
  order by lower(u.display_name), u.id limit ${limit}`

/** A scalar subquery: the planner looks up one person after the other, and stops at the limit, instead of reading all members first. */
const isMember = (groupId: number) =>
  sql`coalesce((select true from user_group_member m where m.group_id = ${groupId} and m.user_id = u.id), false)`

/** All members at once: sooner where few members are people of the list, or few people are no members. */
const isAmongMembers = (groupId: number) => sql`u.id in (select m.user_id from user_group_member m where m.group_id = ${groupId})`

async function isLarge(db: Kysely<DB>, groupId: number): Promise<boolean> {
  const { isLarge } = await rowsOf(db).one(sql<{ isLarge: boolean }>`
    select count(*) >= ${LARGE_GROUP} as "isLarge" from (select from user_group_member where group_id = ${groupId} limit ${LARGE_GROUP}) chosen`)
  return isLarge
}

export async function findMembers(db: Kysely<DB>, groupId: number, search: MemberSearch): Promise<Member[]> {
  const isShown = (await isLarge(db, groupId)) ? isMember(groupId) : isAmongMembers(groupId)
  return (await people(isShown, search).execute(db)).rows
}

export async function findNonMembers(db: Kysely<DB>, groupId: number, search: MemberSearch): Promise<Member[]> {
  // The index of names finds few people; reading all members of a large group would take longer than the search.
  const readsMembers = !search.terms.length && (await isLarge(db, groupId))
  const isShown = readsMembers ? sql`not (${isAmongMembers(groupId)})` : sql`not ${isMember(groupId)}`
  return (await people(isShown, search).execute(db)).rows
}

export type GroupUses = { events: number; alone: number; titles: string[]; types: number }

/** What uses a group, for the page that confirms its deletion. */
export async function getGroupUses(db: Kysely<DB>, groupId: number, now: Date): Promise<GroupUses> {
  return rowsOf(db).one(sql<GroupUses>`
    with shown as (
      select e.id, e.title, not exists (select from event_group_grant o where o.event_id = e.id and o.group_id <> ${groupId}) as alone
      from event e
      where e.id in (select g.event_id from event_group_grant g where g.group_id = ${groupId})
        and e.deleted_at is null and e.cancelled_at is null and (e.end_time is null or e.end_time >= ${now})
    )
    select (select count(*)::int from shown) as events, (select count(*)::int from shown where alone) as alone,
      array(select title from shown order by id limit 5) as titles,
      (select count(distinct event_type_id)::int from event_type_default_group where group_id = ${groupId}) as types`)
}
