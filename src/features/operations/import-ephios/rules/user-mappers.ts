import { deriveUsername } from '#features/accounts/users/rules.ts'
import { isLanguage } from '#platform/i18n/languages.ts'
import { noAddress } from '#platform/no-address.ts'
import type { ImportContext, Omission, TableMapper, Target } from './import-context.ts'
import { SWITCHABLE_SLUGS } from './notification-mapper.ts'
import { clean, cut, parseDay, parseObject, type SourceRow, text, timeOr, toStorableJson } from './values.ts'

/** `app.name` by id. */
export type PermissionNames = { permissions: Map<number, string>; contentTypes: Map<number, string> }

const GLOBAL_PERMISSIONS: Record<string, string> = {
  ...Object.fromEntries(
    ['view', 'add', 'change', 'delete'].flatMap((action) => [
      [`core.${action}_event`, `${action}_event`],
      [`core.${action}_eventtype`, `${action}_event_type`],
      [`core.${action}_userprofile`, `${action}_user`],
      [`core.${action}_qualification`, `${action}_qualification`],
      [`auth.${action}_group`, `${action}_group`],
      [`questionnaires.${action}_question`, `${action}_question`],
    ]),
  ),
  ...Object.fromEntries(
    ['add', 'change', 'delete'].flatMap((action) => [
      [`files.${action}_document`, `${action}_file`],
      [`pages.${action}_page`, `${action}_page`],
      [`simpleresource.${action}_resource`, `${action}_resource`],
    ]),
  ),
  // The form of ephios gives the permission to see categories together with those to manage resources.
  'simpleresource.view_resourcecategory': 'view_resource',
  'auth.publish_event_for_group': 'publish_event_for_group',
  'auth.decide_workinghours_for_group': 'decide_working_hours_for_group',
  'complexsignup.change_buildingblock': 'change_building_block',
  'modellogging.view_logentry': 'view_journal',
}

/** Django creates four permissions for each table; most of them have no counterpart. */
const APPS_OF_EPHIOS = new Set([
  'admin',
  'api',
  'auth',
  'complexsignup',
  'contenttypes',
  'core',
  'dynamic_preferences',
  'eventautoqualification',
  'federation',
  'files',
  'guardian',
  'guests',
  'modellogging',
  'pages',
  'questionnaires',
  'sessions',
  'simpleresource',
])

function omitPermission(name: string | undefined, holder: string): Omission | undefined {
  return name && APPS_OF_EPHIOS.has(name.split('.')[0]!)
    ? {
        what: 'Permissions without a counterpart',
        why: 'what they allowed is part of other permissions here, or for administrators only',
        detail: name,
        holder,
      }
    : undefined
}

/** `group “Planning”`, `user “Maria”` */
const describeHolder = (context: ImportContext, source: string, id: unknown): string =>
  `${source === 'auth_group' ? 'group' : 'user'} ${context.nameOf(source, id)}`

const makeGlobalOmission =
  ({ permissions }: PermissionNames, source: string, column: string): NonNullable<TableMapper['omit']> =>
  (row, context) => {
    const name = permissions.get(row.permission_id as number)
    if (name && name in GLOBAL_PERMISSIONS) return undefined
    return omitPermission(name, describeHolder(context, source, row[column]))
  }

export type UserLookups = {
  names: PermissionNames
  requestTimes: RequestTimes
}

export function makeUserMappers({ names, requestTimes }: UserLookups): TableMapper[] {
  return [
    { source: 'auth_group', map: mapGroup },
    { source: 'userprofile', map: mapUser },
    {
      source: 'userprofile_groups',
      map: (row, context) =>
        context.hasReferences('userprofile_groups', row, [
          ['userprofile', row.userprofile_id],
          ['auth_group', row.group_id],
        ]) && context.isUnique('userprofile_groups', row, text(row.group_id), text(row.userprofile_id))
          ? [{ table: 'user_group_member', values: { group_id: row.group_id!, user_id: row.userprofile_id! } }]
          : [],
    },
    {
      source: 'auth_group_permissions',
      omit: makeGlobalOmission(names, 'auth_group', 'group_id'),
      map: (row, context) =>
        mapGlobalPermission(context, 'auth_group_permissions', row, names, ['auth_group', 'group_id', 'group_permission']),
    },
    {
      source: 'userprofile_user_permissions',
      omit: makeGlobalOmission(names, 'userprofile', 'userprofile_id'),
      map: (row, context) => {
        const renamed = { ...row, user_id: row.userprofile_id ?? null }
        return mapGlobalPermission(context, 'userprofile_user_permissions', renamed, names, [
          'userprofile',
          'user_id',
          'user_permission',
        ])
      },
    },
    { source: 'qualificationgrant', map: mapGrant },
    { source: 'workinghours', map: mapWorkingHours },
    { source: 'consequence', map: (row, context) => mapRequest(row, context, requestTimes) },
  ]
}

function mapGroup(row: SourceRow, context: ImportContext): Target[] {
  const wanted = cut(clean(row.name), 150) || `Group ${row.id}`
  const name = context.isFirst('group', wanted) ? wanted : `${cut(wanted, 120)} (No. ${row.id})`
  if (name !== row.name) context.noteRepaired('auth_group', row.id, `invalid or duplicate name replaced by “${name}”`)
  context.add('auth_group', row.id as number)
  context.setName('auth_group', row.id as number, name)
  return [{ table: 'user_group', values: { id: row.id!, name } }]
}

function mapUser(row: SourceRow, context: ImportContext): Target[] {
  const id = row.id as number
  const { secrets } = context
  let email = cut(clean(row.email), 254) || `person-${id}@invalid`
  let isInvalid = row.email_invalid === true
  if (email !== row.email) context.noteRepaired('userprofile', id, `invalid email address replaced by ${email}`)
  const first = context.holders.get(email.toLowerCase())
  const name = cut(clean(row.display_name), 254).trim() || email.split('@')[0]!
  let username: string | null = null
  let contact: string | null = null
  if (first) {
    username = deriveUsername(name, (candidate) => !context.isFirst('username', candidate))
    contact = email
    email = noAddress(`user-${id}`)
    isInvalid = true
    context.facts.sharedAddresses.push({ email: contact, first, second: { id, name, username } })
    context.noteRepaired('userprofile', id, `shares ${contact}, which stays the contact address; signs in as ${username}`)
  }
  context.holders.set(email.toLowerCase(), { id, name })
  if (name !== row.display_name) context.noteRepaired('userprofile', id, `invalid name replaced by “${name}”`)
  const language = text(row.preferred_language).slice(0, 2)
  if (!isLanguage(language))
    context.noteRepaired('userprofile', id, `unsupported language ${language || '(empty)'} replaced by ${context.language}`)
  const birth = parseDay(row.date_of_birth)
  if (row.date_of_birth !== null && row.date_of_birth !== undefined && !birth)
    context.noteRepaired('userprofile', id, 'invalid date of birth removed')
  const token = text(row.calendar_token)
  const hasCalendar = token !== '' && context.isFirst('calendar', token)
  const password_hash = parsePassword(row, context)
  if (row.is_active === true) {
    context.facts.activeUsers++
    if (password_hash === null) context.facts.usersWithoutPassword++
  }
  context.add('userprofile', id)
  context.setName('userprofile', id, name)
  const values = {
    id,
    email,
    email_invalid: isInvalid,
    username,
    contact_email: contact,
    display_name: name,
    date_of_birth: birth ?? null,
    phone: cut(clean(row.phone), 254) || null,
    is_active: row.is_active === true,
    is_visible: row.is_visible !== false,
    is_staff: row.is_staff === true,
    is_superuser: row.is_superuser === true,
    preferred_language: isLanguage(language) ? language : context.language,
    password_hash,
    calendar_token_hash: hasCalendar ? secrets.hash(token) : null,
    calendar_token_sealed: hasCalendar ? secrets.seal(token) : null,
    disabled_notifications: { json: JSON.stringify(parseChoices(row.disabled_notifications, context)) },
    last_sign_in_at: timeOr(row.last_login, null),
    created_at: context.now,
  }
  return [{ table: 'user_profile', values }]
}

/** The hash, or null if there is no usable password. Django marks unusable ones by an exclamation mark. */
function parsePassword(row: SourceRow, context: ImportContext): string | null {
  const hash = text(row.password)
  if (/^(!|$)/.test(hash)) return null
  if (context.secrets.isKnownHash(hash)) return hash
  const format = cut(clean(hash.split('$')[0]!), 30)
  context.noteRepaired(
    'userprofile',
    row.id,
    `password hashed by ${format} cannot be checked and is removed; a reset sets a new one`,
  )
  return null
}

/** Pairs of channel and kind that are switched off. The notification settings understand the names that ephios has for kinds. */
function parseChoices(value: SourceRow[string] | undefined, context: ImportContext): [channel: string, kind: string][] {
  const what = 'Notifications that people switched off'
  const why = 'here they are always sent, or do not exist'
  return parseList(value).flatMap((pair): [string, string][] => {
    const [channel, kind] = Array.isArray(pair) ? pair.map((part) => clean(part as SourceRow[string])) : []
    const ours = /push/.test(channel ?? '') ? 'push' : /mail/.test(channel ?? '') ? 'mail' : undefined
    if (ours && kind && SWITCHABLE_SLUGS.has(kind)) return [[ours, kind]]
    context.omitValue({ what, why, detail: kind && channel ? `${kind} by ${channel}` : 'choices that cannot be read' })
    return []
  })
}

function parseList(value: SourceRow[string] | undefined): unknown[] {
  try {
    const list: unknown = JSON.parse(toStorableJson(text(value)))
    return Array.isArray(list) ? list : []
  } catch {
    return []
  }
}

type Holder = [source: string, column: string, table: string]

function mapGlobalPermission(
  context: ImportContext,
  table: string,
  row: SourceRow,
  names: PermissionNames,
  [source, column, target]: Holder,
): Target[] {
  if (!context.hasReferences(table, row, [[source, row[column]]])) return []
  const name = names.permissions.get(row.permission_id as number)
  const permission = GLOBAL_PERMISSIONS[name ?? '']
  if (!permission) {
    context.noteSkipped(
      table,
      row.id,
      name
        ? `permission ${name} of ${describeHolder(context, source, row[column])} belongs to an extension`
        : 'refers to a permission that does not exist',
    )
    return []
  }
  if (!context.isUnique(table, row, text(row[column]), permission)) return []
  return [{ table: target, values: { [column]: row[column]!, permission } }]
}

function mapGrant(row: SourceRow, context: ImportContext): Target[] {
  const { user_id, qualification_id } = row
  const isComplete = context.hasReferences('qualificationgrant', row, [
    ['userprofile', user_id],
    ['qualification', qualification_id],
  ])
  if (!isComplete) return []
  if (!context.isUnique('qualificationgrant', row, text(user_id), text(qualification_id))) return []
  const values = {
    id: row.id!,
    user_id: user_id!,
    qualification_id: qualification_id!,
    expires_at: timeOr(row.expires, null),
    externally_managed: row.externally_managed === true,
  }
  return [{ table: 'qualification_grant', values }]
}

function mapWorkingHours(row: SourceRow, context: ImportContext): Target[] {
  if (!context.hasReferences('workinghours', row, [['userprofile', row.user_id]])) return []
  const hours = Number(row.hours)
  if (!Number.isFinite(hours) || Math.abs(hours) >= 100_000 || !parseDay(row.date)) {
    context.noteSkipped('workinghours', row.id, 'has no valid hours or date')
    return []
  }
  const values = {
    id: row.id!,
    user_id: row.user_id!,
    hours: text(row.hours),
    reason: cut(clean(row.reason), 1024),
    date: parseDay(row.date)!,
  }
  return [{ table: 'working_hours', values }]
}

const REQUEST_STATES: Record<string, string> = {
  needs_confirmation: 'open',
  executed: 'granted',
  failed: 'failed',
  denied: 'refused',
}

const REQUEST_KINDS: Record<string, string> = {
  'ephios.grant_working_hours': 'working_hours',
  'ephios.grant_qualification': 'qualification',
}

function mapRequest(row: SourceRow, context: ImportContext, times: RequestTimes): Target[] {
  const kind = REQUEST_KINDS[text(row.slug)]
  if (!kind) {
    context.noteSkipped('consequence', row.id, `requests of the kind ${clean(row.slug)} belong to an extension`)
    return []
  }
  if (!context.hasReferences('consequence', row, [['userprofile', row.user_id]])) return []
  const data = parseObject(row.data)
  const state = REQUEST_STATES[text(row.state)]
  if (!data || !state) {
    context.noteSkipped('consequence', row.id, 'has no valid data or state')
    return []
  }
  context.add('consequence', row.id as number)
  const values = { id: row.id!, kind, user_id: row.user_id!, data, state, ...datesOf(row, { state, data }, context, times) }
  return [{ table: 'decision_request', values }]
}

/** What the log says about a request. */
type RequestTimes = ReadonlyMap<number, { created?: string; decided?: { at: string; by: number | null } }>

/** ephios does not store when somebody asked: the log may say it; else the day of the hours is closer than the day of the import. */
function datesOf(
  row: SourceRow,
  { state, data }: { state: string; data: { json: string } },
  context: ImportContext,
  times: RequestTimes,
): Target['values'] {
  const { created, decided } = times.get(row.id as number) ?? {}
  const day = parseDay((JSON.parse(data.json) as SourceRow).date)
  const isPast = day !== undefined && Date.parse(`${day}T12:00:00Z`) < Date.parse(context.now)
  const isDecided = state === 'granted' || state === 'refused'
  return {
    created_at: created ?? (isPast ? `${day}T12:00:00Z` : context.now),
    decided_at: (isDecided && decided?.at) || null,
    decided_by_id: isDecided && context.has('userprofile', decided?.by) ? decided!.by : null,
  }
}

const GROUP_PERMISSIONS: Record<string, string> = {
  publish_event_for_group: 'publish_event_for_group',
  decide_workinghours_for_group: 'decide_working_hours_for_group',
}

/** Permissions on single events, groups and users. */
export function makeObjectPermissionMapper(table: string, names: PermissionNames): TableMapper {
  const isGroup = table === 'guardian_groupobjectpermission'
  const holder: [string, string] = isGroup ? ['auth_group', 'group_id'] : ['userprofile', 'user_id']
  const [source, column] = holder
  return {
    source: table,
    omit: (row, context) => {
      const model = names.contentTypes.get(row.content_type_id as number) ?? ''
      const name = names.permissions.get(row.permission_id as number)
      return findGrantTarget(model, name?.replace(/^\w+\./, '') ?? '', isGroup)
        ? undefined
        : omitPermission(name, describeHolder(context, source, row[column]))
    },
    map: (row, context) => {
      if (!context.hasReferences(table, row, [[source, row[column]]])) return []
      const model = names.contentTypes.get(row.content_type_id as number) ?? ''
      const codename = (names.permissions.get(row.permission_id as number) ?? '').replace(/^\w+\./, '')
      const object = Number(row.object_pk)
      const target = findGrantTarget(model, codename, isGroup)
      if (!target) {
        context.noteSkipped(
          table,
          row.id,
          `permission ${codename || '(unknown)'} of ${describeHolder(context, source, row[column])} on ${model || '(unknown)'} belongs to an extension`,
        )
        return []
      }
      if (!context.hasReferences(table, row, [[target.source, object]])) return []
      if (!context.isUnique(table, row, model, text(row[column]), object, codename)) return []
      return [{ table: target.table, values: target.values(row[column] as number, object) }]
    },
  }
}

type GrantTarget = { table: string; source: string; values: (holder: number, object: number) => Target['values'] }

function findGrantTarget(model: string, codename: string, isGroup: boolean): GrantTarget | undefined {
  const holder = isGroup ? 'group_id' : 'user_id'
  if (model === 'core.event' && (codename === 'view_event' || codename === 'change_event')) {
    const permission = codename === 'view_event' ? 'view' : 'change'
    const table = isGroup ? 'event_group_grant' : 'event_user_grant'
    return { table, source: 'event', values: (by, event_id) => ({ event_id, [holder]: by, permission }) }
  }
  if (model === 'auth.group' && isGroup && GROUP_PERMISSIONS[codename]) {
    const permission = GROUP_PERMISSIONS[codename]
    return {
      table: 'group_grant',
      source: 'auth_group',
      values: (group_id, target_group_id) => ({ group_id, target_group_id, permission }),
    }
  }
  if (model === 'core.userprofile' && codename === 'view_userprofile') {
    return isGroup
      ? { table: 'profile_group_grant', source: 'userprofile', values: (group_id, user_id) => ({ user_id, group_id }) }
      : { table: 'profile_user_grant', source: 'userprofile', values: (viewer_id, user_id) => ({ user_id, viewer_id }) }
  }
  return undefined
}
