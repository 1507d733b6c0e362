import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ImportContext, type Target } from './import-context.ts'
import { makeMappers, type SourceLookups } from './mappers.ts'
import type { SourceRow } from './values.ts'

const NOW = '2031-05-01T10:00:00.000Z'
const [START, END] = ['2031-05-04 06:00:00+00', '2031-05-04 10:00:00+00']
const UUID = 'a0000000-0000-4000-8000-000000000011'

const LOOKUPS: SourceLookups = {
  names: {
    permissions: new Map([
      [1, 'core.view_event'],
      [2, 'someplugin.add_thing'],
      [3, 'auth.publish_event_for_group'],
      [4, 'core.view_userprofile'],
      [5, 'core.change_event'],
    ]),
    contentTypes: new Map([
      [1, 'core.event'],
      [2, 'auth.group'],
      [3, 'core.userprofile'],
      [4, 'core.qualificationgrant'],
      [5, 'core.workinghours'],
    ]),
  },
  requestTimes: new Map(),
  restrictedTypes: new Set(),
  duplicates: new Set([66]),
  eventOfShare: new Map([[1, 1]]),
  shiftOfAllocation: new Map([[1, 1]]),
  endOfEvent: new Map([
    [1, NOW],
    [2, '2031-05-01T10:00:00.001Z'],
  ]),
  shiftOfQuestionnaire: new Map([[1, 1]]),
  clientIds: new Map([[1, 'app']]),
  guestOfToken: new Map([[3, 1]]),
  applicationsOfHosts: new Set(),
  scopesOfRefresh: new Map([[1, 'ME_READ']]),
}

/** A valid row of each table. */
const ROWS: Record<string, SourceRow> = {
  qualificationcategory: { id: 1, uuid: UUID, title: 'Medical', show_with_user: true },
  qualification: { id: 1, uuid: UUID, title: 'Medic', category_id: 1, abbreviation: 'M', is_imported: false },
  qualification_includes: { id: 1, from_qualification_id: 1, to_qualification_id: 2 },
  auth_group: { id: 1, name: 'Helpers' },
  userprofile: {
    id: 1,
    email: 'ann@example.org',
    email_invalid: false,
    display_name: 'Ann',
    preferred_language: 'de',
    password: '!',
    date_of_birth: null,
    phone: '',
    calendar_token: '',
    disabled_notifications: '[]',
    is_active: true,
    is_visible: true,
  },
  auth_group_permissions: { id: 1, group_id: 1, permission_id: 1 },
  userprofile_user_permissions: { id: 1, userprofile_id: 1, permission_id: 1 },
  workinghours: { id: 1, user_id: 1, hours: '2.5', reason: 'Repairs', date: '2031-04-01' },
  consequence: { id: 1, user_id: 1, slug: 'ephios.grant_working_hours', data: '{}', state: 'executed' },
  core_identityprovider: {
    id: 1,
    label: 'Keycloak',
    internal_name: 'keycloak',
    client_id: 'us',
    client_secret: '',
    authorization_endpoint: 'https://id.example/auth',
    token_endpoint: 'https://id.example/token',
    qualification_codename_to_uuid: '{}',
  },
  eventtype: { id: 1, title: 'Duty', color: '#aabbcc', show_participant_data: 0, default_description: null },
  eventtypepreference: { id: 1, instance_id: 1, name: 'visible_for', raw_value: '1' },
  complexsignup_buildingblock: { id: 1, uuid: UUID, name: 'Ambulance', block_type: 'atomic', allow_more: false },
  complexsignup_position: { id: 1, block_id: 1, label: 'Driver', optional: false },
  complexsignup_blockcomposition: { id: 1, composite_block_id: 1, sub_block_id: 2, label: '', optional: false },
  complexsignup_blockqualificationrequirement: { id: 1, block_id: 1, everyone: false, at_least: 1 },
  event: { id: 1, type_id: 1, title: 'Marathon', description: null, location: 'Town', active: true },
  guardian_groupobjectpermission: { id: 1, group_id: 1, permission_id: 1, content_type_id: 1, object_pk: '1' },
  guardian_userobjectpermission: { id: 1, user_id: 1, permission_id: 1, content_type_id: 1, object_pk: '1' },
  shift: {
    id: 1,
    event_id: 1,
    meeting_time: START,
    start_time: START,
    end_time: END,
    label: '',
    signup_flow_slug: 'manual',
    signup_flow_configuration: '{}',
    structure_slug: 'uniform',
    structure_configuration: '{}',
  },
  eventautoqualification_eventautoqualificationconfiguration: {
    id: 1,
    event_id: 1,
    qualification_id: 1,
    mode: 1,
    expiration_date: null,
    extend_only: false,
    needs_confirmation: false,
  },
  federation_federatedguest: { id: 1, name: 'North', url: 'https://north.example', client_id: 'c', client_secret: 's' },
  federation_invitecode: { id: 1, code: 'code', url: 'https://north.example', created_at: '2031-04-30 00:00:00+00' },
  federation_federateduser: { id: 1, federated_instance_id: 1, email: 'v@north.example', display_name: 'Vic', created_at: START },
  federation_federatedhost: { id: 1, name: 'South', url: 'https://south.example', access_token: 't', oauth_application_id: 1 },
  guests_eventguestshare: { id: 1, event_id: 1, token: 'link', active: true },
  guests_guestuser: {
    id: 1,
    event_id: 1,
    email: 'gus@example.org',
    display_name: 'Gus',
    date_of_birth: '1990-01-01',
    phone: '',
    access_token: 'own link',
    created_at: START,
  },
  abstractparticipation: { id: 1, state: 1, shift_id: 1, user_id: 1, structure_data: '{}', finished: false },
  core_participationcomment: { id: 1, participation_id: 1, text: 'late', visible_for: 1, created_at: START },
  api_application: {
    id: 1,
    client_id: 'app',
    client_secret: 'hash',
    name: 'App',
    redirect_uris: 'https://app.example/cb',
    client_type: 'confidential',
    authorization_grant_type: 'authorization-code',
    user_id: 1,
    created: START,
  },
  api_accesstoken: {
    id: 1,
    token: 'token',
    scope: 'ME_READ',
    user_id: 1,
    application_id: null,
    created: START,
    expires: null,
    revoked: false,
    description: 'Script',
  },
  api_refreshtoken: {
    id: 1,
    token: 'refresh',
    created: '2031-04-20 00:00:00+00',
    revoked: null,
    user_id: 1,
    application_id: 1,
    access_token_id: 1,
  },
  modellogging_logentry: {
    id: 1,
    content_type_id: 1,
    content_object_id: 7,
    attached_to_object_type_id: 1,
    attached_to_object_id: 8,
    user_id: 1,
    datetime: START,
    action_type: 'change',
    request_id: null,
    data: '{"a":1}',
  },
  dynamic_preferences_globalpreferencemodel: { id: 1, name: 'organization_name', raw_value: 'We' },
  pages_page: {
    id: 1,
    title: 'Help',
    slug: 'help',
    content: 'Text',
    show_in_footer: false,
    publicly_visible: true,
  },
  core_notification: {
    id: 1,
    user_id: 1,
    slug: 'ephios_custom_event_notification',
    data: '{"event_id":1,"content":"Hello"}',
    created_at: '2031-04-20 00:00:00+00',
    read: false,
  },
  simpleresource_resourcecategory: { id: 1, name: 'Vehicles', icon: 'car' },
  simpleresource_resource: { id: 1, category_id: 1, title: 'Van' },
  questionnaires_question: { id: 1, name: 'Size', question_text: 'Which size?', description: '', type: 'text', choices: '[]' },
  questionnaires_answer: { id: 1, participation_id: 1, question_id: 1, answer: '"L"' },
  files_document: { id: 1, title: 'Plan', file: 'plan.pdf', uploader_id: 1, updated_at: START },
}

/** Knows every row but those with these ids. */
class KnownRows extends ImportContext {
  readonly #missing: readonly number[]
  constructor(missing: readonly number[]) {
    super({
      secrets: {
        hash: (secret) => `#${secret}`,
        hashClientSecret: (secret) => `client#${secret}`,
        seal: (secret) => `sealed ${secret}`,
        isKnownHash: (hash) => hash.startsWith('known'),
      },
      now: NOW,
      language: 'en',
    })
    this.#missing = missing
    this.shiftTimes.set(1, [Date.parse('2031-05-04T06:00:00Z'), Date.parse('2031-05-04T10:00:00Z')])
  }
  override has(_table: string, id: unknown): id is number {
    return typeof id === 'number' && !this.#missing.includes(id)
  }
}

/** Maps rows, each with these changes of the valid row. Ids from 900 do not exist. */
function mapRows(source: string, ...changes: SourceRow[]): { targets: Target[]; notes: string[]; context: ImportContext } {
  const context = new KnownRows([900, 901, 902])
  const mappers = makeMappers(LOOKUPS)
  const mapper = mappers.find((each) => each.source === source)!
  if (source.startsWith('complexsignup_'))
    for (const [id, block_type] of [
      [1, source === 'complexsignup_blockcomposition' ? 'composite' : 'atomic'],
      [2, 'composite'],
    ] as const)
      mappers
        .find((each) => each.source === 'complexsignup_buildingblock')!
        .map({ ...ROWS.complexsignup_buildingblock, id, block_type, uuid: `${UUID.slice(0, -1)}${id + 7}` }, context)
  const targets = changes.flatMap((change) => mapper.map({ ...ROWS[source]!, ...change }, context))
  const notes = context.notes.map(({ table, id, outcome, reason }) => `${table} ${id} ${outcome}: ${reason}`)
  return { targets, notes, context }
}

test('valid rows are mapped without a note', () => {
  for (const source of Object.keys(ROWS)) {
    const { targets, notes } = mapRows(source, {})
    assert.deepEqual(notes, [], source)
    assert.ok(targets.length > 0, source)
  }
})

describe('texts are cut to what our columns hold', () => {
  const LIMITS: [source: string, column: string, target: string, length: number, change?: SourceRow][] = [
    ['qualificationcategory', 'title', 'title', 254],
    ['qualification', 'title', 'title', 254],
    ['qualification', 'abbreviation', 'abbreviation', 254],
    ['auth_group', 'name', 'name', 150],
    ['userprofile', 'email', 'email', 254],
    ['userprofile', 'display_name', 'display_name', 254],
    ['userprofile', 'phone', 'phone', 254],
    ['workinghours', 'reason', 'reason', 1024],
    ['core_identityprovider', 'client_id', 'client_id', 255],
    ['core_identityprovider', 'internal_name', 'internal_name', 255],
    ['core_identityprovider', 'label', 'label', 255],
    ['core_identityprovider', 'scopes', 'scopes', 255],
    ['core_identityprovider', 'token_endpoint', 'token_endpoint', 500],
    ['core_identityprovider', 'group_claim', 'group_claim', 254],
    ['core_identityprovider', 'qualification_claim', 'qualification_claim', 254],
    ['eventtype', 'title', 'title', 254],
    ['complexsignup_buildingblock', 'name', 'name', 255],
    ['complexsignup_position', 'label', 'label', 255],
    ['complexsignup_blockcomposition', 'label', 'label', 255],
    ['event', 'title', 'title', 254],
    ['event', 'location', 'location', 254],
    ['shift', 'label', 'label', 255],
    ['shift', 'signup_flow_slug', 'signup_flow_slug', 50],
    ['shift', 'structure_slug', 'structure_slug', 50],
    ['federation_federatedguest', 'name', 'name', 254],
    ['federation_federatedguest', 'url', 'url', 200],
    ['federation_federatedguest', 'client_id', 'client_id', 255],
    ['federation_invitecode', 'url', 'url', 200],
    ['federation_federateduser', 'email', 'email', 254],
    ['federation_federateduser', 'display_name', 'display_name', 254],
    ['federation_federateduser', 'phone', 'phone', 254],
    ['federation_federatedhost', 'name', 'name', 254],
    ['federation_federatedhost', 'url', 'url', 200],
    ['guests_guestuser', 'email', 'email', 254],
    ['guests_guestuser', 'display_name', 'display_name', 254],
    ['guests_guestuser', 'phone', 'phone', 254],
    ['abstractparticipation', 'display_name', 'placeholder_name', 240, { user_id: null }],
    ['core_participationcomment', 'text', 'text', 255],
    ['api_application', 'name', 'name', 255],
    ['api_accesstoken', 'description', 'description', 1000],
    ['modellogging_logentry', 'request_id', 'request_id', 100],
    ['pages_page', 'title', 'title', 250],
    ['pages_page', 'slug', 'slug', 250],
    ['pages_page', 'content', 'content', 100_000],
    ['simpleresource_resourcecategory', 'name', 'name', 50],
    ['simpleresource_resourcecategory', 'icon', 'icon', 50],
    ['simpleresource_resource', 'title', 'title', 100],
    ['questionnaires_question', 'name', 'name', 50],
    ['questionnaires_question', 'question_text', 'text', 250],
    ['files_document', 'title', 'title', 255],
    ['files_document', 'file', 'source_path', 1000],
  ]
  for (const [source, column, target, length, change = {}] of LIMITS)
    test(`${source}.${column}: ${length} characters`, () => {
      for (const wanted of [length, length + 1]) {
        const { targets } = mapRows(source, { ...change, [column]: 'x'.repeat(wanted) })
        assert.equal(String(targets.at(-1)!.values[target]).length, length)
      }
    })

  test('messages to the participants of an event: 200 characters of the subject, 10,000 of the text', () => {
    const data = JSON.stringify({ event_id: 1, subject: 's'.repeat(201), content: 't'.repeat(10_001) })
    const [message] = mapRows('core_notification', { data }).targets
    assert.deepEqual([String(message!.values.subject).length, String(message!.values.text).length], [200, 10_000])
  })
})

describe('an unusual row', () => {
  type Case = [source: string, what: string, changes: SourceRow[], notes: string[], values: (Target['values'] | undefined)[]]
  const CASES: Case[] = [
    [
      'qualificationcategory',
      'without a title and uuid',
      [{ title: '', uuid: null, id: 7 }],
      [
        'qualificationcategory 7 repaired: missing or duplicate uuid replaced by #qualifi-cati-4nca-8ego-ry 7',
        'qualificationcategory 7 repaired: empty title replaced by “No. 7”',
      ],
      [{ title: 'No. 7', uuid: '#qualifi-cati-4nca-8ego-ry 7' }],
    ],
    [
      'qualification',
      'without a title and uuid',
      [{ title: ' \0'.trim(), uuid: 'x', id: 7 }],
      [
        'qualification 7 repaired: missing or duplicate uuid replaced by #qualifi-cati-4n 7-8-',
        'qualification 7 repaired: empty title replaced by “No. 7”',
      ],
      [{ title: 'No. 7' }],
    ],
    [
      'qualification_includes',
      'that closes a circle',
      [{}, { id: 2, from_qualification_id: 2, to_qualification_id: 1 }],
      ['qualification_includes 2 skipped: qualification 2 would include itself through 1'],
      [{ qualification_id: 1, included_id: 2 }],
    ],
    [
      'auth_group',
      'without a name, or with the name of another',
      [{}, { id: 2 }, { id: 3, name: '' }, { id: 4, name: 'n'.repeat(150) }, { id: 5, name: 'n'.repeat(150) }],
      [
        'auth_group 2 repaired: invalid or duplicate name replaced by “Helpers (No. 2)”',
        'auth_group 3 repaired: invalid or duplicate name replaced by “Group 3”',
        `auth_group 5 repaired: invalid or duplicate name replaced by “${'n'.repeat(120)} (No. 5)”`,
      ],
      [
        { id: 1, name: 'Helpers' },
        { id: 2, name: 'Helpers (No. 2)' },
        { name: 'Group 3' },
        { name: 'n'.repeat(150) },
        { name: `${'n'.repeat(120)} (No. 5)` },
      ],
    ],
    [
      'userprofile',
      'with invalid values',
      [{ email: '', display_name: ' ', preferred_language: 'ja', date_of_birth: '1990-02-30', phone: null }],
      [
        'userprofile 1 repaired: invalid email address replaced by person-1@invalid',
        'userprofile 1 repaired: invalid name replaced by “person-1”',
        'userprofile 1 repaired: unsupported language ja replaced by en',
        'userprofile 1 repaired: invalid date of birth removed',
      ],
      [{ email: 'person-1@invalid', display_name: 'person-1', preferred_language: 'en', date_of_birth: null, phone: null }],
    ],
    [
      'userprofile',
      'without a language and birthday',
      [
        { preferred_language: null, date_of_birth: null },
        { id: 2, email: 'b@example.org', preferred_language: 'en-gb' },
      ],
      ['userprofile 1 repaired: unsupported language (empty) replaced by en'],
      [{ preferred_language: 'en' }, { preferred_language: 'en' }],
    ],
    [
      'userprofile',
      'with the address of another, in other letters',
      [{}, { id: 2, email: 'ANN@example.org', display_name: 'Ben' }],
      ['userprofile 2 repaired: shares ANN@example.org, which stays the contact address; signs in as ben'],
      [
        { email: 'ann@example.org', email_invalid: false, username: null, contact_email: null },
        { email_invalid: true, username: 'ben', contact_email: 'ANN@example.org' },
      ],
    ],
    [
      'userprofile',
      'with the calendar link of another, or a list that is none',
      [
        { calendar_token: 'cal' },
        { id: 2, email: 'b@example.org', calendar_token: 'cal', disabled_notifications: '{}' },
        { id: 3, email: 'c@example.org', disabled_notifications: 'broken', is_visible: null },
        { id: 4, email: 'd@example.org', disabled_notifications: '["a"]', is_visible: false, email_invalid: true },
      ],
      [],
      [
        { calendar_token_hash: '#cal', calendar_token_sealed: 'sealed cal' },
        { calendar_token_hash: null, calendar_token_sealed: null, disabled_notifications: { json: '[]' } },
        { calendar_token_hash: null, disabled_notifications: { json: '[]' }, is_visible: true },
        { disabled_notifications: { json: '[]' }, is_visible: false, email_invalid: true },
      ],
    ],
    [
      'userprofile',
      'with a hash that nobody knows',
      [{ password: `${'h'.repeat(31)}$1` }, { id: 2, email: 'b@example.org', password: 'known$1' }],
      [`userprofile 1 repaired: password hashed by ${'h'.repeat(30)} cannot be checked and is removed; a reset sets a new one`],
      [{ password_hash: null }, { password_hash: 'known$1' }],
    ],
    [
      'userprofile_user_permissions',
      'of an extension or without a permission',
      [{ permission_id: 2 }, { id: 2, permission_id: 99 }, { id: 3 }],
      [
        'userprofile_user_permissions 1 skipped: permission someplugin.add_thing of user No. 1 belongs to an extension',
        'userprofile_user_permissions 2 skipped: refers to a permission that does not exist',
      ],
      [{ user_id: 1, permission: 'view_event' }],
    ],
    [
      'guardian_groupobjectpermission',
      'without a permission or kind of object',
      [{ permission_id: 99, content_type_id: 99 }],
      ['guardian_groupobjectpermission 1 skipped: permission (unknown) of group No. 1 on (unknown) belongs to an extension'],
      [],
    ],
    [
      'guardian_groupobjectpermission',
      'with permissions that groups can have',
      [
        { permission_id: 5 },
        { permission_id: 3, content_type_id: 2, object_pk: '4' },
        { permission_id: 4, content_type_id: 3, object_pk: '5' },
      ],
      [],
      [
        { event_id: 1, group_id: 1, permission: 'change' },
        { group_id: 1, target_group_id: 4, permission: 'publish_event_for_group' },
        { user_id: 5, group_id: 1 },
      ],
    ],
    [
      'guardian_userobjectpermission',
      'with permissions that only groups can have',
      [
        { permission_id: 3, content_type_id: 2 },
        { permission_id: 4, content_type_id: 3, object_pk: '5' },
        { permission_id: 1, content_type_id: 3 },
        { permission_id: 4, content_type_id: 1 },
      ],
      [
        'guardian_userobjectpermission 1 skipped: permission publish_event_for_group of user No. 1 on auth.group belongs to an extension',
        'guardian_userobjectpermission 1 skipped: permission view_event of user No. 1 on core.userprofile belongs to an extension',
        'guardian_userobjectpermission 1 skipped: permission view_userprofile of user No. 1 on core.event belongs to an extension',
      ],
      [{ user_id: 5, viewer_id: 1 }],
    ],
    [
      'workinghours',
      'with impossible hours or days',
      [
        { hours: '99999.99' },
        { id: 2, hours: '-99999.99' },
        { id: 3, hours: '100000' },
        { id: 4, hours: '-100000' },
        { id: 5, hours: 'NaN' },
        { id: 6, date: '2031-02-30' },
      ],
      [3, 4, 5, 6].map((id) => `workinghours ${id} skipped: has no valid hours or date`),
      [{ hours: '99999.99' }, { hours: '-99999.99' }],
    ],
    [
      'consequence',
      'of an extension, or with invalid data or state',
      [
        { slug: 'someplugin.grant_medal' },
        { id: 2, data: '[]' },
        { id: 3, state: 'lost' },
        { id: 4, state: 'needs_confirmation', slug: 'ephios.grant_qualification' },
        { id: 5, state: 'failed' },
        { id: 6, state: 'denied' },
      ],
      [
        'consequence 1 skipped: requests of the kind someplugin.grant_medal belong to an extension',
        'consequence 2 skipped: has no valid data or state',
        'consequence 3 skipped: has no valid data or state',
      ],
      [{ kind: 'qualification', state: 'open' }, { kind: 'working_hours', state: 'failed' }, { state: 'refused' }],
    ],
    [
      'core_identityprovider',
      'without client id or endpoints',
      [{ client_id: '' }, { id: 2, authorization_endpoint: ' ' }, { id: 3, token_endpoint: null }],
      [1, 2, 3].map((id) => `core_identityprovider ${id} skipped: has no client id or no endpoints`),
      [],
    ],
    [
      'core_identityprovider',
      'with the name of another, or without names',
      [{}, { id: 2, label: ' ', client_secret: 'secret' }, { id: 3, internal_name: '', qualification_codename_to_uuid: '[]' }],
      ['core_identityprovider 2 repaired: duplicate internal name replaced'],
      [
        { internal_name: 'keycloak', enabled: true, client_secret_sealed: null, scopes: 'openid profile email', jwks_uri: null },
        { internal_name: 'provider-2', label: 'Provider 2', client_secret_sealed: 'sealed secret' },
        { internal_name: 'provider-3', userinfo_endpoint: null, end_session_endpoint: null, qualification_uuids: { json: '{}' } },
      ],
    ],
    [
      'core_identityprovider',
      'with qualifications that are not texts',
      [{ qualification_codename_to_uuid: `{"a":"${UUID.toUpperCase()}","b":7}` }],
      [],
      [{ qualification_uuids: { json: JSON.stringify({ a: UUID }) } }],
    ],
    [
      'eventtype',
      'with another colour and visibility',
      [
        { color: 'red', show_participant_data: 4 },
        { id: 2, show_participant_data: 1 },
        { id: 3, show_participant_data: 2, title: '' },
      ],
      [
        'eventtype 1 repaired: invalid colour replaced by grey',
        'eventtype 1 repaired: invalid visibility of participants replaced by “responsibles only”',
        'eventtype 3 repaired: empty title replaced by “No. 3”',
      ],
      [
        { color: '#343a40', show_participant_data: 2 },
        { color: '#aabbcc', show_participant_data: 1 },
        { show_participant_data: 2 },
      ],
    ],
    [
      'eventtypepreference',
      'with references that do not exist, or of an extension',
      [{ raw_value: '5,900,901' }, { id: 2, name: 'weather' }, { id: 3, raw_value: '902', name: 'responsible_users' }],
      [
        'eventtypepreference 1 repaired: refers to auth_group 900, 901, which does not exist',
        'eventtypepreference 2 skipped: preference weather belongs to an extension',
        'eventtypepreference 3 repaired: refers to userprofile 902, which does not exist',
      ],
      [{ event_type_id: 1, group_id: 5, role: 'audience' }],
    ],
    [
      'complexsignup_buildingblock',
      'of another type, without name and uuid',
      [{ id: 7, block_type: 'quantum', name: '', uuid: null }],
      [
        'complexsignup_buildingblock 7 repaired: unknown block type quantum replaced by atomic',
        'complexsignup_buildingblock 7 repaired: missing or duplicate uuid replaced by #complex-sign-4p_b-8ild-ingblock 7',
        'complexsignup_buildingblock 7 repaired: empty name replaced by “No. 7”',
      ],
      [{ block_type: 'atomic', name: 'No. 7' }],
    ],
    [
      'complexsignup_position',
      'in a block of blocks',
      [{ block_id: 2 }],
      ['complexsignup_position 1 skipped: belongs to block 2, which is not atomic'],
      [],
    ],
    [
      'complexsignup_blockcomposition',
      'in a block without blocks, or in itself',
      [{ composite_block_id: 3 }, { id: 2 }, { id: 3, composite_block_id: 2, sub_block_id: 1 }],
      [
        'complexsignup_blockcomposition 1 skipped: belongs to block 3, which is not composite',
        'complexsignup_blockcomposition 3 skipped: block 2 would contain itself through 1',
      ],
      [{ id: 2, block_id: 1, sub_block_id: 2 }],
    ],
    [
      'complexsignup_blockqualificationrequirement',
      'with a negative number or none',
      [{ at_least: -1 }, { at_least: null }, { at_least: 2 }],
      [],
      [{ at_least: 0 }, { at_least: 0 }, { at_least: 2 }],
    ],
    ['event', 'without a title', [{ title: '' }], ['event 1 repaired: empty title replaced by “No. 1”'], [{ title: 'No. 1' }]],
    [
      'shift',
      'with impossible times',
      [
        { end_time: null },
        { id: 2, meeting_time: '2031-05-04 06:00:01+00' },
        { id: 3, end_time: '2031-05-04 06:00:00+00' },
        { id: 4, end_time: '2031-05-03 06:00:00.001+00' },
        { id: 5, end_time: '2031-05-03 06:00:00+00' },
        { id: 6, meeting_time: '2031-05-04 08:00:00+02' },
      ],
      [
        'shift 1 skipped: has no valid start or end',
        'shift 2 repaired: meeting time after the start replaced by the start',
        'shift 3 repaired: end before the start moved to the next day',
        'shift 4 repaired: end before the start moved to the next day',
        'shift 5 repaired: end long before the start replaced by one hour after the start',
      ],
      [
        { id: 2, meeting_time: START, end_time: END },
        { end_time: '2031-05-05T06:00:00.000Z' },
        { end_time: '2031-05-04T06:00:00.001Z' },
        { end_time: '2031-05-04T07:00:00.000Z' },
        { meeting_time: '2031-05-04 08:00:00+02' },
      ],
    ],
    [
      'shift',
      'without flow and structure',
      [{ signup_flow_slug: '', signup_flow_configuration: '', structure_slug: null, structure_configuration: '7' }],
      [
        'shift 1 repaired: empty signup_flow_slug replaced by “unknown”',
        'shift 1 repaired: invalid signup_flow_configuration replaced by {}',
        'shift 1 repaired: empty structure_slug replaced by “unknown”',
        'shift 1 repaired: invalid structure_configuration replaced by {}',
      ],
      [
        {
          signup_flow_slug: 'unknown',
          signup_flow_configuration: { json: '{}' },
          structure_slug: 'unknown',
          structure_configuration: { json: '{}' },
        },
      ],
    ],
    [
      'eventautoqualification_eventautoqualificationconfiguration',
      'of another mode',
      [
        { mode: 9, needs_confirmation: null },
        { id: 2, event_id: 2, mode: null, extend_only: true },
        { id: 3, event_id: 3, mode: 2 },
        { id: 4, event_id: 4, mode: 3, expiration_date: 'infinity' },
      ],
      [
        'eventautoqualification_eventautoqualificationconfiguration 1 repaired: unknown mode 9 replaced by “any shift”',
        'eventautoqualification_eventautoqualificationconfiguration 2 repaired: unknown mode (empty) replaced by “any shift”',
      ],
      [
        { mode: 'any', needs_decision: true, recipients: 'all', applied_at: NOW },
        { mode: 'any', needs_decision: false, recipients: 'holding', applied_at: null },
        { mode: 'every', applied_at: null },
        { mode: 'last', expires_at: null },
      ],
    ],
    [
      'federation_federatedguest',
      'without a name',
      [{ name: ' ' }],
      [],
      [{ name: 'https://north.example', client_secret_sealed: 'sealed s' }],
    ],
    [
      'federation_invitecode',
      'without a time or a code of its own',
      [{}, { id: 2 }, { id: 3, code: '' }, { id: 4, code: 'other', created_at: 'soon' }],
      [2, 3, 4].map((id) => `federation_invitecode ${id} skipped: has no valid time or no unique code`),
      [{ code_hash: '#code', code_sealed: 'sealed code', expires_at: '2031-05-02T00:00:00.000Z' }],
    ],
    [
      'federation_federateduser',
      'without name, phone, birthday and time',
      [{ display_name: '', phone: '', date_of_birth: 'x', created_at: null }],
      [],
      [{ display_name: 'Visitor 1', phone: null, date_of_birth: null, created_at: NOW }],
    ],
    [
      'federation_federatedhost',
      'without its application',
      [{ oauth_application_id: 900, name: '' }],
      [
        'federation_federatedhost 1 repaired: its OAuth application does not exist; connect the instances again before people can sign up there',
      ],
      [{ application_id: null, name: 'https://south.example', access_token_sealed: 'sealed t' }],
    ],
    [
      'guests_eventguestshare',
      'without a link of its own',
      [{}, { id: 2, event_id: 2 }, { id: 3, event_id: 3, token: '' }],
      [2, 3].map((id) => `guests_eventguestshare ${id} skipped: has no unique link`),
      [{ token_hash: '#link', token_sealed: 'sealed link', active: true }],
    ],
    [
      'guests_guestuser',
      'without birthday, or without a link of its own',
      [
        {},
        { id: 2, email: 'b@example.org' },
        { id: 3, email: 'c@example.org', access_token: '', display_name: '' },
        { id: 4, date_of_birth: null },
        { id: 5, email: 'GUS@example.org' },
      ],
      [
        'guests_guestuser 2 repaired: has no unique link; it needs a new one',
        'guests_guestuser 3 repaired: has no unique link; it needs a new one',
        'guests_guestuser 4 skipped: has no valid date of birth',
        'guests_guestuser 5 skipped: is a duplicate',
      ],
      [
        { access_token_hash: '#own link', access_token_sealed: 'sealed own link', phone: null },
        { access_token_hash: '#sealed unused link', access_token_sealed: null },
        { access_token_sealed: null, display_name: 'Guest 3' },
      ],
    ],
    [
      'abstractparticipation',
      'without one participant, with another state, or twice',
      [
        { user_id: null },
        { id: 2, guest_user_id: 1 },
        { id: 3, display_name: 'Some' },
        { id: 4, user_id: 900 },
        { id: 5, state: null },
        { id: 66 },
      ],
      [
        'abstractparticipation 1 skipped: has no participant',
        'abstractparticipation 2 skipped: has several participants',
        'abstractparticipation 3 skipped: has several participants',
        'abstractparticipation 4 skipped: refers to userprofile 900, which does not exist',
        'abstractparticipation 5 skipped: has the unknown state (empty)',
        'abstractparticipation 66 skipped: the same person has a higher-ranked participation in shift 1',
      ],
      [],
    ],
    [
      'abstractparticipation',
      'with individual times in the wrong order',
      [
        { individual_start_time: '2031-05-04 09:00:00+00', individual_end_time: '2031-05-04 08:00:00+00' },
        { id: 2, individual_start_time: '2031-05-04 11:00:00+00', individual_end_time: null },
        { id: 3, individual_start_time: null, individual_end_time: '2031-05-04 05:00:00+00' },
        { id: 4, individual_start_time: '2031-05-04 10:00:00+00', individual_end_time: 'x', structure_data: '' },
      ],
      [
        ...[1, 2, 3].map(
          (id) => `abstractparticipation ${id} repaired: individual end before the start; replaced by the times of the shift`,
        ),
        'abstractparticipation 4 repaired: invalid structure_data replaced by {}',
      ],
      [
        ...[1, 2, 3].map((id) => ({ id, individual_start_time: null, individual_end_time: null })),
        { individual_start_time: '2031-05-04 10:00:00+00', individual_end_time: null, structure_data: { json: '{}' } },
      ],
    ],
    [
      'abstractparticipation',
      'of a placeholder with the name of another',
      [
        { user_id: null, display_name: 'Fire' },
        { id: 2, user_id: null, display_name: 'Fire' },
        { id: 3, user_id: null, display_name: ' Fire' },
        { id: 4, user_id: null, display_name: 'Fire', shift_id: 1 },
      ],
      [
        'abstractparticipation 2 repaired: duplicate name “Fire” in the shift replaced by “Fire (2)”',
        'abstractparticipation 3 repaired: invalid name replaced by “Fire”',
        'abstractparticipation 3 repaired: duplicate name “Fire” in the shift replaced by “Fire (3)”',
        'abstractparticipation 4 repaired: duplicate name “Fire” in the shift replaced by “Fire (4)”',
      ],
      ['Fire', 'Fire (2)', 'Fire (3)', 'Fire (4)'].map((placeholder_name) => ({ kind: 'placeholder', placeholder_name })),
    ],
    [
      'core_participationcomment',
      'without a text, or with another visibility',
      [{ text: ' ' }, { id: 2, visible_for: 3 }, { id: 3, created_at: null, authored_by_responsible_id: 900 }],
      [
        'core_participationcomment 1 skipped: is empty',
        'core_participationcomment 2 repaired: invalid visibility replaced by “responsibles only”',
      ],
      [
        { id: 2, visible_for: 0, author_kind: 'participant', author_id: null },
        { visible_for: 1, author_kind: 'responsible', author_id: null, created_at: NOW },
      ],
    ],
    [
      'api_application',
      'without a client id, or of another type',
      [
        { client_id: '' },
        {
          id: 2,
          client_id: 'b',
          client_type: 'public',
          skip_authorization: true,
          post_logout_redirect_uris: 'https://b.example/ org.b:/x',
        },
        { id: 3, client_id: 'c', authorization_grant_type: 'implicit', name: '', hash_client_secret: false, user_id: 900 },
      ],
      [
        'api_application 1 skipped: has no client id',
        'api_application 3 repaired: clients with implicit are not supported; disabled',
      ],
      [
        {
          disabled_at: null,
          client_secret_hash: '',
          created_by_id: 1,
          purpose: 'client',
          is_public: true,
          require_pkce: true,
          trusted: false,
          post_logout_redirect_uris: ['https://b.example/', 'org.b:/x'],
        },
        { disabled_at: NOW, client_secret_hash: 'client#hash', created_by_id: null, is_public: false, require_pkce: false },
      ],
    ],
    [
      'api_accesstoken',
      'that is empty or nobody owns',
      [
        { token: '' },
        { id: 2, token: 'b', user_id: null },
        { id: 3, token: 'c', user_id: null },
        { id: 4, token: 'd', revoked: true, created: null, scope: 'a ME_READ b' },
      ],
      [
        'api_accesstoken 1 skipped: is empty',
        'api_accesstoken 2 skipped: has no owner',
        'api_accesstoken 4 repaired: unknown scope a, b removed',
      ],
      [
        { kind: 'federation', federated_guest_id: 1, scopes: [], revoked_at: null },
        { kind: 'personal', scopes: ['ME_READ'], revoked_at: NOW, created_at: NOW },
      ],
    ],
    [
      'api_refreshtoken',
      'without its access token',
      [{ id: 2 }],
      ['api_refreshtoken 2 skipped: its access token does not exist'],
      [],
    ],
    [
      'modellogging_logentry',
      'without a time, or of another action',
      [{ datetime: 'x' }, { id: 2, action_type: 'archive', user_id: null, request_id: 'r\0' }, { id: 3, content_type_id: 99 }],
      ['modellogging_logentry 1 skipped: has no valid time'],
      [
        { kind: 'imported.changed', actor_kind: 'system', actor_id: null, request_id: 'r', event_id: 8, subject_id: 7 },
        { actor_kind: 'user', actor_id: 1, subject_kind: 'unknown', request_id: null },
      ],
    ],
    [
      'dynamic_preferences_globalpreferencemodel',
      'with a long name of the organisation',
      [{ raw_value: 'x'.repeat(101) }],
      ['dynamic_preferences_globalpreferencemodel 1 repaired: organisation name cut to 100 characters'],
      [{ name: 'organization_name', value: { json: JSON.stringify('x'.repeat(100)) } }],
    ],
    [
      'pages_page',
      'without slug or title, or with a long text',
      [
        { slug: '' },
        { id: 2, title: ' ', content: 'x'.repeat(100_001), show_in_footer: true },
        { id: 3, slug: 'imprint', content: 'x'.repeat(30_001) },
        { id: 4, slug: 'privacy', content: 'x'.repeat(30_000) },
        { id: 5, slug: 'long', content: 'x'.repeat(100_000), publicly_visible: false },
        { id: 6, slug: 'long' },
      ],
      [
        'pages_page 1 skipped: has no slug',
        'pages_page 2 repaired: longer than 100000 characters, cut',
        'pages_page 3 repaired: longer than 30000 characters, cut for the imprint page',
        'pages_page 6 skipped: is a duplicate',
      ],
      [
        { title: 'help', in_footer: true, is_public: true },
        { name: 'imprint' },
        { name: 'privacy' },
        { in_footer: false, is_public: false },
      ],
    ],
    ['simpleresource_resourcecategory', 'without a name', [{ name: ' ' }], [], [{ name: 'Category 1' }]],
    ['simpleresource_resource', 'without a title', [{ title: '' }], [], [{ title: 'Resource 1' }]],
    [
      'questionnaires_question',
      'of another type, without name and text',
      [
        { type: 'slider', name: ' ', question_text: '', choices: '7' },
        { id: 2, type: null, choices: 'broken', required: true, archived: true, use_saved_answers: true },
        { id: 3, type: 'single', choices: '["A","",7]' },
      ],
      [
        'questionnaires_question 1 repaired: unknown type slider replaced by text',
        'questionnaires_question 2 repaired: unknown type (empty) replaced by text',
      ],
      [
        { kind: 'text', name: 'Question 1', text: 'Question 1', choices: { json: '[]' }, required: false },
        { kind: 'text', choices: { json: '[]' }, required: true, archived: true, use_saved_answers: true },
        { kind: 'single', choices: { json: '["A","7"]' }, archived: false, use_saved_answers: false },
      ],
    ],
    [
      'questionnaires_answer',
      'that is empty',
      [
        { answer: '""' },
        { id: 2, question_id: 2, answer: '[""]' },
        { id: 3, question_id: 3, answer: '7' },
        { id: 4, question_id: 4, answer: ' ["S"]' },
      ],
      [1, 2, 3].map((id) => `questionnaires_answer ${id} skipped: is empty`),
      [{ value: { json: '["S"]' } }],
    ],
    [
      'files_document',
      'without title, path and uploader',
      [{ title: ' ', file: '', uploader_id: 900, updated_at: null }],
      [],
      [{ title: 'File 1', source_path: null, uploader_id: null, created_at: NOW }],
    ],
  ]
  for (const [source, what, changes, notes, expected] of CASES)
    test(`of ${source} ${what}`, () => {
      const mapped = mapRows(source, ...changes)
      assert.deepEqual(mapped.notes, notes)
      const actual = mapped.targets.map(({ values }, n) =>
        Object.fromEntries(Object.keys(expected[n] ?? {}).map((column) => [column, values[column]])),
      )
      assert.deepEqual(actual, expected)
    })
})
