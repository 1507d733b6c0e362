import { pickQualifications } from '#features/accounts/qualifications/queries.ts'
import { getPersonRevision } from '#features/accounts/users/queries/person.ts'
import {
  findMemberProfiles,
  findProfiles,
  getOwnProfile,
  getProfile,
  getProfileByEmail,
  type Profile,
} from '#features/accounts/users/queries/profiles.ts'
import { groupRecord, heldQualificationRecord, userParameters, userRecord } from '#features/accounts/users/schema.ts'
import { hasPermission, userIdOf } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { type ApiAccess, scope } from '#platform/http/access.ts'
import { collectionEndpoints, type Endpoint, listEndpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { Problem } from '#platform/http/problem.ts'
import { wireTimeOrNull } from '#platform/http/time-format.ts'
import { findGroupRows, type GroupRow, getGroupRow } from '../queries/groups.ts'
import {
  findHeldQualifications,
  getHeldQualification,
  type HeldQualification,
  type Holder,
} from '../queries/held-qualifications.ts'

export function presentProfile({ id, display_name, date_of_birth, email, qualification_ids, catalogue }: Profile) {
  return { id, display_name, date_of_birth, email, qualifications: pickQualifications(catalogue, qualification_ids) }
}

/** A profile as `/api/users/{id}/` shows it. */
export async function presentUser(context: RequestContext, { id }: { id: number }): Promise<object | undefined> {
  const profile = await getProfile(context, id, {})
  return profile && presentProfile(profile)
}

const profiles = scope('CONFIDENTIAL_READ', 'view_user')
const tag = 'users'

export const usersApi: Endpoint[] = [
  ...collectionEndpoints({
    path: '/api/users/',
    access: profiles,
    writePermissions: 'user',
    name: 'User',
    tag,
    summary: 'Profiles of all people',
    recordSummary: 'The profile of one person',
    parameters: userParameters,
    record: userRecord,
    find: findProfiles,
    get: (context, { id }, query) => getProfile(context, id, query),
    present: presentProfile,
  }),
  recordEndpoint({
    path: '/api/users/by_email/{email}/',
    access: profiles,
    writePermissions: 'user',
    name: 'User By Mail Instance',
    operationId: 'users_by_email_retrieve',
    tag,
    summary: 'The profile of the person with this e-mail address',
    description: 'Upper and lower case are the same.',
    parameters: {},
    record: userRecord,
    get: (context, { email }) => getProfileByEmail(context, email),
    revision: async (context, { email }) => {
      const profile = await getProfileByEmail(context, email)
      return profile && getPersonRevision(context, profile)
    },
    present: presentProfile,
  }),
  recordEndpoint({
    path: '/api/users/me/',
    access: scope('ME_READ'),
    name: 'User Profile Me',
    operationId: 'users_me_retrieve',
    tag,
    summary: 'The profile of the caller',
    suffix: false,
    parameters: {},
    record: userRecord,
    get: getOwnProfile,
    present: presentProfile,
  }),
]

const presentGroup = ({ id, name, member_count, permissions, publish_for, decide_hours_for }: GroupRow) => ({
  id,
  name,
  member_count,
  permissions,
  publish_for,
  decide_hours_for,
})

export async function presentGroupOf(context: RequestContext, { id }: { id: number }): Promise<object | undefined> {
  const group = await getGroupRow(context, id)
  return group && presentGroup(group)
}

const groups = scope('CONFIDENTIAL_READ', 'view_group')

export const groupsApi: Endpoint[] = [
  ...collectionEndpoints({
    path: '/api/groups/',
    access: groups,
    name: 'Group',
    tag: 'groups',
    summary: 'All groups',
    recordSummary: 'One group',
    parameters: {},
    record: groupRecord,
    find: (context, _query, page) => findGroupRows(context, page),
    get: (context, { id }) => getGroupRow(context, id),
    present: presentGroup,
  }),
  listEndpoint({
    path: '/api/groups/{id}/members/',
    access: profiles,
    name: 'Group Member List',
    operationId: 'groups_members_list',
    tag: 'groups',
    summary: 'Profiles of the members of one group',
    description: 'Needs the permission `view_group`, too.',
    parameters: {},
    item: userRecord,
    find: async (context, _query, page, { id }) => {
      if (!hasPermission(context.actor, 'view_group')) throw new Problem('permission_denied')
      if (!(await getGroupRow(context, id))) throw new Problem('not_found')
      return findMemberProfiles(context, id, page)
    },
    present: presentProfile,
  }),
]

/** The order of the keys is part of the contract. */
const presentHeldQualification = (row: HeldQualification, { site }: Pick<RequestContext, 'site'>) => ({
  id: row.id,
  user: row.user_id,
  qualification_id: row.qualification_id,
  qualification: row.catalogue.get(row.qualification_id),
  expires_at: wireTimeOrNull(row.expires_at, site.timeZone),
  is_valid: row.is_valid,
  externally_managed: row.externally_managed,
})

/** A qualification as `/api/users/{user}/qualifications/{id}/` shows it. */
export async function presentHeldQualificationOf(
  context: RequestContext,
  { user, id }: { user: number; id: number },
): Promise<object | undefined> {
  const held = await getHeldQualification(context, { userId: user, isOwn: false }, id)
  return held && presentHeldQualification(held, context)
}

type HolderVariant = {
  path: string
  access: ApiAccess
  name: string
  summary: string
  holder: (context: RequestContext, path: { id?: number; user?: number }) => Holder
}

const HOLDERS: HolderVariant[] = [
  {
    path: '/api/users/me/qualifications/',
    access: scope('ME_READ'),
    name: 'Own Qualification',
    summary: "The caller's qualifications with their expiry, also expired ones",
    holder: ({ actor }) => ({ userId: userIdOf(actor), isOwn: true }),
  },
  {
    path: '/api/users/{user}/qualifications/',
    access: profiles,
    name: 'User Qualification',
    summary: 'Qualifications of one person with their expiry, also expired ones',
    holder: (_context, { user }) => ({ userId: user!, isOwn: false }),
  },
]

export const heldQualificationsApi: Endpoint[] = HOLDERS.flatMap(({ holder, ...variant }) =>
  collectionEndpoints({
    ...variant,
    tag,
    parameters: {},
    record: heldQualificationRecord,
    find: (context, _query, page, params) => findHeldQualifications(context, holder(context, params as { user?: number }), page),
    get: (context, params) => getHeldQualification(context, holder(context, params), params.id),
    present: presentHeldQualification,
  }),
)
