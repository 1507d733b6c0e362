import { pbkdf2Sync } from 'node:crypto'
import type { EphiosRows } from './database.ts'

/** Hashes with an algorithm that Django supports besides its default; the default is tested with a hash made by Django. */
export function djangoHash(password: string): string {
  const salt = 'saltsaltsaltsalt'
  return `pbkdf2_sha256$1000$${salt}$${pbkdf2Sync(password, salt, 1000, 32, 'sha256').toString('base64')}`
}

export const PASSWORD = 'an-old-password-of-maria'
export const PERSONAL_TOKEN = 'personalTokenOfMaria1234567890'
export const OAUTH_TOKEN = 'oauthTokenOfMaria1234567890abc'
export const REFRESH_TOKEN = 'refreshTokenOfMaria1234567890ab'
export const PARTNER_TOKEN = 'partnerTokenOfNord1234567890abcd'
export const CLIENT_SECRET = 'clientSecretOfTheApp1234567890'
export const CALENDAR_TOKEN = 'calendarTokenOfMaria123456'
export const HOST_TOKEN = 'hostTokenThatWeCallWith123456'

const START = '2031-05-04T06:00:00Z'
const END = '2031-05-04T10:00:00Z'
const shift = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  event_id: 100,
  meeting_time: '2031-05-04T05:30:00Z',
  start_time: START,
  end_time: END,
  label: '',
  signup_flow_slug: 'instant_confirmation',
  signup_flow_configuration: { signup_until: null, user_can_decline_confirmed: true },
  structure_slug: 'uniform',
  structure_configuration: { minimum_number_of_participants: 2, maximum_number_of_participants: 3 },
  ...more,
})
const part = (id: number, state: number, shift_id: number, more: Record<string, unknown> = {}) => ({
  id,
  state,
  shift_id,
  ...more,
})
const type = (id: number, name: string) => ({ id, app_label: name.split('.')[0], model: name.split('.')[1] })
const MODELS = [
  'core.event',
  'core.userprofile',
  'auth.group',
  'core.eventtype',
  'core.qualification',
  'complexsignup.buildingblock',
]
const models = [...MODELS, 'core.localparticipation', 'files.document']
const content_type_id = (model: string) => models.indexOf(model) + 1
const may = (id: number, model: string, codename: string) => ({
  id,
  name: codename,
  content_type_id: content_type_id(model),
  codename,
})
const on = (id: number, model: string, object: number, permission_id: number, holder: Record<string, number>) => ({
  id,
  object_pk: String(object),
  content_type_id: content_type_id(model),
  permission_id,
  ...holder,
})

/** At least one row of every kind, and every kind of invalid data. */
export const EPHIOS_ROWS: EphiosRows = {
  django_content_type: models.map((name, n) => type(n + 1, name)),
  auth_permission: [
    may(1, 'core.event', 'view_event'),
    may(2, 'core.event', 'change_event'),
    may(3, 'core.userprofile', 'view_userprofile'),
    may(4, 'auth.group', 'publish_event_for_group'),
    may(5, 'auth.group', 'decide_workinghours_for_group'),
    may(6, 'complexsignup.buildingblock', 'change_buildingblock'),
    may(7, 'files.document', 'add_document'),
    may(8, 'core.event', 'add_event'),
  ],
  auth_group: [
    { id: 5, name: 'Helfer' },
    { id: 6, name: 'Planung' },
  ],
  auth_group_permissions: [
    { id: 1, group_id: 6, permission_id: 8 },
    { id: 2, group_id: 6, permission_id: 3 },
    { id: 3, group_id: 6, permission_id: 7 },
    { id: 4, group_id: 6, permission_id: 6 },
  ],
  qualificationcategory: [{ id: 3, uuid: 'c0000000-0000-4000-8000-000000000003', title: 'Medizin', show_with_user: true }],
  qualification: [
    { id: 11, uuid: 'a0000000-0000-4000-8000-000000000011', title: 'Rettungssanitäter', abbreviation: 'RS', category_id: 3 },
    { id: 12, uuid: 'a0000000-0000-4000-8000-000000000012', title: 'Sanitäter', abbreviation: 'San', category_id: 3 },
    { id: 13, uuid: 'a0000000-0000-4000-8000-000000000013', title: 'Verwaist', abbreviation: 'V', category_id: 99 },
  ],
  qualification_includes: [
    { id: 1, from_qualification_id: 11, to_qualification_id: 12 },
    { id: 2, from_qualification_id: 12, to_qualification_id: 11 },
  ],
  userprofile: [
    {
      id: 21,
      email: 'Maria@example.org',
      display_name: 'Maria Muster',
      password: djangoHash(PASSWORD),
      is_active: true,
      is_visible: true,
      date_of_birth: '1990-02-28',
      phone: '+49 1',
      preferred_language: 'de',
      calendar_token: CALENDAR_TOKEN,
      disabled_notifications: [['ephios_backend_email', 'ephios_participation_state_changed']],
    },
    {
      id: 22,
      email: 'olga@example.org',
      display_name: 'Olga',
      password: '!unusable',
      is_active: true,
      is_visible: true,
      is_staff: true,
      preferred_language: 'en',
      calendar_token: 'other',
      disabled_notifications: [],
    },
    {
      id: 23,
      email: 'maria@example.org',
      display_name: '',
      password: '',
      is_active: false,
      is_visible: true,
      preferred_language: 'ja',
      calendar_token: 'third',
      disabled_notifications: [],
    },
  ],
  userprofile_groups: [
    { id: 1, userprofile_id: 21, group_id: 5 },
    { id: 2, userprofile_id: 22, group_id: 6 },
    { id: 3, userprofile_id: 999, group_id: 6 },
  ],
  userprofile_user_permissions: [{ id: 1, userprofile_id: 22, permission_id: 1 }],
  qualificationgrant: [{ id: 31, user_id: 21, qualification_id: 11, expires: '2032-01-01T22:59:59Z' }],
  workinghours: [{ id: 41, user_id: 21, hours: '2.50', reason: 'Aufräumen', date: '2026-03-01' }],
  eventtype: [
    { id: 51, title: 'Sanitätsdienst', color: '#112233', show_participant_data: 0, default_description: '**Hallo**' },
    { id: 52, title: 'Übung', color: 'blue', show_participant_data: 9 },
  ],
  eventtypepreference: [
    { id: 1, section: 'general', name: 'visible_for', raw_value: '5,777', instance_id: 51 },
    { id: 2, section: 'general', name: 'responsible_users', raw_value: '22', instance_id: 51 },
    { id: 3, section: 'general', name: 'responsible_groups', raw_value: '6', instance_id: 51 },
    { id: 4, section: 'general', name: 'general_required_qualifications', raw_value: '', instance_id: 51 },
    { id: 5, section: 'other', name: 'nobody_knows', raw_value: 'x', instance_id: 51 },
  ],
  event: [
    { id: 100, title: 'Stadtlauf', description: 'Mit **Herz**', location: 'Markt', type_id: 51, active: true },
    { id: 101, title: 'Entwurf', description: null, location: 'Halle', type_id: 52, active: false },
    { id: 102, title: 'Verwaist', location: 'Nirgends', type_id: 888, active: true },
  ],
  guardian_groupobjectpermission: [
    on(1, 'core.event', 100, 1, { group_id: 5 }),
    on(2, 'core.event', 100, 2, { group_id: 6 }),
    on(3, 'auth.group', 5, 4, { group_id: 6 }),
    on(4, 'auth.group', 5, 5, { group_id: 6 }),
    on(5, 'core.userprofile', 21, 3, { group_id: 6 }),
    on(6, 'core.event', 102, 1, { group_id: 5 }),
    on(7, 'files.document', 1, 7, { group_id: 5 }),
  ],
  guardian_userobjectpermission: [on(1, 'core.event', 101, 2, { user_id: 22 }), on(2, 'core.event', 101, 1, { user_id: 22 })],
  shift: [
    shift(201),
    shift(202, {
      start_time: '2031-05-04T20:00:00Z',
      end_time: '2031-05-04T02:00:00Z',
      meeting_time: '2031-05-04T21:00:00Z',
      label: 'Nacht',
    }),
    shift(203, {
      structure_slug: 'complex',
      structure_configuration: { starting_blocks: [{ uuid: 'b1', building_block: 61, label: '', optional: false }] },
    }),
    shift(204, { structure_slug: 'gone_module', structure_configuration: { '2026-01-01': 'a title', n: 1.5 } }),
    shift(205, { event_id: 102 }),
    shift(206, { event_id: 101, start_time: '2031-06-01T06:00:00Z', end_time: '2030-06-01T06:00:00Z' }),
  ],
  complexsignup_buildingblock: [
    { id: 61, uuid: 'd0000000-0000-4000-8000-000000000061', name: 'RTW', block_type: 'composite' },
    { id: 62, uuid: 'd0000000-0000-4000-8000-000000000062', name: 'Besatzung', block_type: 'atomic', allow_more: true },
  ],
  complexsignup_position: [
    { id: 71, label: 'Fahrer', optional: false, block_id: 62 },
    { id: 72, label: 'falsch', optional: false, block_id: 61 },
  ],
  complexsignup_position_qualifications: [{ id: 1, position_id: 71, qualification_id: 12 }],
  complexsignup_blockcomposition: [
    { id: 81, composite_block_id: 61, sub_block_id: 62, label: 'vorn', optional: false },
    { id: 82, composite_block_id: 61, sub_block_id: 61, label: 'Kreis' },
  ],
  complexsignup_blockqualificationrequirement: [{ id: 91, everyone: true, at_least: 0, block_id: 62 }],
  complexsignup_blockqualificationrequirement_qualifications: [
    { id: 1, blockqualificationrequirement_id: 91, qualification_id: 12 },
  ],
  abstractparticipation: [
    part(301, 1, 201, { finished: true }),
    part(302, 0, 201),
    part(303, 1, 202, { individual_start_time: '2031-05-04T22:00:00Z' }),
    part(304, 2, 201),
    part(305, 1, 201),
    part(306, 0, 201),
    part(307, 1, 201),
    part(308, 4, 203, { structure_data: { preferred_unit_path: 'root.b1.81' } }),
    part(309, 1, 205),
    part(310, 1, 202, { individual_start_time: '2031-05-04T23:00:00Z', individual_end_time: '2031-05-04T21:00:00Z' }),
    part(311, 0, 203),
    part(312, 7, 204),
  ],
  localparticipation: [
    { abstractparticipation_ptr_id: 301, user_id: 21 },
    { abstractparticipation_ptr_id: 302, user_id: 21 },
    { abstractparticipation_ptr_id: 303, user_id: 21 },
    { abstractparticipation_ptr_id: 308, user_id: 22 },
    { abstractparticipation_ptr_id: 309, user_id: 21 },
    { abstractparticipation_ptr_id: 310, user_id: 22 },
    { abstractparticipation_ptr_id: 312, user_id: 22 },
    { abstractparticipation_ptr_id: 399, user_id: 22 },
  ],
  core_placeholderparticipation: [
    { abstractparticipation_ptr_id: 304, display_name: 'Feuerwehr' },
    { abstractparticipation_ptr_id: 305, display_name: 'Feuerwehr' },
  ],
  guests_guestparticipation: [{ abstractparticipation_ptr_id: 306, guest_user_id: 401 }],
  federation_federatedparticipation: [{ abstractparticipation_ptr_id: 307, federated_user_id: 501 }],
  core_participationcomment: [
    { id: 1, participation_id: 301, text: 'komme später', visible_for: 1, authored_by_responsible_id: null },
    { id: 2, participation_id: 301, text: 'nur für uns', visible_for: 0, authored_by_responsible_id: 22 },
    { id: 3, participation_id: 309, text: 'verwaist', visible_for: 2, authored_by_responsible_id: null },
    { id: 4, participation_id: 301, text: 'seltsam', visible_for: 8, authored_by_responsible_id: null },
  ],
  guests_eventguestshare: [{ id: 1, token: 'shareToken', active: true, event_id: 100 }],
  guests_guestuser: [
    {
      id: 401,
      email: 'gast@example.org',
      date_of_birth: '2000-01-01',
      access_token: 'guestToken',
      event_id: 100,
      display_name: 'Gast',
    },
  ],
  guests_guestuser_qualifications: [{ id: 1, guestuser_id: 401, qualification_id: 12 }],
  federation_federatedguest: [
    {
      id: 601,
      name: 'Nord',
      url: 'https://nord.example',
      client_id: 'nordClient',
      client_secret: 'nordSecret',
      access_token_id: 703,
    },
  ],
  federation_federatedhost: [
    { id: 602, name: 'Süd', url: 'https://sued.example', access_token: HOST_TOKEN, oauth_application_id: 652 },
  ],
  federation_invitecode: [{ id: 1, code: 'inviteCode', url: 'https://west.example', created_at: '2026-07-01T00:00:00Z' }],
  federation_federatedeventshare: [{ id: 9, event_id: 100 }],
  federation_federatedeventshare_shared_with: [{ id: 1, federatedeventshare_id: 9, federatedguest_id: 601 }],
  federation_federateduser: [
    {
      id: 501,
      email: 'nina@nord.example',
      date_of_birth: '1985-05-05',
      phone: '',
      federated_instance_id: 601,
      display_name: 'Nina Nord',
    },
  ],
  federation_federateduser_qualifications: [{ id: 1, federateduser_id: 501, qualification_id: 12 }],
  api_application: [
    {
      id: 651,
      client_id: 'theApp',
      redirect_uris: 'https://app.example/back https://app.example/other',
      user_id: 22,
      client_type: 'confidential',
      authorization_grant_type: 'authorization-code',
      hash_client_secret: true,
      client_secret: djangoHash(CLIENT_SECRET),
      name: 'Die App',
    },
    {
      id: 652,
      client_id: 'forSued',
      redirect_uris: 'https://sued.example/api/federation/oauth-callback/',
      name: 'Süd',
      client_type: 'confidential',
      authorization_grant_type: 'authorization-code',
      client_secret: 'plainSecret',
      hash_client_secret: false,
    },
    {
      id: 653,
      client_id: 'spa',
      redirect_uris: 'https://spa.example',
      client_type: 'public',
      authorization_grant_type: 'implicit',
      name: 'SPA',
    },
  ],
  api_accesstoken: [
    { id: 701, token: PERSONAL_TOKEN, scope: 'ME_READ PUBLIC_READ', user_id: 21, description: 'Skript', expires: null },
    { id: 702, token: OAUTH_TOKEN, scope: 'ME_READ', user_id: 21, application_id: 651, expires: '2031-06-01T00:00:00Z' },
    { id: 703, token: PARTNER_TOKEN, scope: '', user_id: null, expires: null },
    { id: 704, token: 'revokedToken', scope: 'ME_READ', user_id: 21, expires: null, revoked: true },
    { id: 705, token: 'orphanToken', scope: 'ME_READ', user_id: null, expires: null },
  ],
  api_refreshtoken: [
    { id: 801, token: REFRESH_TOKEN, created: '2031-04-20T00:00:00Z', access_token_id: 702, application_id: 651, user_id: 21 },
    {
      id: 802,
      token: 'goneRefresh',
      created: '2031-04-20T00:00:00Z',
      revoked: '2031-04-21T00:00:00Z',
      application_id: 651,
      user_id: 21,
    },
  ],
  api_grant: [{ id: 1, code: 'code', application_id: 651, user_id: 21 }],
  modellogging_logentry: [
    {
      id: 901,
      content_object_id: 100,
      attached_to_object_id: 100,
      datetime: '2026-05-05T05:05:05Z',
      action_type: 'create',
      data: { title: ['', 'Stadtlauf'] },
      attached_to_object_type_id: 1,
      content_type_id: 1,
      user_id: 22,
    },
    {
      id: 902,
      content_object_id: 21,
      attached_to_object_id: 21,
      datetime: '2026-05-05T05:05:06Z',
      action_type: 'change',
      data: { email: ['old@example.org', 'Maria@example.org'] },
      attached_to_object_type_id: 2,
      content_type_id: 2,
      user_id: null,
    },
  ],
  dynamic_preferences_globalpreferencemodel: [
    { id: 1, section: 'general', name: 'organization_name', raw_value: 'Bereitschaft Musterstadt' },
    { id: 2, section: 'general', name: 'enabled_plugins', raw_value: 'guests' },
  ],
  core_identityprovider: [
    {
      id: 1,
      label: 'Keycloak',
      internal_name: 'keycloak',
      client_id: 'us',
      client_secret: 'idpSecret',
      authorization_endpoint: 'https://id.example/realms/us/auth',
      token_endpoint: 'https://id.example/realms/us/token',
    },
  ],
  questionnaires_question: [{ id: 1, name: 'Essen', question_text: 'Vegetarisch?', type: 'single', choices: ['ja', 'nein'] }],
  pages_page: [{ id: 1, title: 'Impressum', content: 'Wir', slug: 'impressum', show_in_footer: true, publicly_visible: true }],
}
