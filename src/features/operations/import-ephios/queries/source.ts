import type { Columns, SourceDatabase, SourceRow } from '#platform/db/source-database.ts'
import { rankOf } from '../rules/event-mappers.ts'
import type { SourceLookups } from '../rules/mappers.ts'
import { PARTICIPATION, SOURCE_COLUMNS } from '../rules/source-columns.ts'
import { parseTime } from '../rules/values.ts'

/** Rows of one table by id; none if the table does not exist. */
export async function* readRows(source: SourceDatabase, table: string): AsyncGenerator<SourceRow[]> {
  if (table === PARTICIPATION.source) yield* readParticipations(source)
  else if (source.tables.has(table))
    yield* source.read(`"${table}"`, existingColumns(source, table, SOURCE_COLUMNS[table]!), '"id"')
}

/** Other releases of ephios may lack a column. */
function existingColumns(source: SourceDatabase, table: string, columns: Columns): Columns {
  const existing = source.tables.get(table)!
  return Object.fromEntries(Object.entries(columns).filter(([column]) => existing.has(column)))
}

/** The common part joined with the part of its kind. */
async function* readParticipations(source: SourceDatabase): AsyncGenerator<SourceRow[]> {
  const kinds = PARTICIPATION.kinds.filter(({ table }) => source.tables.has(table))
  const joins = kinds.map(({ table }) => `left join "${table}" on "${table}"."abstractparticipation_ptr_id" = part."id"`)
  const columns: Columns = { ...PARTICIPATION.columns }
  for (const { table, column, kind } of kinds) columns[`${table}.${column}`] = kind
  yield* source.read(`"${PARTICIPATION.source}" part ${joins.join(' ')}`, columns, 'part."id"')
}

/** Rows of one kind without the common part. */
export async function* readOrphans(source: SourceDatabase, table: string): AsyncGenerator<SourceRow[]> {
  const { column, kind } = PARTICIPATION.kinds.find((each) => each.table === table)!
  const columns: Columns = { 'kind.abstractparticipation_ptr_id': 'integer', [`kind.${column}`]: kind }
  const from = `"${table}" kind left join "${PARTICIPATION.source}" part on part."id" = kind."abstractparticipation_ptr_id"`
  yield* source.read(`${from} where part."id" is null`, columns)
}

/** Their labels. */
export async function findIdentityProviders(source: SourceDatabase): Promise<string[]> {
  const table = 'core_identityprovider'
  if (!source.tables.has(table)) return []
  const labels: string[] = []
  const columns = existingColumns(source, table, { id: 'integer', label: 'text' })
  for await (const batch of source.read(`"${table}"`, columns, '"id"'))
    for (const { id, label } of batch) labels.push(String(label || `No. ${id}`))
  return labels
}

async function readAll(source: SourceDatabase, table: string): Promise<SourceRow[]> {
  const all: SourceRow[] = []
  for await (const batch of readRows(source, table)) all.push(...batch)
  return all
}

export async function readLookups(source: SourceDatabase): Promise<SourceLookups> {
  const contentTypes = new Map(
    (await readAll(source, 'django_content_type')).map((row) => [row.id as number, `${row.app_label}.${row.model}`]),
  )
  const permissions = new Map(
    (await readAll(source, 'auth_permission')).map((row) => {
      const app = contentTypes.get(row.content_type_id as number)?.split('.')[0] ?? ''
      return [row.id as number, `${app}.${row.codename}`]
    }),
  )
  const preferences = await readAll(source, 'eventtypepreference')
  const guests = await readAll(source, 'federation_federatedguest')
  const hosts = await readAll(source, 'federation_federatedhost')
  const shares = await readAll(source, 'federation_federatedeventshare')
  const applications = await readAll(source, 'api_application')
  const pairs = <V>(rows: readonly SourceRow[], key: string, value: string) =>
    new Map(rows.map((row) => [row[key] as number, row[value] as V]))
  return {
    names: { contentTypes, permissions },
    requestTimes: await findRequestTimes(source, contentTypes),
    restrictedTypes: new Set(
      preferences.filter(({ name }) => name === 'visible_for').map(({ instance_id }) => instance_id as number),
    ),
    duplicates: await findDuplicates(source),
    eventOfShare: pairs(shares, 'id', 'event_id'),
    shiftOfAllocation: pairs(await readAll(source, 'simpleresource_resourceallocation'), 'id', 'shift_id'),
    endOfEvent: await findEnds(source),
    shiftOfQuestionnaire: pairs(await readAll(source, 'questionnaires_questionnaire'), 'id', 'shift_id'),
    clientIds: pairs(applications, 'id', 'client_id'),
    guestOfToken: pairs(guests, 'access_token_id', 'id'),
    applicationsOfHosts: new Set(hosts.map(({ oauth_application_id }) => oauth_application_id as number)),
    scopesOfRefresh: await findRefreshScopes(source),
  }
}

type Mutable<T> = T extends ReadonlyMap<infer K, infer V> ? Map<K, V> : never

/** When requests were made and decided, as far as they are in the log. */
async function findRequestTimes(
  source: SourceDatabase,
  contentTypes: ReadonlyMap<number, string>,
): Promise<SourceLookups['requestTimes']> {
  const found: Mutable<SourceLookups['requestTimes']> = new Map()
  const table = 'modellogging_logentry'
  const type = [...contentTypes].find(([, model]) => model === 'core.consequence')?.[0]
  if (type === undefined || !source.tables.has(table)) return found
  const { id, content_object_id, datetime, action_type, user_id } = SOURCE_COLUMNS[table]!
  const columns = existingColumns(source, table, { id, content_object_id, datetime, action_type, user_id } as Columns)
  for await (const batch of source.read(`"${table}" where "content_type_id" = ${Number(type)}`, columns, '"id"'))
    for (const row of batch) {
      if (parseTime(row.datetime) === undefined) continue
      const request = found.get(row.content_object_id as number) ?? {}
      const at = String(row.datetime)
      if (row.action_type === 'create') request.created ??= at
      // The last change is the decision.
      else request.decided = { at, by: row.user_id as number | null }
      found.set(row.content_object_id as number, request)
    }
  return found
}

async function findEnds(source: SourceDatabase): Promise<Map<number, string>> {
  const ends = new Map<number, string>()
  if (!source.tables.has('eventautoqualification_eventautoqualificationconfiguration')) return ends
  for await (const batch of readRows(source, 'shift')) {
    for (const { event_id, end_time } of batch) {
      const [event, end] = [event_id as number, String(end_time)]
      const known = ends.get(event)
      if (known === undefined || new Date(end) > new Date(known)) ends.set(event, end)
    }
  }
  return ends
}

/** Either the refresh token refers to its access token, or the access token to the refresh token. */
async function findRefreshScopes(source: SourceDatabase): Promise<Map<number, string>> {
  const found = new Map<number, string>()
  if (!source.tables.has('api_refreshtoken')) return found
  const byToken = new Map<number, number>()
  for await (const batch of readRows(source, 'api_refreshtoken'))
    for (const row of batch) if (row.access_token_id != null) byToken.set(row.access_token_id as number, row.id as number)
  for await (const batch of readRows(source, 'api_accesstoken'))
    for (const row of batch) {
      const refresh = byToken.get(row.id as number) ?? row.source_refresh_token_id
      if (refresh != null) found.set(refresh as number, String(row.scope))
    }
  return found
}

/** Ids of participations that rank below another one of the same person in the same shift. */
async function findDuplicates(source: SourceDatabase): Promise<Set<number>> {
  const duplicates = new Set<number>()
  for (const { table, column } of PARTICIPATION.kinds) {
    if (column === 'display_name' || !source.tables.has(table)) continue
    const join = `join "${table}" kind on kind."abstractparticipation_ptr_id" = part."id"`
    const from = `(select part."shift_id", kind."${column}" as "person" from "${PARTICIPATION.source}" part ${join}
      group by part."shift_id", kind."${column}" having count(*) > 1) twice
      join "${PARTICIPATION.source}" part on part."shift_id" = twice."shift_id" ${join} and kind."${column}" = twice."person"`
    const columns: Columns = {
      'part.id': 'integer',
      'part.state': 'integer',
      'part.shift_id': 'integer',
      'twice.person': 'integer',
    }
    const best = new Map<string, SourceRow>()
    for await (const batch of source.read(from, columns, 'part."id"'))
      for (const row of batch) {
        const key = `${row.shift_id} ${row.person}`
        const other = best.get(key)
        const isBetter = !other || rankOf(row.state) >= rankOf(other.state)
        if (other) duplicates.add((isBetter ? other.id : row.id) as number)
        if (isBetter) best.set(key, row)
      }
  }
  return duplicates
}
