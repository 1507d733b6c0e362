import { type Kysely, sql } from 'kysely'
import { accountPath } from '#features/access/service-accounts/views/list.ts'
import { GROUPS } from '#features/accounts/people/views/groups.ts'
import { PEOPLE } from '#features/accounts/people/views/people.ts'
import { changeableBy, shownTo } from '#features/events/events/access.ts'
import { TYPES } from '#features/events/events/views/event-types.ts'
import { hasPermission, isStaff } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { andAll, type Condition, contains, searchNames } from '#platform/db/conditions.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { isOn } from '#platform/features/modules.ts'
import { addDays, startOfDay } from '#platform/i18n/days.ts'
import { journalKind } from '#platform/journal/entries.ts'
import type { JournalKind } from '#platform/journal/kinds.ts'
import { LIST_REQUESTS } from '#platform/journal/list-requests.ts'
import {
  formerName,
  type JournalEntry,
  LIST_KINDS,
  type LogQuery,
  type NamedKind,
  parseLogQuery,
  type Reference,
  referencesIn,
} from './rules/entries.ts'
import { convertWhenShown } from './rules/imported-entries.ts'

type JournalFilter = {
  /** Kind of the changed record. */
  subjectKind?: string | undefined
  subjectId?: number | undefined
  /** Part of the name or e-mail address of the actor or of the person concerned. */
  who?: string | undefined
  from?: Date | undefined
  /** Exclusive. */
  until?: Date | undefined
  text?: string | undefined
  eventId?: number | undefined
  /** Of one list. */
  request?: string | undefined
  /** Only entries with a smaller id. */
  before?: number | undefined
}

/** Newest first. */
async function findEntries(db: Kysely<DB>, filter: JournalFilter, limit: number): Promise<JournalEntry[]> {
  return rowsOf(db).all(sql<JournalEntry>`
    select j.id, j.at, j.kind, j.actor_kind as "actorKind", j.actor_id as "actorId", j.subject_kind as "subjectKind",
      j.subject_id as "subjectId", j.event_id as "eventId", j.request_id as "requestId", j.changes, j.personal
    from journal j where ${sql.join([sql`true`, ...conditionsOf(filter)], sql` and `)} order by j.id desc limit ${limit}`)
}

function conditionsOf({ subjectKind, subjectId, who, from, until, text, eventId, request, before }: JournalFilter): Condition[] {
  const people =
    who && sql`(select u.id from user_profile u where true${andAll(searchNames([who], [sql`u.display_name`, sql`u.email`]))})`
  return [
    subjectKind !== undefined && sql`j.subject_kind = ${subjectKind}`,
    subjectId !== undefined && sql`j.subject_id = ${subjectId}`,
    eventId !== undefined && sql`j.event_id = ${eventId}`,
    request !== undefined && sql`j.request_id = ${request}`,
    // Whoever searches finds each entry of a list, too.
    request === undefined && !who && !text && NOT_ONE_OF_A_LIST,
    before !== undefined && sql`j.id < ${before}`,
    from !== undefined && sql`j.at >= ${from}`,
    until !== undefined && sql`j.at < ${until}`,
    people &&
      sql`((j.actor_kind = 'user' and j.actor_id in ${people}) or (j.subject_kind = 'user' and j.subject_id in ${people})
        or j.person_id in ${people}
        or (j.kind in (${journalKind(...OF_MANY)}) and exists (
          select from jsonb_array_elements_text(j.changes -> 'users') as listed (id) where listed.id::bigint in ${people})))`,
    text &&
      sql`(${contains(sql`j.changes::text`, text)} or ${contains(sql`j.personal::text`, text)} or ${contains(sql`j.kind`, text)})`,
  ].filter((condition): condition is Condition => Boolean(condition))
}

/** What was done with a list stands for its entries. */
const NOT_ONE_OF_A_LIST = sql`(j.request_id is null or j.request_id not like ${LIST_REQUESTS} or j.kind in (${journalKind(...LIST_KINDS)}))`

/** They list whom they are about. */
const OF_MANY = [
  'user.many_deactivated',
  'user.many_disqualified',
  'user.many_qualified',
  'user.many_reactivated',
  'user.many_welcomed',
] as const satisfies JournalKind[]

/** Names of records by `kind id`. */
export type Names = ReadonlyMap<string, string>

const SOURCES: { readonly [Kind in NamedKind]?: Condition } = {
  participation_comment: sql`select id, text from participation_comment`,
  user: sql`select id, display_name from user_profile`,
  group: sql`select id, name from user_group`,
  event: sql`select id, title from event`,
  event_type: sql`select id, title from event_type`,
  event_template: sql`select id, name from event_template`,
  qualification: sql`select id, title from qualification`,
  qualification_category: sql`select id, title from qualification_category`,
  building_block: sql`select id, name from building_block`,
  resource: sql`select id, title from resource`,
  resource_category: sql`select id, name from resource_category`,
  question: sql`select id, name from question`,
  page: sql`select id, title from content_page`,
  identity_provider: sql`select id, label from identity_provider`,
  attachment: sql`select id, title from attachment`,
  oauth_application: sql`select id, name from oauth_application`,
  service_account: sql`select id, display_name from user_profile where is_service_account`,
  webhook: sql`select id, name from webhook`,
  access_token: sql`select id, description from access_token`,
  federated_guest: sql`select id, name from federated_guest`,
  federated_host: sql`select id, name from federated_host`,
  visitor: sql`select id, display_name from visitor`,
  guest: sql`select id, display_name from guest`,
  shift: sql`select s.id, concat_ws(', ', e.title, nullif(s.label, '')), s.start_time from shift s join event e on e.id = s.event_id
    union all select r.id, concat_ws(', ', e.title, nullif(r.label, '')), r.start_time from removed_shift r join event e on e.id = r.event_id`,
  participation: sql`select p.id, concat_ws(', ', coalesce(u.display_name, g.display_name, v.display_name, p.placeholder_name), e.title, nullif(s.label, '')), s.start_time
    from participation p join shift s on s.id = p.shift_id join event e on e.id = p.event_id
    left join user_profile u on u.id = p.user_id left join guest g on g.id = p.guest_id left join visitor v on v.id = p.visitor_id
    union all
    select p.id, concat_ws(', ', coalesce(u.display_name, g.display_name, v.display_name, p.row ->> 'placeholder_name'), e.title, nullif(r.label, '')), r.start_time
    from removed_participation p join removed_shift r on r.id = p.removed_shift_id join event e on e.id = r.event_id
    left join user_profile u on u.id = p.user_id left join guest g on g.id = p.guest_id left join visitor v on v.id = p.visitor_id
    union all
    select j.subject_id, concat_ws(', ', coalesce(u.display_name, g.display_name, v.display_name), e.title, nullif(coalesce(s.label, r.label), '')),
      coalesce(s.start_time, r.start_time)
    from journal j join event e on e.id = j.event_id
    left join shift s on s.id = (j.changes ->> 'shift_id')::bigint left join removed_shift r on r.id = (j.changes ->> 'shift_id')::bigint
    left join user_profile u on u.id = (j.changes ->> 'user_id')::bigint left join guest g on g.id = (j.changes ->> 'guest_id')::bigint
    left join visitor v on v.id = (j.changes ->> 'visitor_id')::bigint
    where j.subject_kind = 'participation' and j.kind = ${journalKind('participation.undone')} and j.changes ?| array['user_id', 'guest_id', 'visitor_id']`,
}

/** Kinds whose names are dates, too. */
const DATED = ['shift', 'participation']

/** One query for each kind. */
async function findNames({ db, words }: RequestContext, wanted: readonly Reference[]): Promise<Names> {
  const dated = (name: string, start: Date | null) =>
    start ? words.t('log.shift_name', { name, date: words.date(start) }) : name
  const byKind = Map.groupBy(wanted, ({ kind }) => kind)
  const found = await Promise.all(
    [...byKind].map(async ([kind, all]) => {
      const source = SOURCES[kind as NamedKind]
      if (!source) return []
      const ids = [...new Set(all.map(({ id }) => id))]
      const columns = DATED.includes(kind) ? sql`id, name, start` : sql`id, name`
      const { rows } = await sql<{ id: number; name: string; start?: Date }>`
        select ${columns} from (${source}) as named (${columns}) where id = any (${ids}::bigint[])`.execute(db)
      return rows.map(({ id, name, start }): [string, string] => [`${kind} ${id}`, dated(name, start ?? null)])
    }),
  )
  const names = new Map(found.flat())
  const gone = wanted.filter(({ kind, id }) => !names.has(`${kind} ${id}`))
  for (const { kind, id, changes, event } of await findDeletions(db, gone)) {
    const { name, start } = formerName(changes)
    const title = [kind === 'shift' ? event : null, name].filter(Boolean).join(', ')
    if (title) names.set(`${kind} ${id}`, dated(title, start))
  }
  return names
}

type Deletion = { kind: string; id: number; changes: Record<string, unknown>; event: string | null }

/** Entries about the deletion of records: they keep the names. */
async function findDeletions(db: Kysely<DB>, gone: readonly Reference[]): Promise<Deletion[]> {
  if (!gone.length) return []
  // never null: id (equal to one of those searched for)
  return rowsOf(db).all(sql<Deletion>`
    select distinct on (j.subject_kind, j.subject_id) j.subject_kind as kind, j.subject_id as id, j.changes, e.title as event
    from unnest(${gone.map(({ kind }) => kind)}::text[], ${gone.map(({ id }) => id)}::bigint[]) as g (kind, id)
    join journal j on j.subject_kind = g.kind and j.subject_id = g.id and split_part(j.kind, '.', 2) = 'deleted'
    left join event e on e.id = j.event_id
    order by j.subject_kind, j.subject_id, j.id desc`)
}

/** Says of users that are service accounts what they are. */
async function nameServiceAccounts({ db, words }: RequestContext, names: Names, wanted: readonly Reference[]): Promise<Names> {
  const ids = [...new Set(wanted.flatMap(({ kind, id }) => (kind === 'user' ? [id] : [])))]
  if (!ids.length) return names
  const { rows } = await sql<{ id: number; name: string }>`
    select id, display_name as name from user_profile where id = any (${ids}::bigint[]) and is_service_account`.execute(db)
  return new Map([
    ...names,
    ...rows.map(({ id, name }): [string, string] => [`user ${id}`, words.t('log.service_account', { name })]),
  ])
}

/** Pages of records by `kind id`, of those that the caller may open. */
export type Pages = ReadonlyMap<string, string>

async function findPages({ db, actor, site }: RequestContext, names: Names, wanted: readonly Reference[]): Promise<Pages> {
  const FOLDERS: Record<string, { path: string; permission: Permission }> = {
    user: { path: PEOPLE, permission: 'view_user' },
    group: { path: GROUPS, permission: 'view_group' },
    event_type: { path: TYPES, permission: 'change_event_type' },
  }
  const { rows: services } = await sql<{ id: number }>`
    select s.user_id as id from service_account s where s.user_id = any (${wanted.map(({ id }) => id)}::bigint[])`.execute(db)
  const serviceIds = new Set(services.map(({ id }) => id))
  const eventIds = [...new Set(wanted.flatMap(({ kind, id }) => (kind === 'event' ? [id] : [])))]
  const { rows: events } = await sql<{ id: number }>`
    select e.id from event e where e.id = any (${eventIds}::bigint[]) and ${shownTo(actor)}`.execute(db)
  const others = wanted.flatMap(({ kind, id }): [string, string][] => {
    const isService = (kind === 'user' || kind === 'service_account') && serviceIds.has(id)
    if (isService) return isStaff(actor) && isOn(site, 'integrations') ? [[`${kind} ${id}`, accountPath(id)]] : []
    const folder = FOLDERS[kind]
    if (!folder || !names.has(`${kind} ${id}`) || !hasPermission(actor, folder.permission)) return []
    return [[`${kind} ${id}`, `${folder.path}${id}/`]]
  })
  return new Map([...others, ...events.map(({ id }): [string, string] => [`event ${id}`, `/events/${id}/`])])
}

export type Log = { query: LogQuery; entries: JournalEntry[]; names: Names; pages: Pages; older: number | undefined }

const PAGE_SIZE = 50

/** One page of the log; with `eventId`, only entries about that event. */
export async function findLogPage(context: RequestContext, raw: URLSearchParams, eventId?: number): Promise<Log> {
  const { db, words, now, site } = context
  const query = parseLogQuery(raw, words.inputDate(now))
  const filter: JournalFilter = {
    subjectKind: query.what || undefined,
    who: query.who || undefined,
    text: query.q || undefined,
    before: query.before,
    eventId,
    request: query.request || undefined,
    from: query.from ? startOfDay(query.from, site.timeZone) : undefined,
    until: query.to ? startOfDay(addDays(query.to, 1), site.timeZone) : undefined,
  }
  const found = await findEntries(db, filter, PAGE_SIZE + 1)
  const entries = found.slice(0, PAGE_SIZE).map(convertWhenShown)
  const references = entries.flatMap(referencesIn)
  const names = await nameServiceAccounts(context, await findNames(context, references), references)
  const pages = await findPages(context, names, references)
  return { query, entries, names, pages, older: found.length > PAGE_SIZE ? entries.at(-1)!.id : undefined }
}

/** An event whose log the caller may read: responsible people, and those who may read the whole log. */
export async function getLoggedEvent(
  { db, actor }: RequestContext,
  id: number,
): Promise<{ id: number; title: string } | undefined> {
  const readers = hasPermission(actor, 'view_journal') ? sql`true` : changeableBy(actor)
  return rowsOf(db).first(sql<{ id: number; title: string }>`
    select e.id, e.title from event e where e.id = ${id} and ${readers}`)
}
