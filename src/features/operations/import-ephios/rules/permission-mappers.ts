import type { ImportContext, Omission, TableMapper, Target } from './import-context.ts'
import { type SourceRow, text } from './values.ts'

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

export const makeGlobalOmission =
  ({ permissions }: PermissionNames, source: string, column: string): NonNullable<TableMapper['omit']> =>
  (row, context) => {
    const name = permissions.get(row.permission_id as number)
    if (name && name in GLOBAL_PERMISSIONS) return undefined
    return omitPermission(name, describeHolder(context, source, row[column]))
  }

type Holder = [source: string, column: string, table: string]

export function mapGlobalPermission(
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
