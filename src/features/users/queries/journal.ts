import { type Kysely, sql } from 'kysely'
import { type Condition, contains } from '#platform/db/conditions.ts'
import type { DB } from '#platform/db/tables.ts'

export type JournalFilter = {
  /** Kind of what was changed. */
  subjectKind?: string | undefined
  subjectId?: number | undefined
  /** Who did it or whom it is about, by name or address. */
  who?: string | undefined
  from?: Date | undefined
  until?: Date | undefined
  text?: string | undefined
  eventId?: number | undefined
  /** Entries older than this one. */
  before?: number | undefined
}

export type JournalEntry = {
  id: number
  at: Date
  kind: string
  actorKind: string
  actorId: number | null
  subjectKind: string
  subjectId: number | null
  eventId: number | null
  requestId: string | null
  changes: Record<string, unknown>
  personal: Record<string, unknown> | null
}

/** From the end, and no further than the page needs: the journal only grows. */
export async function findJournal(db: Kysely<DB>, filter: JournalFilter, limit: number): Promise<JournalEntry[]> {
  const { rows } = await sql<JournalEntry>`
    select j.id, j.at, j.kind, j.actor_kind as "actorKind", j.actor_id as "actorId", j.subject_kind as "subjectKind",
      j.subject_id as "subjectId", j.event_id as "eventId", j.request_id as "requestId", j.changes, j.personal
    from journal j where ${sql.join([sql`true`, ...conditionsOf(filter)], sql` and `)} order by j.id desc limit ${limit}`.execute(
    db,
  )
  return rows
}

function conditionsOf({ subjectKind, subjectId, who, from, until, text, eventId, before }: JournalFilter): Condition[] {
  const people =
    who && sql`(select u.id from user_profile u where ${contains(sql`u.display_name`, who)} or ${contains(sql`u.email`, who)})`
  return [
    subjectKind !== undefined && sql`j.subject_kind = ${subjectKind}`,
    subjectId !== undefined && sql`j.subject_id = ${subjectId}`,
    eventId !== undefined && sql`j.event_id = ${eventId}`,
    before !== undefined && sql`j.id < ${before}`,
    from !== undefined && sql`j.at >= ${from}`,
    until !== undefined && sql`j.at <= ${until}`,
    people &&
      sql`((j.actor_kind = 'user' and j.actor_id in ${people}) or (j.subject_kind = 'user' and j.subject_id in ${people})
        or j.person_id in ${people})`,
    text &&
      sql`(${contains(sql`j.changes::text`, text)} or ${contains(sql`j.personal::text`, text)} or ${contains(sql`j.kind`, text)})`,
  ].filter((condition): condition is Condition => Boolean(condition))
}

export type Named = { kind: string; id: number }
/** What things are called, by `kind id`. */
export type Names = ReadonlyMap<string, string>

const SOURCES: Record<string, Condition> = {
  user: sql`select id, display_name from user_profile`,
  group: sql`select id, name from user_group`,
  event: sql`select id, title from event`,
  event_type: sql`select id, title from event_type`,
  qualification: sql`select id, title from qualification`,
  qualification_category: sql`select id, title from qualification_category`,
  building_block: sql`select id, name from building_block`,
  oauth_application: sql`select id, name from oauth_application`,
  access_token: sql`select id, description from access_token`,
  federated_guest: sql`select id, name from federated_guest`,
  federated_host: sql`select id, name from federated_host`,
  visitor: sql`select id, display_name from visitor`,
  shift: sql`select s.id, concat_ws(', ', e.title, nullif(s.label, '')) from shift s join event e on e.id = s.event_id`,
  participation: sql`select p.id, concat_ws(', ', coalesce(u.display_name, g.display_name, v.display_name, p.placeholder_name), e.title, nullif(s.label, ''))
    from participation p join shift s on s.id = p.shift_id join event e on e.id = p.event_id
    left join user_profile u on u.id = p.user_id left join guest g on g.id = p.guest_id left join visitor v on v.id = p.visitor_id`,
}

/** One look-up for each kind; what is gone has no name. */
export async function findNames(db: Kysely<DB>, wanted: readonly Named[]): Promise<Names> {
  const byKind = Map.groupBy(wanted, ({ kind }) => kind)
  const found = await Promise.all(
    [...byKind].map(async ([kind, all]) => {
      const source = SOURCES[kind]
      if (!source) return []
      const ids = [...new Set(all.map(({ id }) => id))]
      const { rows } = await sql<{ id: number; name: string }>`
        select id, name from (${source}) as named (id, name) where id = any (${ids}::bigint[])`.execute(db)
      return rows.map(({ id, name }): [string, string] => [`${kind} ${id}`, name])
    }),
  )
  return new Map(found.flat())
}
