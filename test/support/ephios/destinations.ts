import { hashSecret } from '#platform/auth/secrets.ts'
import { COMPLETE_ROWS, codenameOf, LOG_DATA, modelOf } from './complete-rows.ts'
import type { EphiosRow } from './database.ts'

/** Where a value of ephios is found after an import. */
export type Destination = {
  /** Table and column of ours. */
  to: string
  expected: (value: unknown, row: EphiosRow) => unknown
  /** Applied to the stored value before it is compared. */
  read: 'as it is' | 'unsealed' | 'scope in it'
  /** The expected value is the same for every row on purpose. */
  isConstant?: boolean
}
/** A column that is deliberately not imported, and why. */
type Omitted = { omitted: string }
type Column = Destination | Omitted | Destination[]
type Columns = Record<string, Column>

const as = (to: string, expected: Destination['expected']): Destination => ({ to, expected, read: 'as it is' })
const same = (to: string): Destination => as(to, (value) => value)
const json = (to: string): Destination => as(to, (value) => (typeof value === 'string' ? JSON.parse(value) : value))
const sealed = (to: string): Destination => ({ ...same(to), read: 'unsealed' })
const hashed = (to: string): Destination => as(to, (value) => `\\x${hashSecret(String(value)).toString('hex')}`)
const constant = (to: string, value: unknown): Destination => ({ ...as(to, () => value), isConstant: true })
const words = (to: string): Destination => as(to, (value) => String(value).split(' ').filter(Boolean))
const omit = (omitted: string): Omitted => ({ omitted })

const LINK_ID = omit('the id of a link between two rows; ours are identified by these two rows')

const rows = (table: string): EphiosRow[] => COMPLETE_ROWS[table]!
const find = (table: string, id: unknown): EphiosRow => rows(table).find((row) => row.id === id)!

/** The time of the import in the test. */
export const IMPORTED_AT = '2031-05-01T10:00:00.000Z'

const GLOBAL_PERMISSIONS: Record<string, string> = {
  view_event: 'view_event',
  view_userprofile: 'view_user',
  change_buildingblock: 'change_building_block',
  change_document: 'change_file',
  delete_page: 'delete_page',
  add_resource: 'add_resource',
  view_resourcecategory: 'view_resource',
}

function destinationsOfGrant(row: EphiosRow, holder: 'group_id' | 'user_id'): Columns {
  const model = modelOf(row.content_type_id)
  const isGroup = holder === 'group_id'
  const common = { id: LINK_ID, content_type_id: omit('selects the table of ours') }
  if (model === 'core.event') {
    const table = isGroup ? 'event_group_grant' : 'event_user_grant'
    return {
      ...common,
      object_pk: as(`${table}.event_id`, Number),
      permission_id: as(`${table}.permission`, (id) => codenameOf(id).replace('_event', '')),
      [holder]: same(`${table}.${holder}`),
    }
  }
  if (model === 'auth.group')
    return {
      ...common,
      object_pk: as('group_grant.target_group_id', Number),
      permission_id: as('group_grant.permission', (id) => codenameOf(id).replace('workinghours', 'working_hours')),
      group_id: same('group_grant.group_id'),
    }
  const table = isGroup ? 'profile_group_grant' : 'profile_user_grant'
  return {
    ...common,
    object_pk: as(`${table}.user_id`, Number),
    permission_id: omit('only view_userprofile exists for single users'),
    [holder]: same(`${table}.${isGroup ? 'group_id' : 'viewer_id'}`),
  }
}

function destinationsOfPreference({ name }: EphiosRow): Columns {
  const table = (
    {
      visible_for: 'event_type_default_group',
      responsible_groups: 'event_type_default_group',
      responsible_users: 'event_type_default_user',
      general_required_qualifications: 'event_type_required_qualification',
    } as Record<string, string>
  )[String(name)]!
  const column = { event_type_default_group: 'group_id', event_type_default_user: 'user_id' }[table] ?? 'qualification_id'
  return {
    id: LINK_ID,
    section: omit('the name alone identifies a preference'),
    name:
      table === 'event_type_default_group'
        ? as(`${table}.role`, () => (name === 'visible_for' ? 'audience' : 'responsible'))
        : omit('selects the table of ours'),
    raw_value: as(`${table}.${column}`, Number),
    instance_id: same(`${table}.event_type_id`),
  }
}

function destinationsOfToken({ user_id, application_id }: EphiosRow): Columns {
  const kind = user_id === null ? 'federation' : application_id === null ? 'personal' : 'oauth'
  const grants = kind === 'oauth' ? ['oauth_grant', 'oauth_consent'] : []
  return {
    id: [same('access_token.id'), as('access_token.kind', () => kind)],
    token: hashed('access_token.token_hash'),
    expires: same('access_token.expires_at'),
    scope: [words('access_token.scopes'), ...grants.map((table) => words(`${table}.scopes`))],
    created: same('access_token.created_at'),
    application_id: [same('access_token.application_id'), ...grants.map((table) => same(`${table}.application_id`))],
    user_id: [same('access_token.user_id'), ...grants.map((table) => same(`${table}.user_id`))],
    description: same('access_token.description'),
    revoked: as('access_token.revoked_at', (isRevoked) => (isRevoked ? IMPORTED_AT : null)),
    source_refresh_token_id: omit('leads to the scopes of the refresh token, which are compared there'),
    updated: omit('no page or rule uses it'),
    id_token_id: omit('id tokens are not stored here'),
    token_checksum: omit('derived from the token'),
  }
}

function scopeOfRefreshToken(id: unknown): string {
  const refresh = find('api_refreshtoken', id)
  const tokens = rows('api_accesstoken')
  return String(tokens.find((row) => row.id === refresh.access_token_id || row.source_refresh_token_id === id)!.scope)
}

function destinationsOfLogEntry({ attached_to_object_type_id: attached, content_type_id: type, data }: EphiosRow): Columns {
  const isOfPerson = modelOf(attached) === 'core.userprofile'
  const isPersonal = isOfPerson || modelOf(type) === 'core.localparticipation'
  const changes = LOG_DATA.find((each) => each.data === data)!.changes
  const actions: Record<string, string> = { create: 'imported.created', change: 'imported.changed', delete: 'imported.deleted' }
  const kinds: Record<string, string> = { 'core.localparticipation': 'participation', 'core.userprofile': 'user' }
  return {
    id: same('journal.id'),
    content_object_id: same('journal.subject_id'),
    attached_to_object_id: same(isOfPerson ? 'journal.person_id' : 'journal.event_id'),
    datetime: same('journal.at'),
    action_type: as('journal.kind', (action) => actions[String(action)]),
    request_id: same('journal.request_id'),
    data: as(isPersonal ? 'journal.personal' : 'journal.changes', () => changes),
    attached_to_object_type_id: omit('decides whether the entry belongs to an event or to a person'),
    content_type_id: as('journal.subject_kind', (id) => kinds[modelOf(id)] ?? modelOf(id).split('.')[1]),
    user_id: [same('journal.actor_id'), as('journal.actor_kind', (id) => (id === null ? 'system' : 'user'))],
  }
}

const LEGAL_PAGES: Record<string, string> = { impressum: 'imprint', datenschutz: 'privacy' }

function destinationsOfPage({ slug }: EphiosRow): Columns {
  const name = LEGAL_PAGES[String(slug)]
  const isSetting = omit('imprint and privacy page are settings, which have only a text')
  if (name)
    return {
      id: isSetting,
      title: isSetting,
      content: same('setting.value'),
      slug: as('setting.name', () => name),
      show_in_footer: isSetting,
      publicly_visible: isSetting,
    }
  return {
    id: same('content_page.id'),
    title: same('content_page.title'),
    content: same('content_page.content'),
    slug: same('content_page.slug'),
    show_in_footer: same('content_page.in_footer'),
    publicly_visible: same('content_page.is_public'),
  }
}

const SETTINGS: Record<string, string> = {
  organization_name: 'organization_name',
  hide_login_form: 'hide_local_sign_in',
  login_redirect_to_sole_identity_provider: 'redirect_to_provider',
}

function destinationsOfSetting({ name }: EphiosRow): Columns {
  const setting = SETTINGS[String(name)]
  const reported = omit('has no place here; the report says why')
  if (!setting) return { id: reported, section: reported, name: reported, raw_value: reported }
  return {
    id: LINK_ID,
    section: omit('the name alone identifies a setting'),
    name: as('setting.name', () => setting),
    raw_value: as('setting.value', (value) => (setting === 'organization_name' ? value : value === 'True')),
  }
}

const NOTIFICATION_KINDS: Record<string, string> = {
  ephios_participation_state_changed: 'participation_state',
  ephios_participation_awaits_disposition: 'participation_request',
  ephios_consequence_denied: 'request_decided',
  ephios_custom_event_notification: 'event_message',
}

function destinationsOfNotification({ slug }: EphiosRow): Columns {
  const eventOf = (participation: unknown) =>
    find('shift', find('abstractparticipation', participation).shift_id).event_id as number
  const about: Record<string, Destination[]> = {
    ephios_participation_state_changed: [
      as('notification.participation_id', (data) => (data as EphiosRow).participation_id),
      as('notification.event_id', (data) => eventOf((data as EphiosRow).participation_id)),
      as('notification.data', (data) => ({
        from: null,
        to: find('abstractparticipation', (data as EphiosRow).participation_id).state,
      })),
    ],
    ephios_participation_awaits_disposition: [
      as('notification.participation_id', (data) => (data as EphiosRow).participation_id),
      as('notification.event_id', (data) => eventOf((data as EphiosRow).participation_id)),
      as('notification.data', () => ({ from: null, to: 0 })),
    ],
    ephios_consequence_denied: [
      as('notification.data', (data) => ({
        outcome: 'refused',
        request_id: (data as EphiosRow).consequence_id,
        what: 'qualification',
      })),
    ],
    ephios_custom_event_notification: [
      as('notification.event_id', (data) => (data as EphiosRow).event_id),
      as('event_message.event_id', (data) => (data as EphiosRow).event_id),
      as('event_message.text', (data) => (data as EphiosRow).content),
      as('event_message.subject', (data) => String((data as EphiosRow).content).split('\n')[0]),
    ],
  }
  return {
    id: same('notification.id'),
    slug: as('notification.kind', (name) => NOTIFICATION_KINDS[String(name)]),
    data: about[String(slug)]!,
    user_id: same('notification.user_id'),
    created_at: [
      same('notification.created_at'),
      same('notification.next_attempt_at'),
      ...(slug === 'ephios_custom_event_notification' ? [same('event_message.created_at')] : []),
    ],
    processed_by: constant('notification.mail', 'skipped'),
    processing_completed: constant('notification.push', 'none'),
    read: as('notification.read_at', (isRead, { created_at }) => (isRead ? created_at : null)),
  }
}

const qualificationLink = (owner: string, to: string): Columns => ({
  id: LINK_ID,
  [owner]: same(to),
  qualification_id: same(`${to.split('.')[0]}.qualification_id`),
})

const PARTICIPATION_ID = same('participation.id')

/** For every table of ephios that has a counterpart here: where the value of each column is found. */
export const DESTINATIONS: Record<string, Columns | ((row: EphiosRow) => Columns)> = {
  abstractparticipation: {
    id: PARTICIPATION_ID,
    state: same('participation.state'),
    shift_id: same('participation.shift_id'),
    polymorphic_ctype_id: omit('the kind follows from the table with the second part of the row'),
    structure_data: same('participation.structure_data'),
    finished: same('participation.finished'),
    individual_end_time: same('participation.individual_end_time'),
    individual_start_time: same('participation.individual_start_time'),
  },
  localparticipation: {
    abstractparticipation_ptr_id: [PARTICIPATION_ID, constant('participation.kind', 'local')],
    user_id: same('participation.user_id'),
  },
  core_placeholderparticipation: {
    abstractparticipation_ptr_id: [PARTICIPATION_ID, constant('participation.kind', 'placeholder')],
    display_name: same('participation.placeholder_name'),
  },
  guests_guestparticipation: {
    abstractparticipation_ptr_id: [PARTICIPATION_ID, constant('participation.kind', 'guest')],
    guest_user_id: same('participation.guest_id'),
  },
  federation_federatedparticipation: {
    abstractparticipation_ptr_id: [PARTICIPATION_ID, constant('participation.kind', 'visitor')],
    federated_user_id: same('participation.visitor_id'),
  },
  core_participationcomment: {
    id: same('participation_comment.id'),
    visible_for: same('participation_comment.visible_for'),
    text: same('participation_comment.text'),
    authored_by_responsible_id: [
      as('participation_comment.author_kind', (id) => (id === null ? 'participant' : 'responsible')),
      as('participation_comment.author_id', (id, { participation_id }) => {
        const own = rows('localparticipation').find((row) => row.abstractparticipation_ptr_id === participation_id)
        return id ?? own?.user_id ?? null
      }),
    ],
    created_at: same('participation_comment.created_at'),
    participation_id: same('participation_comment.participation_id'),
  },
  api_accesstoken: destinationsOfToken,
  api_application: {
    id: [
      same('oauth_application.id'),
      as('oauth_application.purpose', (id) =>
        rows('federation_federatedhost').some((row) => row.oauth_application_id === id) ? 'federation' : 'client',
      ),
    ],
    client_id: same('oauth_application.client_id'),
    redirect_uris: words('oauth_application.redirect_uris'),
    client_type: [
      as('oauth_application.is_public', (kind) => kind === 'public'),
      as('oauth_application.require_pkce', (kind) => kind === 'public'),
    ],
    authorization_grant_type: as('oauth_application.disabled_at', (grant) =>
      grant === 'authorization-code' ? null : IMPORTED_AT,
    ),
    client_secret: as('oauth_application.client_secret_hash', (secret, { hash_client_secret, client_type }) => {
      if (client_type === 'public') return ''
      return hash_client_secret ? secret : `hash of ${secret}`
    }),
    hash_client_secret: omit('decides whether the secret is hashed by the import, which is compared there'),
    name: same('oauth_application.name'),
    skip_authorization: as(
      'oauth_application.trusted',
      (isTrusted, { client_type }) => isTrusted === true && client_type !== 'public',
    ),
    created: same('oauth_application.created_at'),
    allowed_origins: words('oauth_application.allowed_origins'),
    user_id: same('oauth_application.created_by_id'),
    updated: omit('no page or rule uses it'),
    algorithm: omit('id tokens are signed with the key of the instance'),
    post_logout_redirect_uris: words('oauth_application.post_logout_redirect_uris'),
  },
  api_refreshtoken: {
    id: { ...as('oauth_object.payload', scopeOfRefreshToken), read: 'scope in it' },
    token: hashed('oauth_object.id_hash'),
    created: [
      same('oauth_object.created_at'),
      as('oauth_object.expires_at', (time) => new Date(Date.parse(String(time)) + 90 * 24 * 3_600_000).toISOString()),
    ],
    application_id: same('oauth_object.application_id'),
    user_id: same('oauth_object.user_id'),
    access_token_id: omit('leads to the scopes, which are compared above'),
    revoked: omit('revoked tokens are skipped'),
    updated: omit('no page or rule uses it'),
    token_family: constant('oauth_object.model', 'RefreshToken'),
  },
  auth_group: { id: same('user_group.id'), name: same('user_group.name') },
  auth_group_permissions: {
    id: LINK_ID,
    group_id: same('group_permission.group_id'),
    permission_id: as('group_permission.permission', (id) => GLOBAL_PERMISSIONS[codenameOf(id)]),
  },
  userprofile_user_permissions: {
    id: LINK_ID,
    userprofile_id: same('user_permission.user_id'),
    permission_id: as('user_permission.permission', (id) => GLOBAL_PERMISSIONS[codenameOf(id)]),
  },
  guardian_groupobjectpermission: (row) => destinationsOfGrant(row, 'group_id'),
  guardian_userobjectpermission: (row) => destinationsOfGrant(row, 'user_id'),
  userprofile: {
    id: same('user_profile.id'),
    password: as('user_profile.password_hash', (password) => (String(password).startsWith('!') ? null : password)),
    last_login: same('user_profile.last_sign_in_at'),
    is_superuser: same('user_profile.is_superuser'),
    email: same('user_profile.email'),
    is_active: same('user_profile.is_active'),
    is_staff: same('user_profile.is_staff'),
    date_of_birth: same('user_profile.date_of_birth'),
    phone: same('user_profile.phone'),
    calendar_token: [hashed('user_profile.calendar_token_hash'), sealed('user_profile.calendar_token_sealed')],
    is_visible: same('user_profile.is_visible'),
    preferred_language: same('user_profile.preferred_language'),
    display_name: same('user_profile.display_name'),
    disabled_notifications: as('user_profile.disabled_notifications', (pairs) =>
      (pairs as [string, string][]).map(([channel, kind]) => [channel === 'ephios_backend_email' ? 'mail' : 'push', kind]),
    ),
    email_invalid: same('user_profile.email_invalid'),
  },
  userprofile_groups: {
    id: LINK_ID,
    userprofile_id: same('user_group_member.user_id'),
    group_id: same('user_group_member.group_id'),
  },
  qualificationcategory: {
    id: same('qualification_category.id'),
    uuid: same('qualification_category.uuid'),
    title: same('qualification_category.title'),
    show_with_user: same('qualification_category.show_with_user'),
  },
  qualification: {
    id: same('qualification.id'),
    title: same('qualification.title'),
    uuid: same('qualification.uuid'),
    category_id: same('qualification.category_id'),
    abbreviation: same('qualification.abbreviation'),
    is_imported: same('qualification.is_imported'),
  },
  qualification_includes: {
    id: LINK_ID,
    from_qualification_id: same('qualification_inclusion.qualification_id'),
    to_qualification_id: same('qualification_inclusion.included_id'),
  },
  qualificationgrant: {
    id: same('qualification_grant.id'),
    qualification_id: same('qualification_grant.qualification_id'),
    user_id: same('qualification_grant.user_id'),
    expires: same('qualification_grant.expires_at'),
    externally_managed: same('qualification_grant.externally_managed'),
  },
  workinghours: {
    id: same('working_hours.id'),
    hours: as('working_hours.hours', Number),
    reason: same('working_hours.reason'),
    user_id: same('working_hours.user_id'),
    date: same('working_hours.date'),
  },
  consequence: {
    id: same('decision_request.id'),
    slug: as('decision_request.kind', (slug) => String(slug).replace('ephios.grant_', '')),
    data: [
      same('decision_request.data'),
      as('decision_request.created_at', (data) => {
        const { date } = data as EphiosRow
        return date ? `${date}T12:00:00Z` : IMPORTED_AT
      }),
    ],
    state: as(
      'decision_request.state',
      (state) => ({ needs_confirmation: 'open', executed: 'granted', denied: 'refused' })[String(state)],
    ),
    user_id: same('decision_request.user_id'),
  },
  eventautoqualification_eventautoqualificationconfiguration: {
    id: omit('an event has one; ours is identified by the event'),
    expiration_date: same('event_qualification.expires_at'),
    mode: as('event_qualification.mode', (mode) => ({ 1: 'any', 2: 'every', 3: 'last' })[Number(mode)]),
    extend_only: as('event_qualification.recipients', (isOnly) => (isOnly ? 'holding' : 'all')),
    needs_confirmation: same('event_qualification.needs_decision'),
    event_id: same('event_qualification.event_id'),
    qualification_id: same('event_qualification.qualification_id'),
  },
  eventtype: {
    id: [
      same('event_type.id'),
      as(
        'event_type.visible_for_all_groups',
        (id) => !rows('eventtypepreference').some((row) => row.instance_id === id && row.name === 'visible_for'),
      ),
    ],
    title: same('event_type.title'),
    color: same('event_type.color'),
    show_participant_data: same('event_type.show_participant_data'),
    default_description: same('event_type.default_description'),
  },
  eventtypepreference: destinationsOfPreference,
  event: {
    id: same('event.id'),
    title: same('event.title'),
    description: same('event.description'),
    location: same('event.location'),
    type_id: same('event.type_id'),
    active: same('event.active'),
  },
  shift: {
    id: same('shift.id'),
    meeting_time: same('shift.meeting_time'),
    start_time: same('shift.start_time'),
    end_time: same('shift.end_time'),
    structure_configuration: same('shift.structure_configuration'),
    event_id: same('shift.event_id'),
    signup_flow_slug: same('shift.signup_flow_slug'),
    structure_slug: same('shift.structure_slug'),
    signup_flow_configuration: same('shift.signup_flow_configuration'),
    label: same('shift.label'),
  },
  complexsignup_buildingblock: {
    id: same('building_block.id'),
    uuid: same('building_block.uuid'),
    name: same('building_block.name'),
    block_type: same('building_block.block_type'),
    allow_more: same('building_block.allow_more'),
  },
  complexsignup_position: {
    id: same('block_position.id'),
    label: same('block_position.label'),
    optional: same('block_position.optional'),
    block_id: same('block_position.block_id'),
  },
  complexsignup_position_qualifications: qualificationLink('position_id', 'block_position_qualification.position_id'),
  complexsignup_blockcomposition: {
    id: same('block_composition.id'),
    optional: same('block_composition.optional'),
    composite_block_id: same('block_composition.block_id'),
    sub_block_id: same('block_composition.sub_block_id'),
    label: same('block_composition.label'),
  },
  complexsignup_blockqualificationrequirement: {
    id: same('block_requirement.id'),
    everyone: same('block_requirement.everyone'),
    at_least: same('block_requirement.at_least'),
    block_id: same('block_requirement.block_id'),
  },
  complexsignup_blockqualificationrequirement_qualifications: qualificationLink(
    'blockqualificationrequirement_id',
    'block_requirement_qualification.requirement_id',
  ),
  guests_eventguestshare: {
    id: omit('an event has one share at most, which is identified by the event'),
    token: [hashed('guest_share.token_hash'), sealed('guest_share.token_sealed')],
    active: same('guest_share.active'),
    event_id: same('guest_share.event_id'),
  },
  guests_guestuser: {
    id: same('guest.id'),
    email: same('guest.email'),
    date_of_birth: same('guest.date_of_birth'),
    phone: same('guest.phone'),
    access_token: [hashed('guest.access_token_hash'), sealed('guest.access_token_sealed')],
    created_at: [same('guest.created_at'), same('guest.email_confirmed_at')],
    event_id: same('guest.event_id'),
    display_name: same('guest.display_name'),
  },
  guests_guestuser_qualifications: {
    ...qualificationLink('guestuser_id', 'guest_qualification.guest_id'),
    id: constant('guest_qualification.verified_at', IMPORTED_AT),
  },
  federation_federatedguest: {
    id: [same('federated_guest.id'), same('access_token.federated_guest_id')],
    name: same('federated_guest.name'),
    url: same('federated_guest.url'),
    client_id: same('federated_guest.client_id'),
    client_secret: sealed('federated_guest.client_secret_sealed'),
    access_token_id: same('access_token.id'),
  },
  federation_federatedhost: {
    id: same('federated_host.id'),
    name: same('federated_host.name'),
    url: same('federated_host.url'),
    access_token: sealed('federated_host.access_token_sealed'),
    oauth_application_id: same('federated_host.application_id'),
  },
  federation_invitecode: {
    id: same('invite_code.id'),
    code: [hashed('invite_code.code_hash'), sealed('invite_code.code_sealed')],
    url: same('invite_code.url'),
    created_at: [
      same('invite_code.created_at'),
      as('invite_code.expires_at', (time) => new Date(Date.parse(String(time)) + 48 * 3_600_000).toISOString()),
    ],
  },
  federation_federatedeventshare: {
    id: omit('a share and its partners are one row for each partner'),
    event_id: same('event_share.event_id'),
  },
  federation_federatedeventshare_shared_with: {
    id: LINK_ID,
    federatedeventshare_id: as('event_share.event_id', (id) => find('federation_federatedeventshare', id).event_id),
    federatedguest_id: same('event_share.federated_guest_id'),
  },
  federation_federateduser: {
    id: same('visitor.id'),
    email: same('visitor.email'),
    date_of_birth: same('visitor.date_of_birth'),
    phone: same('visitor.phone'),
    created_at: same('visitor.created_at'),
    federated_instance_id: same('visitor.federated_guest_id'),
    display_name: same('visitor.display_name'),
  },
  federation_federateduser_qualifications: qualificationLink('federateduser_id', 'visitor_qualification.visitor_id'),
  modellogging_logentry: destinationsOfLogEntry,
  dynamic_preferences_globalpreferencemodel: destinationsOfSetting,
  core_notification: destinationsOfNotification,
  pages_page: destinationsOfPage,
  core_identityprovider: {
    id: same('identity_provider.id'),
    label: same('identity_provider.label'),
    client_id: same('identity_provider.client_id'),
    client_secret: sealed('identity_provider.client_secret_sealed'),
    scopes: same('identity_provider.scopes'),
    authorization_endpoint: same('identity_provider.authorization_endpoint'),
    token_endpoint: same('identity_provider.token_endpoint'),
    userinfo_endpoint: same('identity_provider.userinfo_endpoint'),
    end_session_endpoint: same('identity_provider.end_session_endpoint'),
    jwks_uri: same('identity_provider.jwks_uri'),
    create_missing_groups: same('identity_provider.create_missing_groups'),
    group_claim: same('identity_provider.group_claim'),
    internal_name: same('identity_provider.internal_name'),
    qualification_claim: same('identity_provider.qualification_claim'),
    qualification_codename_to_uuid: same('identity_provider.qualification_uuids'),
  },
  core_identityprovider_default_groups: {
    id: LINK_ID,
    identityprovider_id: same('identity_provider_group.identity_provider_id'),
    group_id: same('identity_provider_group.group_id'),
  },
  simpleresource_resourcecategory: {
    id: same('resource_category.id'),
    name: same('resource_category.name'),
    icon: same('resource_category.icon'),
  },
  simpleresource_resource: {
    id: same('resource.id'),
    title: same('resource.title'),
    category_id: same('resource.category_id'),
  },
  simpleresource_resourceallocation: {
    id: omit('an allocation is one row for each of its resources'),
    shift_id: same('shift_resource.shift_id'),
  },
  simpleresource_resourceallocation_resources: {
    id: LINK_ID,
    resourceallocation_id: as('shift_resource.shift_id', (id) => find('simpleresource_resourceallocation', id).shift_id),
    resource_id: same('shift_resource.resource_id'),
  },
  questionnaires_question: {
    id: same('question.id'),
    name: same('question.name'),
    question_text: same('question.text'),
    description: as('question.description', (value) => value ?? ''),
    required: same('question.required'),
    type: same('question.kind'),
    choices: same('question.choices'),
    archived: same('question.archived'),
    use_saved_answers: same('question.use_saved_answers'),
  },
  questionnaires_questionnaire: {
    id: omit('a questionnaire is one row for each of its questions'),
    shift_id: same('shift_question.shift_id'),
  },
  questionnaires_questionnaire_questions: {
    id: LINK_ID,
    questionnaire_id: as('shift_question.shift_id', (id) => find('questionnaires_questionnaire', id).shift_id),
    question_id: same('shift_question.question_id'),
  },
  questionnaires_answer: {
    id: LINK_ID,
    answer: json('answer.value'),
    participation_id: same('answer.participation_id'),
    question_id: same('answer.question_id'),
  },
  questionnaires_savedanswer: {
    id: LINK_ID,
    answer: json('saved_answer.value'),
    question_id: same('saved_answer.question_id'),
    user_id: same('saved_answer.user_id'),
  },
  files_document: {
    id: same('attachment.id'),
    title: same('attachment.title'),
    file: same('attachment.source_path'),
    updated_at: same('attachment.created_at'),
    uploader_id: same('attachment.uploader_id'),
  },
  files_document_attached_to: {
    id: LINK_ID,
    document_id: same('event_attachment.attachment_id'),
    event_id: same('event_attachment.event_id'),
  },
}

const DERIVED = 'derived from other columns'
const IMPORT_TIME = 'ephios does not store it; the time of the import'
const GENERATED = 'generated here'
const NOT_IN_EPHIOS = 'ephios has nothing like it'

/** Columns of ours that an import does not fill from a column of ephios, and why. A whole table: `table.*`. */
export const OUR_OWN_COLUMNS: Record<string, string> = {
  'access_token.expiry_warned_at': NOT_IN_EPHIOS,
  'access_token.grant_id': GENERATED,
  'access_token.is_for_assistant': NOT_IN_EPHIOS,
  'access_token.last_used_at': NOT_IN_EPHIOS,
  'audience.*': DERIVED,
  'building_block.version': NOT_IN_EPHIOS,
  'catalogue_version.*': DERIVED,
  'content_page.version': NOT_IN_EPHIOS,
  'decision_request.comment': NOT_IN_EPHIOS,
  'decision_request.decided_at': NOT_IN_EPHIOS,
  'attachment.file_id': 'the content is imported from a folder',
  'attachment.shared': 'every file of ephios can be added to every event',
  'attachment.version': NOT_IN_EPHIOS,
  'decision_request.decided_by_id': NOT_IN_EPHIOS,
  'denied_statement.*': NOT_IN_EPHIOS,
  'extension.*': NOT_IN_EPHIOS,
  'extension_migration.*': NOT_IN_EPHIOS,
  'extension_setting.*': NOT_IN_EPHIOS,
  'channel_link.*': NOT_IN_EPHIOS,
  'channel_code.*': NOT_IN_EPHIOS,
  'notification_delivery.*': NOT_IN_EPHIOS,
  'external_identity.*': 'ephios finds accounts by email address; the first sign-in links them',
  'external_session.*': 'short-lived',
  'oauth_application.allows_devices': NOT_IN_EPHIOS,
  'oauth_application.is_for_assistants': NOT_IN_EPHIOS,
  'pending_sign_in.*': 'short-lived',
  'passkey.*': NOT_IN_EPHIOS,
  'recovery_code.*': NOT_IN_EPHIOS,
  'second_factor_duty.*': NOT_IN_EPHIOS,
  'second_factor_group.*': NOT_IN_EPHIOS,
  'second_factor_policy.*': NOT_IN_EPHIOS,
  'totp_factor.*': NOT_IN_EPHIOS,
  'trusted_device.*': NOT_IN_EPHIOS,
  'used_passkey_challenge.*': 'short-lived',
  'identity_provider.creates_accounts': NOT_IN_EPHIOS,
  'identity_provider.enabled': NOT_IN_EPHIOS,
  'identity_provider.issuer': 'ephios does not store it; found out at the first sign-in',
  'identity_provider.problem': NOT_IN_EPHIOS,
  'identity_provider.problem_at': NOT_IN_EPHIOS,
  'identity_provider.token_auth_method': NOT_IN_EPHIOS,
  'identity_provider.trusts_email': NOT_IN_EPHIOS,
  'identity_provider.trusts_factor': NOT_IN_EPHIOS,
  'identity_provider.trusts_proof': NOT_IN_EPHIOS,
  'identity_provider.keeps_named_groups': NOT_IN_EPHIOS,
  'identity_provider.factor_acrs': NOT_IN_EPHIOS,
  'identity_provider_group.rights': 'ephios has no confirmation; an administrator confirms the rights after the import',
  'identity_provider_group_value.*': 'ephios gives groups by their names; an administrator chooses the values after the import',
  'identity_provider_withheld_group.*': NOT_IN_EPHIOS,
  'identity_provider.version': NOT_IN_EPHIOS,
  'used_sign_in_state.*': 'short-lived',
  'event.audience_id': DERIVED,
  'event_qualification.applied_at': DERIVED,
  'event_qualification.valid_months': NOT_IN_EPHIOS,
  'event.cancellation_reason': NOT_IN_EPHIOS,
  'event.cancelled_at': NOT_IN_EPHIOS,
  'event.guests_see_names': NOT_IN_EPHIOS,
  'event.created_at': IMPORT_TIME,
  'event.created_by_id': NOT_IN_EPHIOS,
  'event.deleted_at': NOT_IN_EPHIOS,
  'event.end_time': DERIVED,
  'event.shift_count': DERIVED,
  'event.start_time': DERIVED,
  'event.modified_at': NOT_IN_EPHIOS,
  'event.version': NOT_IN_EPHIOS,
  'event_message.author_id': NOT_IN_EPHIOS,
  'event_message.id': GENERATED,
  'event_message.waiting_user_ids': NOT_IN_EPHIOS,
  'event_share.shared_at': IMPORT_TIME,
  'event_type.archived_at': NOT_IN_EPHIOS,
  'event_type.modified_at': NOT_IN_EPHIOS,
  'event_type.version': NOT_IN_EPHIOS,
  'federated_guest.created_at': IMPORT_TIME,
  'federated_guest.last_contact_at': NOT_IN_EPHIOS,
  'federated_guest.paused': NOT_IN_EPHIOS,
  'federated_guest.speaks_turnout': NOT_IN_EPHIOS,
  'federated_host.created_at': IMPORT_TIME,
  'federated_host.ended_by_partner_at': NOT_IN_EPHIOS,
  'federated_host.etag': NOT_IN_EPHIOS,
  'federated_host.failures_in_row': NOT_IN_EPHIOS,
  'federated_host.last_attempt_at': NOT_IN_EPHIOS,
  'federated_host.last_error': NOT_IN_EPHIOS,
  'federated_host.last_latency_ms': NOT_IN_EPHIOS,
  'federated_host.last_success_at': NOT_IN_EPHIOS,
  'federated_host.next_attempt_at': NOT_IN_EPHIOS,
  'federated_host.paused': NOT_IN_EPHIOS,
  'federated_host.speaks_turnout': NOT_IN_EPHIOS,
  'guest.language': NOT_IN_EPHIOS,
  'guest.link_mailed_at': NOT_IN_EPHIOS,
  'guest.mail_failed_at': NOT_IN_EPHIOS,
  'guest.mail_failure': NOT_IN_EPHIOS,
  'guest_qualification.rejected_at': NOT_IN_EPHIOS,
  'guest_qualification.verified_by_id': NOT_IN_EPHIOS,
  'invite_code.created_by_id': NOT_IN_EPHIOS,
  'invite_code.federated_guest_id': NOT_IN_EPHIOS,
  'invite_code.used_at': NOT_IN_EPHIOS,
  'known_device.*': NOT_IN_EPHIOS,
  'join_link.*': NOT_IN_EPHIOS,
  'registration.*': NOT_IN_EPHIOS,
  'push_device.*': NOT_IN_EPHIOS,
  'change.*': NOT_IN_EPHIOS,
  'change_feed.*': NOT_IN_EPHIOS,
  'change_pending.*': NOT_IN_EPHIOS,
  'service_account.*': NOT_IN_EPHIOS,
  'erasure_request.*': NOT_IN_EPHIOS,
  'retention_run.*': NOT_IN_EPHIOS,
  'participation_count.*': GENERATED,
  'cache_mark.*': GENERATED,
  'participation_count_pending.*': GENERATED,
  'event_participation_count.*': GENERATED,
  'user_profile.is_service_account': NOT_IN_EPHIOS,
  'people_action.*': NOT_IN_EPHIOS,
  'people_action_person.*': NOT_IN_EPHIOS,
  'people_import.*': NOT_IN_EPHIOS,
  'people_import_row.*': NOT_IN_EPHIOS,
  'event_series.*': NOT_IN_EPHIOS,
  'event_template.*': NOT_IN_EPHIOS,
  'event_template_user.*': NOT_IN_EPHIOS,
  'event_series_member.*': NOT_IN_EPHIOS,
  'programme.*': NOT_IN_EPHIOS,
  'programme_shift.*': NOT_IN_EPHIOS,
  'attendance.*': NOT_IN_EPHIOS,
  'attendance_mark.*': NOT_IN_EPHIOS,
  'attendance_run.*': NOT_IN_EPHIOS,
  'attendance_result.*': NOT_IN_EPHIOS,
  'event_check_in.*': NOT_IN_EPHIOS,
  'stand_in.*': NOT_IN_EPHIOS,
  'stand_in_person.*': NOT_IN_EPHIOS,
  'swap.*': NOT_IN_EPHIOS,
  'waiting_line.*': NOT_IN_EPHIOS,
  'forecast_quality.*': DERIVED,
  'shift_forecast.*': DERIVED,
  'shift_pickup.*': DERIVED,
  'translated_text.*': NOT_IN_EPHIOS,
  'waiting_entry.*': NOT_IN_EPHIOS,
  'removed_shift.*': NOT_IN_EPHIOS,
  'removed_participation.*': NOT_IN_EPHIOS,
  'removed_row.*': NOT_IN_EPHIOS,
  'inquiry.*': NOT_IN_EPHIOS,
  'inquiry_person.*': NOT_IN_EPHIOS,
  'webhook.*': NOT_IN_EPHIOS,
  'webhook_queue.*': NOT_IN_EPHIOS,
  'webhook_delivery.*': NOT_IN_EPHIOS,
  'push_key.*': NOT_IN_EPHIOS,
  'moved_in_row.*': 'holds rows without a counterpart, which are compared with their source',
  'notification.actor_id': NOT_IN_EPHIOS,
  'notification.attempts': 'mails are not sent again',
  'notification.bundle': GENERATED,
  'notification.claimed_at': 'mails are not sent again',
  'notification.about_id': 'imported people have no guardians',
  'notification.guest_id': 'guests get mails only',
  'notification.mail_reason': GENERATED,
  'notification.message_id': GENERATED,
  'notification.sent_at': 'mails are not sent again',
  'notification.source': GENERATED,
  'notification.visitor_id': NOT_IN_EPHIOS,
  'oauth_application.allowed_scopes': 'every scope, as on ephios',
  'oauth_application.last_used_at': NOT_IN_EPHIOS,
  'oauth_consent.granted_at': IMPORT_TIME,
  'oauth_consent.last_used_at': NOT_IN_EPHIOS,
  'oauth_grant.created_at': IMPORT_TIME,
  'oauth_grant.expires_at': NOT_IN_EPHIOS,
  'oauth_grant.id': GENERATED,
  'oauth_grant.id_hash': GENERATED,
  'oauth_grant.payload': GENERATED,
  'oauth_grant.revoked_at': NOT_IN_EPHIOS,
  'oauth_object.grant_id': GENERATED,
  'oauth_object.uid_hash': NOT_IN_EPHIOS,
  'oauth_object.used_at': NOT_IN_EPHIOS,
  'oauth_signing_key.*': GENERATED,
  'one_time_link.*': NOT_IN_EPHIOS,
  'participation.created_at': IMPORT_TIME,
  'participation.end_time': DERIVED,
  'participation.event_id': DERIVED,
  'participation.listed_audience_id': DERIVED,
  'participation.start_time': DERIVED,
  'participation.modified_at': NOT_IN_EPHIOS,
  'participation.brought_by_id': NOT_IN_EPHIOS,
  'participation.version': NOT_IN_EPHIOS,
  'participation_abroad.*': NOT_IN_EPHIOS,
  'guest_copy.*': NOT_IN_EPHIOS,
  'guest_updates.*': NOT_IN_EPHIOS,
  'host_updates.*': NOT_IN_EPHIOS,
  'partner_event.*': NOT_IN_EPHIOS,
  'partner_event_opening.*': NOT_IN_EPHIOS,
  'partner_hours.*': NOT_IN_EPHIOS,
  'partner_objection.*': NOT_IN_EPHIOS,
  'visitor_objection.*': NOT_IN_EPHIOS,
  'permission.*': 'the names of all permissions, created by a migration',
  'place_basis.*': DERIVED,
  'qualification_category.rank': NOT_IN_EPHIOS,
  'qualification_closure.*': DERIVED,
  'qualification_proof.*': NOT_IN_EPHIOS,
  'question.version': NOT_IN_EPHIOS,
  'resource.version': NOT_IN_EPHIOS,
  'resource_category.version': NOT_IN_EPHIOS,
  'idempotency_key.*': NOT_IN_EPHIOS,
  'work_limit.*': NOT_IN_EPHIOS,
  'weekly_time.*': NOT_IN_EPHIOS,
  'day_period.*': NOT_IN_EPHIOS,
  'private_calendar.*': NOT_IN_EPHIOS,
  'busy_time.*': NOT_IN_EPHIOS,
  'fill_weight.*': NOT_IN_EPHIOS,
  'fill_run.*': NOT_IN_EPHIOS,
  'fill_place.*': NOT_IN_EPHIOS,
  'session.*': 'users sign in again',
  'setting.changed_at': IMPORT_TIME,
  'shift.confirmed_count': DERIVED,
  'shift.free': DERIVED,
  'shift.listed_audience_id': DERIVED,
  'shift.max_count': DERIVED,
  'shift.min_count': DERIVED,
  'shift.missing': DERIVED,
  'shift.requested_count': DERIVED,
  'shift.shortfall': DERIVED,
  'shift.stats_stale': DERIVED,
  'sign_in_attempt.*': NOT_IN_EPHIOS,
  'user_profile.created_at': IMPORT_TIME,
  'user_profile.deleted_at': NOT_IN_EPHIOS,
  'user_profile.username': 'derived from the name for people who share an address',
  'user_profile.contact_email': 'the address, for people who share it',
  'guardianship.*': NOT_IN_EPHIOS,
  'user_profile.enabled_notifications': NOT_IN_EPHIOS,
  'user_profile.password_changed_at': NOT_IN_EPHIOS,
  'user_profile.reminder_hours': NOT_IN_EPHIOS,
  'user_profile.quiet_hours': NOT_IN_EPHIOS,
  'qualification.valid_months': NOT_IN_EPHIOS,
  'notification.quiet_until': NOT_IN_EPHIOS,
  'user_profile.shows_phone': NOT_IN_EPHIOS,
  'user_profile.emergency_name': NOT_IN_EPHIOS,
  'user_profile.emergency_phone': NOT_IN_EPHIOS,
  'profile_picture.*': NOT_IN_EPHIOS,
  'email_change.*': NOT_IN_EPHIOS,
  'email_failure.*': NOT_IN_EPHIOS,
  'mail_state.*': NOT_IN_EPHIOS,
  'stored_file.*': NOT_IN_EPHIOS,
  'viewing.*': NOT_IN_EPHIOS,
  'visitor.language': NOT_IN_EPHIOS,
  'visitor.refreshed_at': NOT_IN_EPHIOS,
  'visitor.remote_id': NOT_IN_EPHIOS,
  'visitor_session.*': NOT_IN_EPHIOS,
  'working_hours.request_id': NOT_IN_EPHIOS,
  'user_profile.modified_at': NOT_IN_EPHIOS,
  'working_hours.version': NOT_IN_EPHIOS,
}
