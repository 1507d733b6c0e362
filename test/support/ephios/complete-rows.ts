import { columnsOf, type EphiosRow, type EphiosRows } from './database.ts'
import { EPHIOS_SETTINGS, EPHIOS_TABLES } from './tables.ts'

const TABLES = Object.keys(EPHIOS_TABLES)

/** The id of the n-th row of a table. Ids of different tables differ, so that a mixed-up reference is noticed. */
export const idOf = (table: string, n: number): number => (TABLES.indexOf(table) + 1) * 100 + n

const two = (n: number) => String(n).padStart(2, '0')

/**
 * Different in each column and row; booleans alternate. Every third row has null in nullable columns.
 */
function fill(table: string, n: number): EphiosRow {
  const columns = columnsOf(table).map(({ name, type, isNullable }, at): [string, unknown] => {
    if (name === 'id') return [name, idOf(table, n)]
    if (isNullable && n % 3 === 2) return [name, null]
    if (type === 'boolean') return [name, (n + at) % 2 === 0]
    if (type === 'jsonb') return [name, { [name]: n }]
    if (type === 'uuid') return [name, `${two(TABLES.indexOf(table))}00000${n}-0000-4000-8000-0000000000${two(at)}`]
    if (type === 'timestamptz') return [name, `2030-${two(n + 1)}-${two(at + 1)}T03:04:05.678901Z`]
    if (type === 'date') return [name, `19${70 + n}-02-${two(at + 1)}`]
    if (/int|numeric/.test(type)) return [name, n + at]
    return [name, `${n} ${name} of ${table}`.slice(0, Number(/\d+/.exec(type)?.[0] ?? 100))]
  })
  return Object.fromEntries(columns)
}

const rowsOf = (table: string, ...changes: EphiosRow[]): EphiosRow[] =>
  changes.map((change, n) => ({ ...fill(table, n), ...change }))

const MODELS = [
  'core.event',
  'core.userprofile',
  'auth.group',
  'complexsignup.buildingblock',
  'core.localparticipation',
  'files.document',
  'pages.page',
  'simpleresource.resource',
  'simpleresource.resourcecategory',
] as const
const modelId = (model: (typeof MODELS)[number]): number => idOf('django_content_type', MODELS.indexOf(model))
const PERMISSIONS: [model: (typeof MODELS)[number], codename: string][] = [
  ['core.event', 'view_event'],
  ['core.event', 'change_event'],
  ['core.userprofile', 'view_userprofile'],
  ['auth.group', 'publish_event_for_group'],
  ['auth.group', 'decide_workinghours_for_group'],
  ['complexsignup.buildingblock', 'change_buildingblock'],
  ['files.document', 'change_document'],
  ['pages.page', 'delete_page'],
  ['simpleresource.resource', 'add_resource'],
  ['simpleresource.resourcecategory', 'view_resourcecategory'],
]
const permissionId = (codename: string): number =>
  idOf(
    'auth_permission',
    PERMISSIONS.findIndex(([, name]) => name === codename),
  )

const [group, user, event, shift] = (['auth_group', 'userprofile', 'event', 'shift'] as const).map(
  (table) => (n: number) => idOf(table, n),
) as [(n: number) => number, (n: number) => number, (n: number) => number, (n: number) => number]
const qualification = (n: number) => idOf('qualification', n)
const type = (n: number) => idOf('eventtype', n)
const block = (n: number) => idOf('complexsignup_buildingblock', n)
const part = (n: number) => idOf('abstractparticipation', n)
const token = (n: number) => idOf('api_accesstoken', n)
const application = (n: number) => idOf('api_application', n)
const partner = (n: number) => idOf('federation_federatedguest', n)
const visitor = (n: number) => idOf('federation_federateduser', n)
const guest = (n: number) => idOf('guests_guestuser', n)

const times = (day: number) => ({
  meeting_time: `2031-05-0${day}T05:30:00.000001Z`,
  start_time: `2031-05-0${day}T06:00:00.000002Z`,
  end_time: `2031-05-0${day}T10:00:00.000003Z`,
})
const on = (model: (typeof MODELS)[number], object: number, codename: string, holder: EphiosRow): EphiosRow => ({
  object_pk: String(object),
  content_type_id: modelId(model),
  permission_id: permissionId(codename),
  ...holder,
})

const field = (field_name: string, verbose_name: string, old_value: unknown, new_value: unknown) => ({
  slug: 'modelfield',
  data: { field_name, verbose_name, old_value, new_value },
})
const record = (n: number, model: (typeof MODELS)[number], str: string) => ({
  __model__: '__instance__',
  pk: n,
  str,
  contenttype_id: modelId(model),
})

/** What ephios wrote into its log, and the changes of ours that say the same. */
export const LOG_DATA: { data: EphiosRow; changes: EphiosRow }[] = [
  {
    data: { __str__: 'Stadtlauf', title: field('title', 'Titel', 'Stadtlauf', 'Stadtlauf') },
    changes: { subject_name: 'Stadtlauf', title: [null, 'Stadtlauf'] },
  },
  {
    data: { user: field('user', 'Benutzer', record(user(0), 'core.userprofile', 'Old Name'), null) },
    changes: { user: [{ user: user(0) }, null] },
  },
  {
    data: { email: field('email', 'E-Mail', 'old@example.org', 'new@example.org') },
    changes: { email: ['old@example.org', 'new@example.org'] },
  },
  {
    data: {
      groups: {
        slug: 'permission-recorder',
        data: { label: 'Sichtbar für', codename: 'view_event', added: { __model__: '__queryset__', pks: [1], strs: ['A'] } },
      },
      extra: { slug: 'medals', data: { count: 1 } },
    },
    changes: {
      'Sichtbar für': { added: ['A'], removed: [] },
      unread: { extra: { slug: 'medals', data: { count: 1 } } },
    },
  },
  { data: { phone: field('phone', 'Telefon', '+49 1', '+49 1') }, changes: { phone: [null, '+49 1'] } },
]

/** Valid rows in every table, none of which an import has to repair or skip. All columns of a row are given. */
export const COMPLETE_ROWS: EphiosRows = {
  django_content_type: rowsOf(
    'django_content_type',
    ...MODELS.map((name) => ({ app_label: name.split('.')[0], model: name.split('.')[1] })),
  ),
  auth_permission: rowsOf(
    'auth_permission',
    ...PERMISSIONS.map(([model, codename]) => ({ content_type_id: modelId(model), codename })),
  ),
  auth_group: rowsOf('auth_group', {}, {}, {}),
  auth_group_permissions: rowsOf(
    'auth_group_permissions',
    { group_id: group(0), permission_id: permissionId('view_event') },
    { group_id: group(1), permission_id: permissionId('change_buildingblock') },
    { group_id: group(0), permission_id: permissionId('change_document') },
    { group_id: group(1), permission_id: permissionId('delete_page') },
    { group_id: group(2), permission_id: permissionId('add_resource') },
    { group_id: group(2), permission_id: permissionId('view_resourcecategory') },
  ),
  qualificationcategory: rowsOf('qualificationcategory', {}, {}, {}),
  qualification: rowsOf('qualification', ...[0, 1, 2].map((n) => ({ category_id: idOf('qualificationcategory', n) }))),
  qualification_includes: rowsOf(
    'qualification_includes',
    { from_qualification_id: qualification(0), to_qualification_id: qualification(1) },
    { from_qualification_id: qualification(1), to_qualification_id: qualification(2) },
  ),
  userprofile: rowsOf(
    'userprofile',
    {
      password: 'argon2$argon2id$v=19$m=102400,t=2,p=8$c2FsdA$aGFzaA',
      preferred_language: 'de',
      disabled_notifications: [
        ['ephios_backend_email', 'ephios_participation_state_changed'],
        ['ephios_backend_webpush', 'ephios_profile_update'],
      ],
    },
    { password: '!unusable', preferred_language: 'en', disabled_notifications: [] },
    { password: 'pbkdf2_sha256$1000$salt$aGFzaA==', preferred_language: 'de', disabled_notifications: [] },
  ),
  userprofile_groups: rowsOf(
    'userprofile_groups',
    { userprofile_id: user(0), group_id: group(1) },
    { userprofile_id: user(1), group_id: group(2) },
  ),
  userprofile_user_permissions: rowsOf(
    'userprofile_user_permissions',
    { userprofile_id: user(0), permission_id: permissionId('view_event') },
    { userprofile_id: user(2), permission_id: permissionId('view_userprofile') },
  ),
  qualificationgrant: rowsOf(
    'qualificationgrant',
    { user_id: user(0), qualification_id: qualification(1) },
    { user_id: user(1), qualification_id: qualification(2) },
    { user_id: user(2), qualification_id: qualification(0) },
  ),
  workinghours: rowsOf(
    'workinghours',
    { user_id: user(0), hours: '2.50' },
    { user_id: user(1), hours: '0.25' },
    { user_id: user(2), hours: '12' },
  ),
  consequence: rowsOf(
    'consequence',
    { slug: 'ephios.grant_working_hours', user_id: user(0), state: 'needs_confirmation', data: { hours: 2, date: '2031-01-01' } },
    { slug: 'ephios.grant_working_hours', user_id: user(1), state: 'executed', data: { hours: 3, date: '2031-01-02' } },
    {
      slug: 'ephios.grant_qualification',
      user_id: user(2),
      state: 'denied',
      data: { qualification_id: qualification(0), event_id: null, expires: '2032-01-03T22:59:59+00:00' },
    },
  ),
  eventautoqualification_eventautoqualificationconfiguration: rowsOf(
    'eventautoqualification_eventautoqualificationconfiguration',
    ...[0, 1, 2].map((n) => ({ event_id: event(n), qualification_id: qualification(2 - n), mode: n + 1 })),
  ),
  eventtype: rowsOf(
    'eventtype',
    { color: '#112233', show_participant_data: 0 },
    { color: '#445566', show_participant_data: 3 },
    { color: '#778899', show_participant_data: 2 },
  ),
  eventtypepreference: rowsOf(
    'eventtypepreference',
    { name: 'visible_for', raw_value: String(group(0)), instance_id: type(0) },
    { name: 'visible_for', raw_value: String(group(1)), instance_id: type(1) },
    { name: 'responsible_groups', raw_value: String(group(2)), instance_id: type(1), section: 'general' },
    { name: 'responsible_users', raw_value: String(user(0)), instance_id: type(0) },
    { name: 'responsible_users', raw_value: String(user(1)), instance_id: type(2) },
    { name: 'general_required_qualifications', raw_value: String(qualification(0)), instance_id: type(1), section: 'general' },
    { name: 'general_required_qualifications', raw_value: String(qualification(1)), instance_id: type(2) },
  ),
  event: rowsOf('event', ...[0, 1, 2].map((n) => ({ type_id: type(n) }))),
  guardian_groupobjectpermission: rowsOf(
    'guardian_groupobjectpermission',
    on('core.event', event(0), 'view_event', { group_id: group(0) }),
    on('core.event', event(1), 'change_event', { group_id: group(1) }),
    on('auth.group', group(0), 'publish_event_for_group', { group_id: group(1) }),
    on('auth.group', group(1), 'decide_workinghours_for_group', { group_id: group(2) }),
    on('core.userprofile', user(0), 'view_userprofile', { group_id: group(0) }),
    on('core.userprofile', user(1), 'view_userprofile', { group_id: group(2) }),
  ),
  guardian_userobjectpermission: rowsOf(
    'guardian_userobjectpermission',
    on('core.event', event(1), 'view_event', { user_id: user(0) }),
    on('core.event', event(2), 'change_event', { user_id: user(1) }),
    on('core.userprofile', user(0), 'view_userprofile', { user_id: user(1) }),
    on('core.userprofile', user(1), 'view_userprofile', { user_id: user(2) }),
  ),
  shift: rowsOf(
    'shift',
    { event_id: event(0), ...times(4), structure_slug: 'complex' },
    { event_id: event(1), ...times(5), structure_slug: 'named_teams' },
    { event_id: event(1), ...times(6), structure_slug: 'uniform' },
  ),
  complexsignup_buildingblock: rowsOf(
    'complexsignup_buildingblock',
    ...['composite', 'atomic', 'atomic', 'composite'].map((block_type) => ({ block_type })),
  ),
  complexsignup_position: rowsOf('complexsignup_position', { block_id: block(1) }, { block_id: block(2) }),
  complexsignup_position_qualifications: rowsOf(
    'complexsignup_position_qualifications',
    { position_id: idOf('complexsignup_position', 0), qualification_id: qualification(1) },
    { position_id: idOf('complexsignup_position', 1), qualification_id: qualification(2) },
  ),
  complexsignup_blockcomposition: rowsOf(
    'complexsignup_blockcomposition',
    { composite_block_id: block(0), sub_block_id: block(1) },
    { composite_block_id: block(3), sub_block_id: block(2) },
  ),
  complexsignup_blockqualificationrequirement: rowsOf(
    'complexsignup_blockqualificationrequirement',
    { block_id: block(0) },
    { block_id: block(1) },
  ),
  complexsignup_blockqualificationrequirement_qualifications: rowsOf(
    'complexsignup_blockqualificationrequirement_qualifications',
    ...[0, 1].map((n) => ({
      blockqualificationrequirement_id: idOf('complexsignup_blockqualificationrequirement', n),
      qualification_id: qualification(n),
    })),
  ),
  abstractparticipation: rowsOf(
    'abstractparticipation',
    ...[
      { state: 1, structure_data: { dispatched_unit_path: 'root.b1.81.', preferred_unit_path: '' } },
      { state: 0, structure_data: { preferred_team_uuid: 'b', n: 1.5 } },
      { state: 1, structure_data: {} },
      { state: 3, structure_data: { dispatched_team_uuid: 'c' } },
      { state: 2, structure_data: {} },
      { state: 4, structure_data: {} },
      { state: 1, structure_data: {} },
      { state: 0, structure_data: {} },
      { state: 3, structure_data: {} },
    ].map((row, n) => ({
      ...row,
      shift_id: shift(n % 3),
      individual_start_time: n % 2 ? `2031-05-04T06:15:00.00000${n}Z` : null,
      individual_end_time: n % 3 ? `2031-05-08T08:45:00.00000${n}Z` : null,
    })),
  ),
  localparticipation: [0, 1, 2].map((n) => ({ abstractparticipation_ptr_id: part(n), user_id: user(n) })),
  core_placeholderparticipation: [3, 4].map((n) => ({ abstractparticipation_ptr_id: part(n), display_name: `Feuerwehr ${n}` })),
  guests_guestparticipation: [5, 6].map((n) => ({ abstractparticipation_ptr_id: part(n), guest_user_id: guest(n - 5) })),
  federation_federatedparticipation: [7, 8].map((n) => ({
    abstractparticipation_ptr_id: part(n),
    federated_user_id: visitor(n - 7),
  })),
  core_participationcomment: rowsOf(
    'core_participationcomment',
    { participation_id: part(0), visible_for: 0, authored_by_responsible_id: user(1) },
    { participation_id: part(1), visible_for: 1, authored_by_responsible_id: null },
    { participation_id: part(3), visible_for: 2, authored_by_responsible_id: null },
  ),
  guests_eventguestshare: rowsOf('guests_eventguestshare', { event_id: event(0) }, { event_id: event(1) }),
  guests_guestuser: rowsOf('guests_guestuser', { event_id: event(0) }, { event_id: event(1) }),
  guests_guestuser_qualifications: rowsOf(
    'guests_guestuser_qualifications',
    { guestuser_id: guest(0), qualification_id: qualification(1) },
    { guestuser_id: guest(1), qualification_id: qualification(2) },
  ),
  federation_federatedguest: rowsOf(
    'federation_federatedguest',
    { access_token_id: token(3), url: 'https://nord.example' },
    { access_token_id: token(4), url: 'https://west.example' },
  ),
  federation_federatedhost: rowsOf(
    'federation_federatedhost',
    { oauth_application_id: application(2), url: 'https://sued.example' },
    { oauth_application_id: application(3), url: 'https://ost.example' },
  ),
  federation_invitecode: rowsOf('federation_invitecode', {}, {}),
  federation_federatedeventshare: rowsOf('federation_federatedeventshare', { event_id: event(0) }, { event_id: event(1) }),
  federation_federatedeventshare_shared_with: rowsOf(
    'federation_federatedeventshare_shared_with',
    ...[0, 1].map((n) => ({
      federatedeventshare_id: idOf('federation_federatedeventshare', n),
      federatedguest_id: partner(n),
    })),
  ),
  federation_federateduser: rowsOf(
    'federation_federateduser',
    { federated_instance_id: partner(0) },
    { federated_instance_id: partner(1) },
    { federated_instance_id: partner(1) },
  ),
  federation_federateduser_qualifications: rowsOf(
    'federation_federateduser_qualifications',
    { federateduser_id: visitor(0), qualification_id: qualification(1) },
    { federateduser_id: visitor(1), qualification_id: qualification(2) },
  ),
  api_application: rowsOf(
    'api_application',
    ...[
      { user_id: user(0), redirect_uris: 'https://a.example/x https://a.example/y', client_type: 'confidential' },
      { user_id: user(1), redirect_uris: 'https://b.example/x', client_type: 'public', allowed_origins: '' },
      { user_id: null, redirect_uris: 'https://c.example/x', client_type: 'confidential' },
      { user_id: user(2), redirect_uris: 'https://d.example/x', client_type: 'confidential' },
      { user_id: user(2), redirect_uris: 'https://e.example/x', client_type: 'public', authorization_grant_type: 'implicit' },
    ].map((row) => ({ authorization_grant_type: 'authorization-code', ...row })),
  ),
  api_accesstoken: rowsOf(
    'api_accesstoken',
    { user_id: user(0), application_id: null, scope: 'ME_READ PUBLIC_READ', revoked: false },
    { user_id: user(1), application_id: application(0), scope: 'PUBLIC_READ', revoked: true, source_refresh_token_id: null },
    {
      user_id: user(2),
      application_id: application(1),
      scope: 'ME_WRITE ME_READ',
      revoked: null,
      source_refresh_token_id: idOf('api_refreshtoken', 1),
    },
    { user_id: null, application_id: null, scope: '', revoked: false },
    { user_id: null, application_id: null, scope: '', revoked: null },
  ),
  api_refreshtoken: rowsOf(
    'api_refreshtoken',
    {
      user_id: user(1),
      application_id: application(0),
      access_token_id: token(1),
      created: '2031-04-20T00:00:00Z',
      revoked: null,
    },
    { user_id: user(2), application_id: application(1), access_token_id: null, created: '2031-04-21T00:00:00Z', revoked: null },
  ),
  modellogging_logentry: rowsOf(
    'modellogging_logentry',
    {
      content_object_id: event(0),
      attached_to_object_id: event(0),
      action_type: 'create',
      attached_to_object_type_id: modelId('core.event'),
      content_type_id: modelId('core.event'),
      data: LOG_DATA[0]!.data,
      user_id: user(0),
    },
    {
      content_object_id: part(0),
      attached_to_object_id: event(1),
      action_type: 'delete',
      attached_to_object_type_id: modelId('core.event'),
      content_type_id: modelId('core.localparticipation'),
      data: LOG_DATA[1]!.data,
      user_id: user(1),
    },
    {
      content_object_id: user(0),
      attached_to_object_id: user(0),
      action_type: 'change',
      attached_to_object_type_id: modelId('core.userprofile'),
      content_type_id: modelId('core.userprofile'),
      data: LOG_DATA[2]!.data,
      user_id: null,
    },
    {
      content_object_id: user(1),
      attached_to_object_id: user(1),
      action_type: 'create',
      attached_to_object_type_id: modelId('core.userprofile'),
      content_type_id: modelId('core.userprofile'),
      data: LOG_DATA[4]!.data,
      user_id: user(2),
    },
    {
      content_object_id: event(1),
      attached_to_object_id: event(1),
      action_type: 'change',
      attached_to_object_type_id: modelId('core.event'),
      content_type_id: modelId('core.event'),
      data: LOG_DATA[3]!.data,
      user_id: user(1),
    },
  ),
  dynamic_preferences_globalpreferencemodel: rowsOf(
    'dynamic_preferences_globalpreferencemodel',
    ...EPHIOS_SETTINGS.map(([name, raw_value]) => ({ section: 'general', name, raw_value })),
  ),
  core_notification: rowsOf(
    'core_notification',
    ...[
      { slug: 'ephios_participation_state_changed', data: { participation_id: part(0) }, user_id: user(0), read: true },
      { slug: 'ephios_participation_awaits_disposition', data: { participation_id: part(1) }, user_id: user(1), read: false },
      { slug: 'ephios_consequence_denied', data: { consequence_id: idOf('consequence', 2) }, user_id: user(2), read: true },
      {
        slug: 'ephios_custom_event_notification',
        data: { event_id: event(0), content: 'Bitte Helm mitbringen\nDanke' },
        user_id: user(0),
        read: false,
      },
      {
        slug: 'ephios_custom_event_notification',
        data: { event_id: event(1), content: 'Treffpunkt ist das Tor' },
        user_id: user(1),
        read: false,
      },
    ].map((row, n) => ({ ...row, created_at: `2031-04-2${n}T08:00:00.00000${n}Z` })),
  ),
  core_identityprovider: rowsOf(
    'core_identityprovider',
    { qualification_codename_to_uuid: { medic: '0b41fc2c-5e4c-4ac5-9a0e-3c4f4ad1b0a7' } },
    { qualification_codename_to_uuid: { driver: '7d1f5a52-18a1-4a51-a5a7-5b4e0d3a2c11' } },
    { qualification_codename_to_uuid: {} },
  ),
  core_identityprovider_default_groups: rowsOf(
    'core_identityprovider_default_groups',
    { identityprovider_id: idOf('core_identityprovider', 0), group_id: group(1) },
    { identityprovider_id: idOf('core_identityprovider', 1), group_id: group(0) },
  ),
  simpleresource_resourcecategory: rowsOf('simpleresource_resourcecategory', {}, {}),
  simpleresource_resource: rowsOf(
    'simpleresource_resource',
    { category_id: idOf('simpleresource_resourcecategory', 0) },
    { category_id: idOf('simpleresource_resourcecategory', 1) },
  ),
  simpleresource_resourceallocation: rowsOf('simpleresource_resourceallocation', { shift_id: shift(0) }, { shift_id: shift(1) }),
  simpleresource_resourceallocation_resources: rowsOf(
    'simpleresource_resourceallocation_resources',
    { resourceallocation_id: idOf('simpleresource_resourceallocation', 0), resource_id: idOf('simpleresource_resource', 1) },
    { resourceallocation_id: idOf('simpleresource_resourceallocation', 1), resource_id: idOf('simpleresource_resource', 0) },
  ),
  questionnaires_question: rowsOf(
    'questionnaires_question',
    { type: 'text', choices: [] },
    { type: 'single', choices: ['S', 'M'] },
    { type: 'multiple', choices: ['vegan', 'nuts'] },
  ),
  questionnaires_questionnaire: rowsOf('questionnaires_questionnaire', { shift_id: shift(0) }, { shift_id: shift(1) }),
  questionnaires_questionnaire_questions: rowsOf(
    'questionnaires_questionnaire_questions',
    { questionnaire_id: idOf('questionnaires_questionnaire', 0), question_id: idOf('questionnaires_question', 1) },
    { questionnaire_id: idOf('questionnaires_questionnaire', 1), question_id: idOf('questionnaires_question', 0) },
  ),
  questionnaires_answer: rowsOf(
    'questionnaires_answer',
    // A JSON text.
    { answer: '"M"', participation_id: part(0), question_id: idOf('questionnaires_question', 1) },
    { answer: ['vegan', 'nuts'], participation_id: part(1), question_id: idOf('questionnaires_question', 2) },
  ),
  questionnaires_savedanswer: rowsOf(
    'questionnaires_savedanswer',
    { answer: '"by train"', user_id: user(0), question_id: idOf('questionnaires_question', 0) },
    { answer: ['nuts'], user_id: user(1), question_id: idOf('questionnaires_question', 2) },
  ),
  files_document: rowsOf('files_document', { uploader_id: user(0) }, { uploader_id: user(1) }),
  files_document_attached_to: rowsOf(
    'files_document_attached_to',
    { document_id: idOf('files_document', 0), event_id: event(1) },
    { document_id: idOf('files_document', 1), event_id: event(0) },
  ),
  pages_page: rowsOf(
    'pages_page',
    { slug: 'impressum', publicly_visible: true },
    { slug: 'datenschutz', publicly_visible: true },
    { slug: 'hilfe', publicly_visible: false, show_in_footer: true },
    { slug: 'regeln', publicly_visible: true, show_in_footer: false },
  ),
}

// Tables without a counterpart: the rows need not refer to anything.
for (const table of TABLES) COMPLETE_ROWS[table] ??= rowsOf(table, {}, {}, {})

export const modelOf = (contentTypeId: unknown): string => MODELS[(contentTypeId as number) - modelId('core.event')]!
export const codenameOf = (id: unknown): string => PERMISSIONS[(id as number) - idOf('auth_permission', 0)]![1]
