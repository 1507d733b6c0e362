import { type Book, clean, cut, dayIn, type SourceRow, type Step, storable, type Target, text, timeOr } from './book.ts'

/** Numbers of permissions by which rows refer to them. */
export type Names = { permissions: Map<number, string>; contentTypes: Map<number, string> }

const GLOBAL: Record<string, string> = {
  ...Object.fromEntries(
    ['view', 'add', 'change', 'delete'].flatMap((action) => [
      [`core.${action}_event`, `${action}_event`],
      [`core.${action}_eventtype`, `${action}_event_type`],
      [`core.${action}_userprofile`, `${action}_user`],
      [`core.${action}_qualification`, `${action}_qualification`],
      [`auth.${action}_group`, `${action}_group`],
    ]),
  ),
  'auth.publish_event_for_group': 'publish_event_for_group',
  'auth.decide_workinghours_for_group': 'decide_working_hours_for_group',
  'complexsignup.change_buildingblock': 'change_building_block',
  'modellogging.view_logentry': 'view_journal',
}

const NO_PLACE = 'a permission that has no place here yet'

export function peopleSteps(names: Names): Step[] {
  return [
    { source: 'auth_group', take: takeGroup },
    { source: 'userprofile', take: takeUser },
    {
      source: 'userprofile_groups',
      take: (row, book) =>
        linked(book, 'userprofile_groups', row, [
          ['userprofile', row.userprofile_id],
          ['auth_group', row.group_id],
        ]) && book.isNew('userprofile_groups', row, text(row.group_id), text(row.userprofile_id))
          ? [{ table: 'user_group_member', values: { group_id: row.group_id!, user_id: row.userprofile_id! } }]
          : [],
    },
    {
      source: 'auth_group_permissions',
      take: (row, book) => takeGlobal(book, 'auth_group_permissions', row, names, ['auth_group', 'group_id', 'group_permission']),
    },
    {
      source: 'userprofile_user_permissions',
      take: (row, book) => {
        const renamed = { ...row, user_id: row.userprofile_id ?? null }
        return takeGlobal(book, 'userprofile_user_permissions', renamed, names, ['userprofile', 'user_id', 'user_permission'])
      },
    },
    { source: 'qualificationgrant', take: takeGrant },
    { source: 'workinghours', take: takeHours },
  ]
}

/** True if everything that a row refers to is there. */
export function linked(
  book: Book,
  table: string,
  row: SourceRow,
  links: [table: string, id: SourceRow[string] | undefined][],
): boolean {
  const missing = links.find(([other, id]) => !book.has(other, id))
  if (missing)
    book.leftOut(table, row.id, `refers to ${missing[0]} ${text(missing[1]) || 'without a number'}, which is not there`)
  return !missing
}

function takeGroup(row: SourceRow, book: Book): Target[] {
  const wanted = cut(clean(row.name), 150) || `Group ${row.id}`
  const name = book.isFirst('group', wanted) ? wanted : `${cut(wanted, 120)} (No. ${row.id})`
  if (name !== row.name) book.repaired('auth_group', row.id, `has a name that cannot be kept as it is; it became ${name}`)
  book.add('auth_group', row.id as number)
  return [{ table: 'user_group', values: { id: row.id!, name } }]
}

const LANGUAGES = new Set(['de', 'en'])

function takeUser(row: SourceRow, book: Book): Target[] {
  const id = row.id as number
  const { secrets } = book
  let email = cut(clean(row.email), 254) || `person-${id}@invalid`
  let isInvalid = row.email_invalid === true
  if (email !== row.email) book.repaired('userprofile', id, 'has no e-mail address that can be kept')
  if (!book.isFirst('email', email.toLowerCase())) {
    email = `duplicate-${id}-${cut(email, 230)}`
    isInvalid = true
    book.repaired('userprofile', id, `has the e-mail address of somebody else; it became ${email}`)
  }
  const name = cut(clean(row.display_name), 254).trim() || email.split('@')[0]!
  if (name !== row.display_name) book.repaired('userprofile', id, `had no name that can be kept; it became ${name}`)
  const language = text(row.preferred_language).slice(0, 2)
  if (!LANGUAGES.has(language))
    book.repaired('userprofile', id, `had the language ${language || 'none'}; it became ${book.language}`)
  const birth = dayIn(row.date_of_birth)
  if (row.date_of_birth !== null && row.date_of_birth !== undefined && !birth)
    book.repaired('userprofile', id, 'was born on a day that does not exist; it has none now')
  const token = text(row.calendar_token)
  const hasFeed = token !== '' && book.isFirst('calendar', token)
  book.add('userprofile', id)
  const values = {
    id,
    email,
    email_invalid: isInvalid,
    display_name: name,
    date_of_birth: birth ?? null,
    phone: cut(clean(row.phone), 254) || null,
    is_active: row.is_active === true,
    is_visible: row.is_visible !== false,
    is_staff: row.is_staff === true,
    is_superuser: row.is_superuser === true,
    preferred_language: LANGUAGES.has(language) ? language : book.language,
    // An unusable password begins with an exclamation mark there, and is none here.
    password_hash: /^(!|$)/.test(text(row.password)) ? null : text(row.password),
    calendar_token_hash: hasFeed ? secrets.hash(token) : null,
    calendar_token_sealed: hasFeed ? secrets.seal(token) : null,
    // Kept as they are: the settings know the names of both.
    disabled_notifications: { json: listText(row.disabled_notifications) },
    last_sign_in_at: timeOr(row.last_login, null),
    created_at: book.now,
  }
  return [{ table: 'user_profile', values }]
}

function listText(value: SourceRow[string] | undefined): string {
  try {
    return Array.isArray(JSON.parse(text(value))) ? storable(text(value)) : '[]'
  } catch {
    return '[]'
  }
}

type Holder = [source: string, column: string, table: string]

function takeGlobal(book: Book, table: string, row: SourceRow, names: Names, [source, column, target]: Holder): Target[] {
  if (!linked(book, table, row, [[source, row[column]]])) return []
  const name = names.permissions.get(row.permission_id as number)
  const permission = GLOBAL[name ?? '']
  if (!permission) {
    book.leftOut(table, row.id, name ? `${name}: ${NO_PLACE}` : 'a permission that is not there')
    return []
  }
  if (!book.isNew(table, row, text(row[column]), permission)) return []
  return [{ table: target, values: { [column]: row[column]!, permission } }]
}

function takeGrant(row: SourceRow, book: Book): Target[] {
  const { user_id, qualification_id } = row
  const isThere = linked(book, 'qualificationgrant', row, [
    ['userprofile', user_id],
    ['qualification', qualification_id],
  ])
  if (!isThere) return []
  if (!book.isNew('qualificationgrant', row, text(user_id), text(qualification_id))) return []
  const values = {
    id: row.id!,
    user_id: user_id!,
    qualification_id: qualification_id!,
    expires_at: timeOr(row.expires, null),
    externally_managed: row.externally_managed === true,
  }
  return [{ table: 'qualification_grant', values }]
}

function takeHours(row: SourceRow, book: Book): Target[] {
  if (!linked(book, 'workinghours', row, [['userprofile', row.user_id]])) return []
  const hours = Number(row.hours)
  if (!Number.isFinite(hours) || Math.abs(hours) >= 100_000 || !dayIn(row.date)) {
    book.leftOut('workinghours', row.id, 'has no number of hours or no date')
    return []
  }
  const values = {
    id: row.id!,
    user_id: row.user_id!,
    hours: text(row.hours),
    reason: cut(clean(row.reason), 1024),
    date: dayIn(row.date)!,
  }
  return [{ table: 'working_hours', values }]
}

const ON_GROUPS: Record<string, string> = {
  publish_event_for_group: 'publish_event_for_group',
  decide_workinghours_for_group: 'decide_working_hours_for_group',
}

/** Permissions on one event, group or person. */
export function objectPermissionStep(table: string, names: Names): Step {
  const isGroup = table === 'guardian_groupobjectpermission'
  const holder: [string, string] = isGroup ? ['auth_group', 'group_id'] : ['userprofile', 'user_id']
  const [source, column] = holder
  return {
    source: table,
    take: (row, book) => {
      if (!linked(book, table, row, [[source, row[column]]])) return []
      const model = names.contentTypes.get(row.content_type_id as number) ?? ''
      const codename = (names.permissions.get(row.permission_id as number) ?? '').replace(/^\w+\./, '')
      const object = Number(row.object_pk)
      const target = placeOf(model, codename, isGroup)
      if (!target) {
        book.leftOut(table, row.id, `${codename || 'unknown'} on ${model || 'something unknown'}: ${NO_PLACE}`)
        return []
      }
      if (!linked(book, table, row, [[target.source, object]])) return []
      if (!book.isNew(table, row, model, text(row[column]), object, codename)) return []
      return [{ table: target.table, values: target.values(row[column] as number, object) }]
    },
  }
}

type Place = { table: string; source: string; values: (holder: number, object: number) => Target['values'] }

function placeOf(model: string, codename: string, isGroup: boolean): Place | undefined {
  const holder = isGroup ? 'group_id' : 'user_id'
  if (model === 'core.event' && (codename === 'view_event' || codename === 'change_event')) {
    const permission = codename === 'view_event' ? 'view' : 'change'
    const table = isGroup ? 'event_group_grant' : 'event_user_grant'
    return { table, source: 'event', values: (by, event_id) => ({ event_id, [holder]: by, permission }) }
  }
  if (model === 'auth.group' && isGroup && ON_GROUPS[codename]) {
    const permission = ON_GROUPS[codename]
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
