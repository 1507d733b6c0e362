import { type Kysely, sql } from 'kysely'
import { byId, findPage, type Paged, type PagedRows, type PageRequest, selected } from '#platform/db/paged.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'

export type ListedType = {
  id: number
  title: string
  color: string
  showParticipantData: number
  archivedAt: Date | null
  /** Includes drafts and deleted events, which also prevent deleting the type. */
  eventCount: number
}

export type EventType = ListedType & {
  defaultDescription: string | null
  visibleForAllGroups: boolean
  version: number
  audienceGroups: number[]
  responsibleGroups: number[]
  responsibleUsers: number[]
  requiredQualifications: number[]
}

const listed = sql`t.id, t.title, t.color, t.show_participant_data as "showParticipantData", t.archived_at as "archivedAt",
  (select count(*)::int from event e where e.type_id = t.id) as "eventCount"`

/** Archived types last, each group by title. */
export async function findEventTypes(db: Kysely<DB>): Promise<ListedType[]> {
  return rowsOf(db).all(sql<ListedType>`
    select ${listed} from event_type t order by (t.archived_at is not null), lower(t.title), t.id`)
}

export async function getEventType(db: Kysely<DB>, id: number): Promise<EventType | undefined> {
  const groups = (role: string) =>
    sql`array(select d.group_id from event_type_default_group d where d.event_type_id = t.id and d.role = ${role} order by 1)`
  return rowsOf(db).first(sql<EventType>`
    select ${listed}, t.default_description as "defaultDescription", t.visible_for_all_groups as "visibleForAllGroups", t.version,
      ${groups('audience')} as "audienceGroups", ${groups('responsible')} as "responsibleGroups",
      array(select u.user_id from event_type_default_user u where u.event_type_id = t.id order by 1) as "responsibleUsers",
      array(select q.qualification_id from event_type_required_qualification q where q.event_type_id = t.id order by 1)
        as "requiredQualifications"
    from event_type t where t.id = ${id}`)
}

export type Choice = { id: number; label: string; help?: string }
type TypeChoices = { groups: Choice[]; qualifications: Choice[]; people: Choice[] }

/** Options of the form. Only chosen people are included, because there can be thousands. */
export async function findTypeChoices(db: Kysely<DB>, userIds: readonly number[]): Promise<TypeChoices> {
  const [groups, qualifications, people] = await Promise.all([
    sql<Choice>`select id, name as label from user_group order by lower(name), id`.execute(db),
    sql<Choice>`select q.id, q.title as label, c.title as help from qualification q join qualification_category c on c.id = q.category_id
      order by lower(c.title), c.id, lower(q.title), q.id`.execute(db),
    sql<Choice>`select id, display_name as label, coalesce(username, email) as help from user_profile where id = any (${userIds}::bigint[])
      order by lower(display_name), id`.execute(db),
  ])
  return { groups: groups.rows, qualifications: qualifications.rows, people: people.rows }
}

/** Active people with this e-mail address or full name. */
export async function findPeopleNamed(db: Kysely<DB>, text: string): Promise<Choice[]> {
  return rowsOf(db).all(sql<Choice>`
    select id, display_name as label, coalesce(username, email) as help from user_profile
    where is_active and (lower(username) = lower(${text}) or lower(email) = lower(${text}) or lower(display_name) = lower(${text})) order by id limit 2`)
}

const MOST_NAMES = 200

/** E-mail addresses for autocompletion. */
export async function findNamesToOffer(db: Kysely<DB>): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select coalesce(username, email) as email from user_profile
    where deleted_at is null and is_active and is_visible order by lower(display_name), id limit ${MOST_NAMES + 1}`.execute(db)
  // A part of all people would suggest that the others do not exist.
  return rows.length > MOST_NAMES ? [] : rows.map(({ email }) => email)
}

export type TypeRow = {
  id: number
  title: string
  color: string
  show_participant_data: number
  default_description: string | null
  required_qualifications: number[]
  visible_for_all_groups: boolean
  audience_groups: number[]
  responsible_groups: number[]
  responsible_users: number[]
  archived_at: string | null
}

const defaultGroups = (role: 'audience' | 'responsible') =>
  sql`array(select d.group_id from event_type_default_group d where d.event_type_id = t.id and d.role = ${role} order by 1)`

const typeColumns = {
  id: sql`t.id`,
  title: sql`t.title`,
  color: sql`t.color`,
  show_participant_data: sql`t.show_participant_data`,
  default_description: sql`t.default_description`,
  required_qualifications: sql`array(select q.qualification_id from event_type_required_qualification q
    where q.event_type_id = t.id order by 1)`,
  visible_for_all_groups: sql`t.visible_for_all_groups`,
  audience_groups: defaultGroups('audience'),
  responsible_groups: defaultGroups('responsible'),
  responsible_users: sql`array(select u.user_id from event_type_default_user u where u.event_type_id = t.id order by 1)`,
  archived_at: sql`t.archived_at::text`,
}

/** For the API, by id, with archived ones. */
export function findTypeRows({ db }: { db: Kysely<DB> }, page: PageRequest): Promise<PagedRows<TypeRow>> {
  const listing = { columns: typeColumns, from: sql`from event_type t`, where: sql`true`, order: byId(sql`t.id`) }
  return findPage({ db }, listing, page, (chosen) => sql<Paged<TypeRow>>`${chosen}`)
}

export async function getTypeRow({ db }: { db: Kysely<DB> }, id: number): Promise<TypeRow | undefined> {
  return rowsOf(db).first(sql<TypeRow>`select ${selected(typeColumns)} from event_type t where t.id = ${id}`)
}
