import type { Omission } from './import-context.ts'

/** Tables of ephios that are imported, with the types of their columns. */
type Kind = 'integer' | 'text' | 'boolean' | 'time' | 'date' | 'json' | 'uuid' | 'decimal'

const integers = (...names: string[]): Record<string, Kind> => Object.fromEntries(names.map((name) => [name, 'integer']))
const link = (...names: string[]) => integers('id', ...names)

export const SOURCE_COLUMNS: Record<string, Record<string, Kind>> = {
  django_content_type: { ...link(), app_label: 'text', model: 'text' },
  auth_permission: { ...link('content_type_id'), codename: 'text' },
  auth_group: { ...link(), name: 'text' },
  auth_group_permissions: link('group_id', 'permission_id'),
  qualificationcategory: { ...link(), uuid: 'uuid', title: 'text', show_with_user: 'boolean' },
  qualification: { ...link('category_id'), uuid: 'uuid', title: 'text', abbreviation: 'text', is_imported: 'boolean' },
  qualification_includes: link('from_qualification_id', 'to_qualification_id'),
  userprofile: {
    ...link(),
    email: 'text',
    password: 'text',
    display_name: 'text',
    last_login: 'time',
    date_of_birth: 'date',
    phone: 'text',
    calendar_token: 'text',
    preferred_language: 'text',
    disabled_notifications: 'json',
    email_invalid: 'boolean',
    is_active: 'boolean',
    is_visible: 'boolean',
    is_staff: 'boolean',
    is_superuser: 'boolean',
  },
  userprofile_groups: link('userprofile_id', 'group_id'),
  userprofile_user_permissions: link('userprofile_id', 'permission_id'),
  qualificationgrant: { ...link('user_id', 'qualification_id'), expires: 'time', externally_managed: 'boolean' },
  workinghours: { ...link('user_id'), hours: 'decimal', reason: 'text', date: 'date' },
  simpleresource_resourcecategory: { ...link(), name: 'text', icon: 'text' },
  simpleresource_resource: { ...link('category_id'), title: 'text' },
  simpleresource_resourceallocation: link('shift_id'),
  simpleresource_resourceallocation_resources: link('resourceallocation_id', 'resource_id'),
  questionnaires_question: {
    ...link(),
    name: 'text',
    question_text: 'text',
    description: 'text',
    required: 'boolean',
    type: 'text',
    choices: 'json',
    archived: 'boolean',
    use_saved_answers: 'boolean',
  },
  questionnaires_questionnaire: link('shift_id'),
  questionnaires_questionnaire_questions: link('questionnaire_id', 'question_id'),
  questionnaires_answer: { ...link('participation_id', 'question_id'), answer: 'json' },
  questionnaires_savedanswer: { ...link('user_id', 'question_id'), answer: 'json' },
  files_document: { ...link('uploader_id'), title: 'text', file: 'text', updated_at: 'time' },
  files_document_attached_to: link('document_id', 'event_id'),
  pages_page: { ...link(), title: 'text', content: 'text', slug: 'text', show_in_footer: 'boolean', publicly_visible: 'boolean' },
  eventautoqualification_eventautoqualificationconfiguration: {
    ...link('mode', 'event_id', 'qualification_id'),
    expiration_date: 'time',
    extend_only: 'boolean',
    needs_confirmation: 'boolean',
  },
  core_identityprovider: {
    ...link(),
    label: 'text',
    client_id: 'text',
    client_secret: 'text',
    scopes: 'text',
    authorization_endpoint: 'text',
    token_endpoint: 'text',
    userinfo_endpoint: 'text',
    end_session_endpoint: 'text',
    jwks_uri: 'text',
    create_missing_groups: 'boolean',
    group_claim: 'text',
    internal_name: 'text',
    qualification_claim: 'text',
    qualification_codename_to_uuid: 'json',
  },
  core_identityprovider_default_groups: link('identityprovider_id', 'group_id'),
  consequence: { ...link('user_id'), slug: 'text', data: 'json', state: 'text' },
  eventtype: { ...link('show_participant_data'), title: 'text', color: 'text', default_description: 'text' },
  eventtypepreference: { ...link('instance_id'), section: 'text', name: 'text', raw_value: 'text' },
  event: { ...link('type_id'), title: 'text', description: 'text', location: 'text', active: 'boolean' },
  guardian_groupobjectpermission: { ...link('content_type_id', 'group_id', 'permission_id'), object_pk: 'text' },
  guardian_userobjectpermission: { ...link('content_type_id', 'user_id', 'permission_id'), object_pk: 'text' },
  shift: {
    ...link('event_id'),
    meeting_time: 'time',
    start_time: 'time',
    end_time: 'time',
    label: 'text',
    signup_flow_slug: 'text',
    signup_flow_configuration: 'json',
    structure_slug: 'text',
    structure_configuration: 'json',
  },
  complexsignup_buildingblock: { ...link(), uuid: 'uuid', name: 'text', block_type: 'text', allow_more: 'boolean' },
  complexsignup_position: { ...link('block_id'), label: 'text', optional: 'boolean' },
  complexsignup_position_qualifications: link('position_id', 'qualification_id'),
  complexsignup_blockcomposition: { ...link('composite_block_id', 'sub_block_id'), label: 'text', optional: 'boolean' },
  complexsignup_blockqualificationrequirement: { ...link('block_id', 'at_least'), everyone: 'boolean' },
  complexsignup_blockqualificationrequirement_qualifications: link('blockqualificationrequirement_id', 'qualification_id'),
  api_application: {
    ...link('user_id'),
    client_id: 'text',
    client_secret: 'text',
    name: 'text',
    redirect_uris: 'text',
    post_logout_redirect_uris: 'text',
    allowed_origins: 'text',
    client_type: 'text',
    authorization_grant_type: 'text',
    created: 'time',
    skip_authorization: 'boolean',
    hash_client_secret: 'boolean',
  },
  api_accesstoken: {
    ...link('user_id', 'application_id', 'source_refresh_token_id'),
    token: 'text',
    scope: 'text',
    description: 'text',
    created: 'time',
    expires: 'time',
    revoked: 'boolean',
  },
  api_refreshtoken: {
    ...link('user_id', 'application_id', 'access_token_id'),
    token: 'text',
    created: 'time',
    revoked: 'time',
  },
  federation_federatedguest: {
    ...link('access_token_id'),
    name: 'text',
    url: 'text',
    client_id: 'text',
    client_secret: 'text',
  },
  federation_federatedhost: { ...link('oauth_application_id'), name: 'text', url: 'text', access_token: 'text' },
  federation_invitecode: { ...link(), code: 'text', url: 'text', created_at: 'time' },
  federation_federatedeventshare: link('event_id'),
  federation_federatedeventshare_shared_with: link('federatedeventshare_id', 'federatedguest_id'),
  federation_federateduser: {
    ...link('federated_instance_id'),
    email: 'text',
    display_name: 'text',
    date_of_birth: 'date',
    phone: 'text',
    created_at: 'time',
  },
  federation_federateduser_qualifications: link('federateduser_id', 'qualification_id'),
  guests_eventguestshare: { ...link('event_id'), token: 'text', active: 'boolean' },
  guests_guestuser: {
    ...link('event_id'),
    email: 'text',
    display_name: 'text',
    date_of_birth: 'date',
    phone: 'text',
    access_token: 'text',
    created_at: 'time',
  },
  guests_guestuser_qualifications: link('guestuser_id', 'qualification_id'),
  core_participationcomment: {
    ...link('participation_id', 'visible_for', 'authored_by_responsible_id'),
    text: 'text',
    created_at: 'time',
  },
  modellogging_logentry: {
    ...link('content_object_id', 'attached_to_object_id', 'attached_to_object_type_id', 'content_type_id', 'user_id'),
    datetime: 'time',
    action_type: 'text',
    request_id: 'text',
    data: 'json',
  },
  core_notification: { ...link('user_id'), slug: 'text', data: 'json', created_at: 'time', read: 'boolean' },
  dynamic_preferences_globalpreferencemodel: { ...link(), section: 'text', name: 'text', raw_value: 'text' },
}

/** A participation is one row here and two in ephios: a common part, and one in the table of its kind. */
export const PARTICIPATION = {
  source: 'abstractparticipation',
  columns: {
    'part.id': 'integer',
    'part.state': 'integer',
    'part.shift_id': 'integer',
    'part.structure_data': 'json',
    'part.finished': 'boolean',
    'part.individual_start_time': 'time',
    'part.individual_end_time': 'time',
  } as Record<string, Kind>,
  kinds: [
    { table: 'localparticipation', column: 'user_id', kind: 'integer' },
    { table: 'core_placeholderparticipation', column: 'display_name', kind: 'text' },
    { table: 'guests_guestparticipation', column: 'guest_user_id', kind: 'integer' },
    { table: 'federation_federatedparticipation', column: 'federated_user_id', kind: 'integer' },
  ] as const,
}

/** Known columns that are not needed here. */
const IGNORED_COLUMNS: Record<string, string[]> = {
  abstractparticipation: ['polymorphic_ctype_id'],
  api_accesstoken: ['updated', 'id_token_id', 'token_checksum'],
  api_application: ['updated', 'algorithm'],
  api_refreshtoken: ['updated', 'token_family'],
  core_notification: ['processed_by', 'processing_completed'],
}

/** Columns that another release or a plugin added to an imported table. */
export function findUnknownColumns(table: string, columns: Iterable<string>): string[] {
  const kind = PARTICIPATION.kinds.find((each) => each.table === table)
  const known = kind
    ? ['abstractparticipation_ptr_id', kind.column]
    : table === PARTICIPATION.source
      ? Object.keys(PARTICIPATION.columns).map((column) => column.replace('part.', ''))
      : Object.keys(SOURCE_COLUMNS[table] ?? {})
  if (!known.length || findIgnored(table)) return []
  const all = new Set([...known, ...(IGNORED_COLUMNS[table] ?? [])])
  return [...columns].filter((column) => !all.has(column)).sort()
}

const PUSH: Omission = {
  what: 'Browsers with push messages',
  why: 'they are bound to the key of the old server; people turn push messages on again under Settings, Notifications',
}
const AUTHORIZATIONS: Omission = { what: 'Unfinished sign-ins of applications', why: 'they are valid for minutes' }
const SCHEMA: Omission = { what: 'Rows that describe the tables of ephios', why: 'they are read, but not stored' }

/** Tables without data that people entered, and why they are not needed. */
export const IGNORED_TABLES: Record<string, Omission> = {
  django_migrations: SCHEMA,
  django_content_type: SCHEMA,
  auth_permission: SCHEMA,
  django_session: { what: 'Sessions', why: 'everybody signs in once more' },
  api_grant: AUTHORIZATIONS,
  api_idtoken: {
    what: 'Numbers of id tokens',
    why: 'id tokens are checked by their signature, and applications get new ones at the next sign-in',
  },
  django_admin_log: {
    what: 'History of the administration pages of Django',
    why: 'these pages do not exist here; the log of ephios itself is imported',
  },
  dynamic_preferences_users_userpreferencemodel: {
    what: 'Settings of single users in the table of preferences',
    why: 'the choices of notifications are imported from the accounts, column disabled_notifications',
  },
  // Tables of the libraries that ephios is built on.
  oauth2_provider_devicegrant: AUTHORIZATIONS,
  oauth2_provider_grant: AUTHORIZATIONS,
  oauth2_provider_idtoken: AUTHORIZATIONS,
  webpush_group: PUSH,
  webpush_pushinformation: PUSH,
  webpush_subscriptioninfo: PUSH,
}
const RECURRENCE: Omission = {
  what: 'Rows of the library for recurring dates',
  why: 'ephios needs none of them; the events that were made from recurring dates are imported',
}

export function findIgnored(table: string): Omission | undefined {
  return IGNORED_TABLES[table] ?? (table.startsWith('recurrence_') ? RECURRENCE : undefined)
}

export const PUSH_TABLE = 'webpush_pushinformation'
