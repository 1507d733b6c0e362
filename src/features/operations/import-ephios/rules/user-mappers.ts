import { deriveUsername } from '#features/accounts/users/rules.ts'
import { isLanguage } from '#platform/i18n/languages.ts'
import { noAddress } from '#platform/no-address.ts'
import type { ImportContext, TableMapper, Target } from './import-context.ts'
import { SWITCHABLE_SLUGS } from './notification-mapper.ts'
import { makeGlobalOmission, mapGlobalPermission, type PermissionNames } from './permission-mappers.ts'
import { mapRequest, mapWorkingHours, type RequestTimes } from './request-mappers.ts'
import { clean, cut, parseDay, type SourceRow, text, timeOr, toStorableJson } from './values.ts'

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
