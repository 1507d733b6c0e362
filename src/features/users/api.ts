import { pickQualifications } from '#features/qualifications/queries.ts'
import { scope } from '#platform/http/access.ts'
import { type Endpoint, listEndpoint, recordEndpoint } from '#platform/http/endpoint.ts'
import { findProfiles, getOwnProfile, getProfile, getProfileByEmail, type Profile } from './queries/profiles.ts'
import { userParameters, userRecord } from './schema.ts'

function presentProfile({ id, display_name, date_of_birth, email, qualification_ids, catalogue }: Profile) {
  return { id, display_name, date_of_birth, email, qualifications: pickQualifications(catalogue, qualification_ids) }
}

const profiles = scope('CONFIDENTIAL_READ', 'view_user')
const tag = 'users'

export const usersApi: Endpoint[] = [
  listEndpoint({
    path: '/api/users/',
    access: profiles,
    writePermissions: 'user',
    name: 'User List',
    operationId: 'users_list',
    tag,
    summary: 'Profiles of all people',
    parameters: userParameters,
    item: userRecord,
    find: findProfiles,
    present: presentProfile,
  }),
  recordEndpoint({
    path: '/api/users/{id}/',
    access: profiles,
    writePermissions: 'user',
    name: 'User Instance',
    operationId: 'users_retrieve',
    tag,
    summary: 'The profile of one person',
    parameters: userParameters,
    record: userRecord,
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
