import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canSwitchOff, wants } from '#features/messaging/notifications/rules/channels.ts'
import { isKnownHash } from '#platform/auth/passwords.ts'
import { columnsOf } from '#test/support/ephios/database.ts'
import { EPHIOS_SETTINGS } from '#test/support/ephios/tables.ts'
import { KINDS } from '#test/support/notification-kinds.ts'
import { makeEventTypeMappers } from './catalogue-mappers.ts'
import { COMMENT_MAPPER, makeParticipationMapper, rankOf, SHIFT_MAPPER } from './event-mappers.ts'
import { ImportContext, type TableMapper, type Target } from './import-context.ts'
import { makeJournalMapper } from './journal-mapper.ts'
import { NOTIFICATION_CONVERSIONS, NOTIFICATION_MAPPER, SWITCHABLE_SLUGS } from './notification-mapper.ts'
import { makeObjectPermissionMapper } from './permission-mappers.ts'
import { makeResourceMappers } from './resource-mappers.ts'
import { PAGE_MAPPER, SETTING_MAPPER, SETTING_PLACES } from './settings-mapper.ts'
import { findIgnored, findUnknownColumns, IGNORED_TABLES, PARTICIPATION, PUSH_TABLE, SOURCE_COLUMNS } from './source-columns.ts'
import { makeRefreshTokenMapper, makeTokenMapper } from './token-mappers.ts'
import { makeUserMappers } from './user-mappers.ts'
import type { SourceRow } from './values.ts'

const secrets = {
  hash: (text: string) => `#${text}`,
  hashClientSecret: (text: string) => `client#${text}`,
  seal: (text: string) => `sealed ${text}`,
  isKnownHash,
}
const NOW = '2031-05-01T10:00:00.000Z'

/** A context in which these rows were imported. */
function makeContext(known: Record<string, number[]> = {}): ImportContext {
  const context = new ImportContext({ secrets, now: NOW, language: 'de' })
  for (const [table, ids] of Object.entries(known)) for (const id of ids) context.add(table, id)
  return context
}

const USERS = {
  names: { permissions: new Map<number, string>(), contentTypes: new Map<number, string>() },
  requestTimes: new Map(),
}

const notesOf = (context: ImportContext) => context.notes.map(({ outcome, reason }) => `${outcome}: ${reason}`)
const valuesOf = ([target]: Target[]) => target?.values
const findMapper = (mappers: readonly TableMapper[], source: string) => mappers.find((mapper) => mapper.source === source)!

const [START, END] = ['2031-05-04 06:00:00+00', '2031-05-04 10:00:00+00']
const SHIFT: SourceRow = {
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
}

test('shifts: impossible times are repaired', () => {
  const CASES: [
    change: SourceRow,
    expected: { start?: string; end?: string; meeting?: string } | undefined,
    note: RegExp | undefined,
  ][] = [
    [{}, { end: END, meeting: START }, undefined],
    [{ end_time: '2031-05-04 02:00:00+00' }, { end: '2031-05-05T02:00:00.000Z' }, /moved to the next day/],
    [{ end_time: START }, { end: '2031-05-05T06:00:00.000Z' }, /moved to the next day/],
    [{ end_time: '2031-05-03 06:00:00+00' }, { end: '2031-05-04T07:00:00.000Z' }, /one hour after the start/],
    [{ meeting_time: '2031-05-04 07:00:00+00' }, { meeting: START }, /replaced by the start/],
    [{ meeting_time: null }, { meeting: START }, undefined],
    [{ start_time: null }, undefined, /skipped: has no valid start or end/],
    [{ end_time: 'infinity' }, undefined, /skipped: has no valid start or end/],
    [{ event_id: 2 }, undefined, /skipped: refers to event 2/],
    [{ structure_slug: '' }, { end: END }, /empty structure_slug replaced by “unknown”/],
    [{ structure_configuration: '[]' }, { end: END }, /invalid structure_configuration replaced by {}/],
  ]
  for (const [change, expected, note] of CASES) {
    const context = makeContext({ event: [1] })
    const values = valuesOf(SHIFT_MAPPER.map({ ...SHIFT, ...change }, context))
    assert.equal(values === undefined, expected === undefined)
    if (expected?.end) assert.equal(values!.end_time, expected.end)
    if (expected?.meeting) assert.equal(values!.meeting_time, expected.meeting)
    assert.match(notesOf(context).join('; '), note ?? /^$/)
    assert.equal(context.has('shift', 1), expected !== undefined)
  }
})

test('participations: need one participant and a known state, otherwise they are skipped with a note', () => {
  const row = {
    id: 5,
    state: 1,
    shift_id: 1,
    structure_data: '{}',
    finished: false,
    individual_start_time: null,
    individual_end_time: null,
  }
  const noParticipant = { user_id: null, display_name: null, guest_user_id: null, federated_user_id: null }
  const CASES: [change: SourceRow, kind: string | undefined, note: RegExp | undefined][] = [
    [{ user_id: 7 }, 'local', undefined],
    [{ guest_user_id: 8 }, 'guest', undefined],
    [{ federated_user_id: 9 }, 'visitor', undefined],
    [{ display_name: 'Feuerwehr' }, 'placeholder', undefined],
    [{ display_name: ' ' }, 'placeholder', /replaced by “Placeholder”/],
    [{ user_id: 7, state: 4 }, 'local', undefined],
    [{ user_id: 7, state: 5 }, undefined, /unknown state 5/],
    [{ user_id: 7, state: null }, undefined, /unknown state \(empty\)/],
    [{ user_id: 70 }, undefined, /refers to userprofile 70/],
    [{ user_id: 7, display_name: 'Feuerwehr' }, undefined, /has several participants/],
    [{}, undefined, /has no participant/],
    [{ user_id: 7, shift_id: 2 }, undefined, /refers to shift 2/],
    [{ user_id: 7, id: 6 }, undefined, /higher-ranked participation in shift 1/],
    [{ user_id: 7, structure_data: '3' }, 'local', /invalid structure_data replaced by {}/],
    [{ user_id: 7, individual_end_time: '2031-05-04 05:00:00+00' }, 'local', /individual end before the start/],
  ]
  for (const [change, kind, note] of CASES) {
    const context = makeContext({ shift: [1], userprofile: [7], guests_guestuser: [8], federation_federateduser: [9] })
    context.shiftTimes.set(1, [Date.parse('2031-05-04T06:00:00Z'), Date.parse('2031-05-04T10:00:00Z')])
    const values = valuesOf(makeParticipationMapper(new Set([6])).map({ ...row, ...noParticipant, ...change }, context))
    assert.equal(values?.kind, kind, JSON.stringify(change))
    assert.match(notesOf(context).join('; '), note ?? /^$/)
  }
})

test('participations: paths of units end with a dot, and everything else in the data stays as it is', () => {
  for (const [stored, expected] of [
    ['{"dispatched_unit_path": "root.a.16."}', '{"dispatched_unit_path": "root.a.16."}'],
    ['{"dispatched_unit_path": "root.a.16"}', '{"dispatched_unit_path": "root.a.16."}'],
    [
      '{"preferred_unit_path":"root.a", "n": 1.50, "dispatched_unit_path":""}',
      '{"preferred_unit_path":"root.a.", "n": 1.50, "dispatched_unit_path":""}',
    ],
    ['{"preferred_team_uuid": "root.a", "note": "x"}', '{"preferred_team_uuid": "root.a", "note": "x"}'],
  ] as const) {
    const context = makeContext({ shift: [1], userprofile: [7] })
    context.shiftTimes.set(1, [0, 1])
    const row = { id: 5, state: 1, shift_id: 1, user_id: 7, structure_data: stored }
    assert.deepEqual(valuesOf(makeParticipationMapper(new Set()).map(row, context))!.structure_data, { json: expected })
  }
})

test('participations rank: confirmed, requested, rejected, declined, getting dispatched', () => {
  assert.deepEqual([5, 4, 2, 3, 0, 1].map(rankOf), [-1, 0, 1, 2, 3, 4])
})

test('comments: an invalid visibility becomes the lowest one', () => {
  const map = (change: SourceRow) => {
    const context = makeContext({ abstractparticipation: [1], userprofile: [2] })
    const row = { id: 1, participation_id: 1, text: 'spät', visible_for: 2, authored_by_responsible_id: null, created_at: START }
    return [valuesOf(COMMENT_MAPPER.map({ ...row, ...change }, context)), notesOf(context)] as const
  }
  assert.equal(map({})[0]!.visible_for, 2)
  assert.deepEqual([map({ visible_for: 9 })[0]!.visible_for, map({ visible_for: 9 })[1].length], [0, 1])
  assert.deepEqual(map({ text: ' ' }), [undefined, ['skipped: is empty']])
  const gone = map({ authored_by_responsible_id: 77 })[0]!
  assert.deepEqual([gone.author_kind, gone.author_id], ['responsible', null])
})

test('users: hashes that can be checked are imported, unusable ones and others are not', () => {
  const map = (password: string) => {
    const context = makeContext()
    const row = { id: 1, email: 'a@example.org', display_name: 'A', preferred_language: 'de', password }
    const users = findMapper(makeUserMappers(USERS), 'userprofile')
    return [valuesOf(users.map(row, context))!.password_hash, notesOf(context)]
  }
  for (const hash of [
    'argon2$argon2id$v=19$m=102400,t=2,p=8$c2FsdHNhbHQ$aGFzaA',
    'pbkdf2_sha256$1000$salt$aGFzaA==',
    'scrypt$16384$salt$8$5$aGFzaA==',
  ])
    assert.deepEqual(map(hash), [hash, []])
  for (const none of ['', '!', '!abc']) assert.deepEqual(map(none), [null, []])
  assert.deepEqual(map('bcrypt_sha256$$2b$12$abc'), [
    null,
    ['repaired: password hashed by bcrypt_sha256 cannot be checked and is removed; a reset sets a new one'],
  ])
})

test('users: active ones are counted, and those of them without a password', () => {
  const users = findMapper(makeUserMappers(USERS), 'userprofile')
  const context = makeContext()
  const CASES: [is_active: boolean, password: string][] = [
    [true, 'pbkdf2_sha256$1000$salt$aGFzaA=='],
    [true, '!'],
    [true, ''],
    [false, '!'],
  ]
  for (const [id, [is_active, password]] of CASES.entries())
    users.map({ id, email: `${id}@example.org`, display_name: 'A', preferred_language: 'de', password, is_active }, context)
  assert.deepEqual([context.facts.activeUsers, context.facts.usersWithoutPassword], [3, 2])
})

test('permissions: known ones are imported once, others are skipped with a note', () => {
  const names = {
    permissions: new Map([
      [1, 'core.add_event'],
      [2, 'files.view_document'],
      [4, 'someplugin.add_thing'],
      [3, 'core.view_event'],
    ]),
    contentTypes: new Map([
      [1, 'core.event'],
      [2, 'files.document'],
    ]),
  }
  const context = makeContext({ auth_group: [1], event: [10] })
  const global = findMapper(makeUserMappers({ ...USERS, names }), 'auth_group_permissions')
  const onObject = makeObjectPermissionMapper('guardian_groupobjectpermission', names)
  const ROWS: [mapper: TableMapper, row: SourceRow, values: Target['values'] | undefined, note: string | undefined][] = [
    [global, { id: 1, group_id: 1, permission_id: 1 }, { group_id: 1, permission: 'add_event' }, undefined],
    [global, { id: 2, group_id: 1, permission_id: 1 }, undefined, 'skipped: is a duplicate'],
    [
      global,
      { id: 3, group_id: 1, permission_id: 4 },
      undefined,
      'skipped: permission someplugin.add_thing of group No. 1 belongs to an extension',
    ],
    [global, { id: 4, group_id: 1, permission_id: 99 }, undefined, 'skipped: refers to a permission that does not exist'],
    [global, { id: 5, group_id: 2, permission_id: 1 }, undefined, 'skipped: refers to auth_group 2, which does not exist'],
    [
      onObject,
      { id: 1, group_id: 1, permission_id: 3, content_type_id: 1, object_pk: '10' },
      { event_id: 10, group_id: 1, permission: 'view' },
      undefined,
    ],
    [
      onObject,
      { id: 2, group_id: 1, permission_id: 3, content_type_id: 1, object_pk: '11' },
      undefined,
      'skipped: refers to event 11, which does not exist',
    ],
    [
      onObject,
      { id: 3, group_id: 1, permission_id: 4, content_type_id: 2, object_pk: '1' },
      undefined,
      'skipped: permission add_thing of group No. 1 on files.document belongs to an extension',
    ],
  ]
  for (const [mapper, row, values, note] of ROWS) {
    const before = context.notes.length
    assert.equal(mapper.omit!(row, context), undefined)
    assert.deepEqual(valuesOf(mapper.map(row, context)), values)
    assert.equal(notesOf(context)[before], note)
  }
  const useless = { id: 6, group_id: 1, permission_id: 2, content_type_id: 2, object_pk: '1' }
  for (const mapper of [global, onObject]) assert.equal(mapper.omit!(useless, context)?.detail, 'files.view_document')
})

test('permissions: those of the form for groups have a counterpart', () => {
  const MODELS = {
    'core.event': 'event',
    'core.eventtype': 'event_type',
    'core.userprofile': 'user',
    'core.qualification': 'qualification',
    'auth.group': 'group',
    'questionnaires.question': 'question',
  }
  const CASES: [name: string, permission: string][] = [
    ...Object.entries(MODELS).flatMap(([model, name]) =>
      ['view', 'add', 'change', 'delete'].map((action): [string, string] => [
        model.replace('.', `.${action}_`),
        `${action}_${name}`,
      ]),
    ),
    ['auth.publish_event_for_group', 'publish_event_for_group'],
    ['auth.decide_workinghours_for_group', 'decide_working_hours_for_group'],
    ['complexsignup.change_buildingblock', 'change_building_block'],
    ['modellogging.view_logentry', 'view_journal'],
    ...['add', 'change', 'delete'].flatMap((action): [string, string][] => [
      [`files.${action}_document`, `${action}_file`],
      [`pages.${action}_page`, `${action}_page`],
      [`simpleresource.${action}_resource`, `${action}_resource`],
    ]),
    ['simpleresource.view_resourcecategory', 'view_resource'],
  ]
  const names = { permissions: new Map(CASES.map(([name], id) => [id, name])), contentTypes: new Map() }
  const mapper = findMapper(makeUserMappers({ ...USERS, names }), 'auth_group_permissions')
  for (const [id, [name, permission]] of CASES.entries()) {
    const row = { id, group_id: 1, permission_id: id }
    const context = makeContext({ auth_group: [1] })
    assert.equal(mapper.omit!(row, context), undefined, name)
    assert.deepEqual(valuesOf(mapper.map(row, context)), { group_id: 1, permission })
  }
})

test('permissions: others of ephios are not needed, those of extensions are kept', () => {
  const APPS = ['admin', 'api', 'auth', 'complexsignup', 'contenttypes', 'core', 'dynamic_preferences']
  const MODULES = ['eventautoqualification', 'federation', 'files', 'guardian', 'guests', 'modellogging', 'pages']
  const all = [...APPS, ...MODULES, 'questionnaires', 'sessions', 'simpleresource', 'someplugin', '']
  const names = { permissions: new Map(all.map((app, id) => [id, `${app}.add_thing`])), contentTypes: new Map() }
  const mapper = findMapper(makeUserMappers({ ...USERS, names }), 'userprofile_user_permissions')
  for (const [id, app] of all.entries()) {
    const context = makeContext()
    context.setName('userprofile', 1, 'Maria')
    const omission = mapper.omit!({ id, userprofile_id: 1, permission_id: id }, context)
    if (app === 'someplugin' || app === '') assert.equal(omission, undefined)
    else
      assert.deepEqual(omission, {
        what: 'Permissions without a counterpart',
        why: 'what they allowed is part of other permissions here, or for administrators only',
        detail: `${app}.add_thing`,
        holder: 'user “Maria”',
      })
  }
  assert.equal(mapper.omit!({ id: 1, userprofile_id: 1, permission_id: 999 }, makeContext()), undefined)
})

test('tokens: the owner decides about the kind; an invalid expiry time means expired', () => {
  const mapper = makeTokenMapper({ guestOfToken: new Map([[3, 30]]), applicationsOfHosts: new Set(), scopesOfRefresh: new Map() })
  const row = {
    id: 1,
    token: 'a',
    scope: 'ME_READ ME_READ openid sudo',
    user_id: 1,
    application_id: null,
    created: START,
    expires: null,
    revoked: false,
  }
  const context = makeContext({ userprofile: [1], api_application: [2], federation_federatedguest: [30] })
  const personal = valuesOf(mapper.map(row, context))!
  assert.deepEqual(
    [personal.kind, personal.scopes, personal.token_hash, personal.expires_at],
    ['personal', ['ME_READ'], '#a', null],
  )
  assert.deepEqual(notesOf(context), ['repaired: unknown scope sudo removed'])
  const oauth = mapper.map({ ...row, id: 2, token: 'b', application_id: 2 }, context)
  assert.deepEqual(
    oauth.map(({ table }) => table),
    ['oauth_grant', 'oauth_consent', 'access_token'],
  )
  const second = mapper.map({ ...row, id: 4, token: 'c', application_id: 2 }, context)
  assert.deepEqual(
    [second.length, second[0]!.values.grant_id],
    [1, oauth[2]!.values.grant_id],
    'one grant per user and application',
  )
  assert.equal(valuesOf(mapper.map({ ...row, id: 3, token: 'd', user_id: null }, context))!.federated_guest_id, 30)
  assert.deepEqual(mapper.map({ ...row, id: 5, token: 'e', user_id: null }, context), [])
  assert.deepEqual(mapper.map({ ...row, id: 6, token: 'a' }, context), [])
  assert.equal(valuesOf(mapper.map({ ...row, id: 7, token: 'f', expires: 'infinity' }, context))!.expires_at, NOW)
})

test('tokens: all scopes stay; a token of an application that does not exist is skipped', () => {
  const scopes = ['PUBLIC_READ', 'PUBLIC_WRITE', 'ME_READ', 'ME_WRITE', 'CONFIDENTIAL_READ', 'CONFIDENTIAL_WRITE']
  const mapper = makeTokenMapper({ guestOfToken: new Map([[3, 30]]), applicationsOfHosts: new Set(), scopesOfRefresh: new Map() })
  const row = { id: 1, token: 'a', scope: scopes.join(' '), user_id: 1, application_id: 2, created: START, expires: null }
  const context = makeContext({ userprofile: [1], api_application: [2] })
  const [grant, consent, token] = mapper.map(row, context)
  assert.deepEqual([grant!.values.scopes, consent!.values.scopes, token!.values.scopes], [scopes, scopes, scopes])
  assert.deepEqual(JSON.parse((grant!.values.payload as { json: string }).json), {
    kind: 'Grant',
    openid: { scope: scopes.join(' ') },
  })
  assert.deepEqual(mapper.map({ ...row, id: 2, token: 'b', application_id: 9 }, context), [])
  assert.deepEqual(mapper.map({ ...row, id: 3, token: 'c', user_id: null }, context), [], 'its instance was not imported')
  assert.deepEqual(notesOf(context), ['skipped: refers to api_application 9, which does not exist', 'skipped: has no owner'])
})

test('refresh tokens: are valid for 90 days and keep what the application may do', () => {
  const lookups = {
    guestOfToken: new Map(),
    applicationsOfHosts: new Set<number>(),
    scopesOfRefresh: new Map([[1, 'ME_READ ME_WRITE']]),
  }
  const mapper = makeRefreshTokenMapper(lookups, new Map([[2, 'theApp']]))
  const row = { id: 1, token: 'r', created: '2031-01-31 10:00:00+00', revoked: null, user_id: 1, application_id: 2 }
  const context = makeContext({ userprofile: [1], api_application: [2] })
  assert.equal(mapper.omit!(row, context), undefined, 'it expires now')
  assert.deepEqual(mapper.omit!({ ...row, created: '2031-01-31 09:59:59+00' }, context), {
    what: 'Refresh tokens that were revoked or have expired',
    why: 'no application can use them',
  })
  const values = mapper.map(row, context).at(-1)!.values
  const created = Date.parse('2031-01-31T10:00:00Z') / 1000
  assert.deepEqual([values.id_hash, values.expires_at], ['#r', NOW])
  assert.deepEqual(JSON.parse((values.payload as { json: string }).json), {
    kind: 'RefreshToken',
    iat: created,
    exp: Date.parse(NOW) / 1000,
    accountId: '1',
    clientId: 'theApp',
    scope: 'ME_READ ME_WRITE',
    gty: 'authorization_code',
    iiat: created,
    rotations: 0,
    expiresWithSession: false,
  })
})

test('refresh tokens: only valid ones are imported', () => {
  const lookups = {
    guestOfToken: new Map(),
    applicationsOfHosts: new Set<number>(),
    scopesOfRefresh: new Map([
      [1, 'ME_READ'],
      [2, 'ME_READ'],
      [3, 'ME_READ'],
    ]),
  }
  const mapper = makeRefreshTokenMapper(lookups, new Map([[2, 'theApp']]))
  const row = {
    id: 1,
    token: 'r',
    created: '2031-04-20 00:00:00+00',
    revoked: null,
    user_id: 1,
    application_id: 2,
    access_token_id: 1,
  }
  const CASES: [change: SourceRow, note: string | undefined][] = [
    [{}, undefined],
    [{ id: 2, revoked: START }, 'omitted'],
    [{ id: 3, created: '2030-01-01 00:00:00+00' }, 'omitted'],
    [{ id: 4 }, 'skipped: its access token does not exist'],
    [{ user_id: 9 }, 'skipped: refers to userprofile 9, which does not exist'],
  ]
  for (const [change, note] of CASES) {
    const context = makeContext({ userprofile: [1], api_application: [2] })
    const isOmitted = mapper.omit!({ ...row, ...change }, context) !== undefined
    const targets = isOmitted ? [] : mapper.map({ ...row, ...change }, context)
    assert.deepEqual(
      [isOmitted ? 'omitted' : notesOf(context)[0], targets.some(({ table }) => table === 'oauth_object')],
      [note, note === undefined],
    )
  }
})

test('event types: invalid values are replaced', () => {
  const mapper = findMapper(makeEventTypeMappers(new Set([2])), 'eventtype')
  const row = { id: 1, title: 'Dienst', color: '#aabbcc', show_participant_data: 3, default_description: null }
  const context = makeContext()
  assert.deepEqual(valuesOf(mapper.map(row, context))!.color, '#aabbcc')
  assert.deepEqual(notesOf(context), [])
  const odd = valuesOf(mapper.map({ ...row, id: 2, color: 'red', show_participant_data: 8, title: '' }, context))!
  assert.deepEqual([odd.color, odd.show_participant_data, odd.title, odd.visible_for_all_groups], ['#343a40', 2, 'No. 2', false])
  assert.equal(context.notes.length, 3)
})

test('the log: entries about users are stored as personal data', () => {
  const mapper = makeJournalMapper({
    permissions: new Map(),
    contentTypes: new Map([
      [1, 'core.event'],
      [2, 'core.userprofile'],
      [3, 'core.localparticipation'],
    ]),
  })
  const row = {
    id: 1,
    content_object_id: 7,
    content_type_id: 1,
    attached_to_object_id: 7,
    attached_to_object_type_id: 1,
    user_id: null,
    datetime: START,
    action_type: 'delete',
    request_id: null,
    data: '{"a":[1,2]}',
  }
  const map = (change: SourceRow) => valuesOf(mapper.map({ ...row, ...change }, makeContext()))
  const event = map({})!
  assert.deepEqual([event.kind, event.subject_kind, event.event_id, event.personal], ['imported.deleted', 'event', 7, null])
  const person = map({ content_type_id: 2, attached_to_object_type_id: 2 })!
  assert.deepEqual([person.changes, person.person_id, person.personal], [{ json: '{}' }, 7, { json: '{"a":[1,2]}' }])
  assert.equal(map({ content_type_id: 3 })!.subject_kind, 'participation')
  assert.equal(map({ content_type_id: 99 })!.subject_kind, 'unknown')
  assert.equal(map({ datetime: null }), undefined)
  assert.deepEqual(map({ data: 'broken' })!.changes, { json: '{}' })
})

test('the log: what an entry is about, and whose personal data it holds', () => {
  const models = [
    'core.event',
    'core.userprofile',
    'core.qualificationgrant',
    'core.workinghours',
    'auth.group',
    'core.eventtype',
    'core.localparticipation',
    'core.placeholderparticipation',
    'guests.guestparticipation',
    'federation.federatedparticipation',
    'complexsignup.buildingblock',
    'core.Shift',
    'core.odd-name',
    'core.consequence',
    'files.document',
    'simpleresource.resourcecategory',
    'core.qualificationcategory',
    'core.identityprovider',
    'api.application',
    'guests.guestuser',
    'federation.federateduser',
    'federation.federatedguest',
    'federation.federatedhost',
    'federation.invitecode',
  ]
  const mapper = makeJournalMapper({ permissions: new Map(), contentTypes: new Map(models.map((model, id) => [id, model])) })
  type Person = { id: number | null } | undefined
  const CASES: [model: string, attached: string, subject: string, person: Person][] = [
    ['core.event', 'core.event', 'event', undefined],
    ['core.event', 'core.userprofile', 'event', { id: 8 }],
    ['core.userprofile', 'core.event', 'user', { id: 7 }],
    ['core.userprofile', 'core.userprofile', 'user', { id: 8 }],
    ['core.qualificationgrant', 'core.userprofile', 'qualification_grant', { id: 8 }],
    ['core.qualificationgrant', 'core.event', 'qualification_grant', { id: null }],
    ['core.workinghours', 'core.event', 'working_hours', { id: null }],
    ['auth.group', 'auth.group', 'group', undefined],
    ['core.eventtype', 'core.eventtype', 'event_type', undefined],
    ['core.localparticipation', 'core.event', 'participation', { id: null }],
    ['core.consequence', 'core.event', 'consequence', { id: null }],
    ['files.document', 'files.document', 'attachment', undefined],
    ['simpleresource.resourcecategory', 'core.event', 'resource_category', undefined],
    ['core.qualificationcategory', 'core.event', 'qualification_category', undefined],
    ['core.identityprovider', 'core.event', 'identity_provider', undefined],
    ['api.application', 'core.event', 'oauth_application', undefined],
    ['guests.guestuser', 'core.event', 'guest', undefined],
    ['federation.federateduser', 'core.event', 'visitor', undefined],
    ['federation.federatedguest', 'core.event', 'federated_guest', undefined],
    ['federation.federatedhost', 'core.event', 'federated_host', undefined],
    ['federation.invitecode', 'core.event', 'invite_code', undefined],
    ['core.placeholderparticipation', 'core.event', 'participation', undefined],
    ['guests.guestparticipation', 'core.event', 'participation', undefined],
    ['federation.federatedparticipation', 'core.event', 'participation', undefined],
    ['complexsignup.buildingblock', 'complexsignup.buildingblock', 'building_block', undefined],
    ['core.Shift', 'core.event', 'shift', undefined],
    ['core.odd-name', 'core.event', 'unknown', undefined],
  ]
  for (const [model, attached, subject, person] of CASES) {
    const row = {
      id: 1,
      content_object_id: 7,
      content_type_id: models.indexOf(model),
      attached_to_object_id: 8,
      attached_to_object_type_id: models.indexOf(attached),
      user_id: 3,
      datetime: START,
      action_type: 'create',
      request_id: null,
      data: '{"a":[1,2]}',
    }
    const values = valuesOf(mapper.map(row, makeContext()))!
    assert.deepEqual(
      [values.kind, values.subject_kind, values.event_id],
      ['imported.created', subject, attached === 'core.event' ? 8 : null],
    )
    const [hidden, shown] = [{ json: '{}' }, { json: '{"a":[1,2]}' }]
    assert.deepEqual(
      [values.person_id, values.personal, values.changes],
      person ? [person.id, shown, hidden] : [null, null, shown],
      `${model} of ${attached}`,
    )
  }
})

test('settings: each has one place, and every place is of a setting', () => {
  const placesOf = (name: string) => Object.entries(SETTING_PLACES).filter(([, place]) => place.name.test(name))
  const places = EPHIOS_SETTINGS.map(([name]) => placesOf(name).map(([what]) => what))
  assert.deepEqual(
    places.filter((found) => found.length !== 1),
    [],
  )
  assert.deepEqual(places.flat().sort(), Object.keys(SETTING_PLACES).sort())
})

test('settings: values are taken over, explained, or left out', () => {
  const context = makeContext()
  const CASES: [name: string, raw_value: string | null, outcome: unknown][] = [
    ['organization_name', ' Wir ', { organization_name: 'Wir' }],
    ['organization_name', 'Andere', 'skipped: is a duplicate'],
    ['organization_name', ' ', 'it is empty'],
    ['organization_name', null, 'it is empty'],
    ['hide_login_form', 'True', { hide_local_sign_in: true }],
    ['redirect_to_sole_identity_provider', 'False', { redirect_to_provider: false }],
    ['enabled_plugins', '', /those that were switched on or have content are on \(Manage, Modules\)$/],
    [
      'enabled_plugins',
      'ephios.plugins.guests.apps.PluginApp,ephios.plugins.basesignupflows,my.medals',
      /guests\.apps\.PluginApp: guests on the page of an event; .*basesignupflows: part of events and shifts; my\.medals: an extension/,
    ],
    [
      'qualification_management_repos',
      'https://q.example/b.json',
      /import it under Manage, Qualifications \(https:\/\/q\.example\/b\.json\)/,
    ],
    ['login_redirect_to_sole_identity_provider', '', 'it is empty'],
    [
      'qualification_repository_urls',
      'https://q.example/a.json',
      /import it under Manage, Qualifications \(https:\/\/q\.example\/a\.json\)/,
    ],
    ['favourite_colour', 'blue', 'skipped: setting favourite_colour is not known; it may belong to an extension'],
  ]
  for (const [id, [name, raw_value, outcome]] of CASES.entries()) {
    const row = { id, name, raw_value }
    const why = SETTING_MAPPER.omit!(row, context)?.why
    const values = why ? undefined : valuesOf(SETTING_MAPPER.map(row, context))
    const stored = values && { [String(values.name)]: JSON.parse((values.value as { json: string }).json) }
    const actual = why ?? stored ?? notesOf(context).at(-1)
    if (outcome instanceof RegExp) assert.match(String(actual), outcome)
    else assert.deepEqual(actual, outcome, name)
  }
  assert.equal(context.facts.hidesLocalSignIn, true)
})

describe('notifications', () => {
  const known = { userprofile: [1], abstractparticipation: [5], event: [7], consequence: [9] }
  const row = { id: 3, user_id: 1, created_at: '2031-04-20 00:00:00+00', read: false }
  const slugs = Object.keys(NOTIFICATION_CONVERSIONS)

  test('of every kind that ephios and this version have in common are imported', () => {
    const imported = KINDS.flatMap((kind) => ('importedName' in kind ? [[kind.importedName, kind.name]] : []))
    for (const [slug, kind] of imported) assert.equal(NOTIFICATION_CONVERSIONS[slug!]?.kind, kind)
    const names = new Set<string>(KINDS.map(({ name }) => name))
    assert.deepEqual(
      slugs.filter((slug) => !names.has(NOTIFICATION_CONVERSIONS[slug]!.kind)),
      [],
    )
  })

  test('can be switched off here if ours of the same name can', () => {
    const ours = KINDS.flatMap((kind) => ('importedName' in kind && canSwitchOff(kind) ? [kind.importedName] : []))
    assert.deepEqual([...SWITCHABLE_SLUGS].sort(), ours.sort())
  })

  test('are neither mailed nor pushed again', () => {
    const data = '{"participation_id":5,"event_id":7,"consequence_id":9,"content":"Hello"}'
    for (const slug of slugs) {
      const context = makeContext(known)
      assert.equal(NOTIFICATION_MAPPER.omit!({ ...row, slug, data }, context), undefined, slug)
      const values = NOTIFICATION_MAPPER.map({ ...row, slug, data }, context).at(-1)!.values
      assert.deepEqual([values.mail, values.push, values.read_at], ['skipped', 'none', null], slug)
    }
  })

  const DATA: [slug: string, stored: object, values: Target['values'], data: object][] = [
    [
      'participation_state_changed',
      { participation_id: 5, participation_state: 1 },
      { participation_id: 5 },
      { from: null, to: 1 },
    ],
    ['participation_state_changed', { participation: 5, claimed_state: 2 }, { participation_id: 5 }, { from: null, to: 2 }],
    ['participation_state_changed', { participation: '5', state: 3 }, { participation_id: 5 }, { from: null, to: 3 }],
    ['participation_state_changed', { participation_id: 5 }, { participation_id: 5 }, { from: null }],
    ['participation_customized', { participation_id: 5 }, { participation_id: 5 }, {}],
    ['participation_awaits_disposition', { participation_id: 5 }, { participation_id: 5 }, { from: null, to: 0 }],
    [
      'participation_responsible_state_changed',
      { participation_id: 5, state: 1 },
      { participation_id: 5 },
      { from: null, to: 1, by: 'responsible' },
    ],
    ['participation_responsible_confirmed_declined', { participation_id: 5 }, { participation_id: 5 }, {}],
    ['participation_responsible_confirmed_customized', { participation_id: 5 }, { participation_id: 5 }, {}],
    ['profile_update', {}, {}, { what: 'profile', fields: [] }],
    ['custom_event_notification', { event_id: 7, content: 'Hello' }, { event_id: 7, message_id: 1 }, {}],
    ['custom_event_notification', { event: 7, text: 'Hello' }, { event_id: 7, message_id: 1 }, {}],
    ['custom_event_notification', { event: 7, content: ' ', message: 'Hello' }, { event_id: 7, message_id: 1 }, {}],
    ['custom_event_notification', { event: 7, content: 3, body: 'Hello' }, { event_id: 7, message_id: 1 }, {}],
    ['consequence_approved', { consequence_id: 9 }, {}, { outcome: 'granted', request_id: 9 }],
    ['consequence_denied', { consequence: 9 }, {}, { outcome: 'refused', request_id: 9 }],
  ]
  for (const [slug, stored, values, data] of DATA)
    test(`${slug} with ${JSON.stringify(stored)} keep what they are about`, () => {
      const source = { ...row, slug: `ephios_${slug}`, data: JSON.stringify(stored), read: true }
      const targets = NOTIFICATION_MAPPER.map(source, makeContext(known))
      const actual = targets.at(-1)!.values
      assert.deepEqual(JSON.parse((actual.data as { json: string }).json), data)
      assert.deepEqual(Object.fromEntries(Object.keys(values).map((name) => [name, actual[name]])), values)
      assert.deepEqual(
        [actual.source, actual.bundle, actual.read_at, actual.mail_reason, actual.attempts],
        ['import 3', 'import 3', row.created_at, 'imported', 0],
      )
      if (targets.length === 2) assert.deepEqual([targets[0]!.values.subject, targets[0]!.values.text], ['Hello', 'Hello'])
    })

  test('about something that does not exist are not mapped', () => {
    for (const [slug, stored] of [
      ['participation_customized', { participation_id: 6 }],
      ['consequence_denied', { consequence_id: 5 }],
      ['custom_event_notification', { event_id: 5, content: 'Hello' }],
      ['custom_event_notification', { event_id: 7, content: ' ' }],
      ['custom_event_notification', { event_id: 7.5, content: 'Hello' }],
    ] as const) {
      const source = { ...row, slug: `ephios_${slug}`, data: JSON.stringify(stored) }
      assert.deepEqual(NOTIFICATION_MAPPER.map(source, makeContext(known)), [])
      assert.deepEqual(NOTIFICATION_MAPPER.omit!(source, makeContext(known)), {
        what: 'Notifications about something that no longer exists',
        why: 'there is nothing to show',
      })
    }
  })

  test('that are left out have a reason and, if their kind does not exist here, its name', () => {
    const omissionOf = (change: SourceRow) =>
      NOTIFICATION_MAPPER.omit!({ ...row, slug: 'x'.repeat(101), ...change }, makeContext())
    assert.deepEqual(omissionOf({}), {
      what: 'Notifications of kinds that do not exist here',
      why: 'ephios sends them by mail, too',
      detail: 'x'.repeat(100),
    })
    assert.equal(omissionOf({ user_id: null })!.why, 'guests get mails only')
    assert.equal(omissionOf({ created_at: null })!.why, 'notifications are deleted after that time')
  })

  test('with a subject keep it', () => {
    for (const name of ['subject', 'title']) {
      const data = JSON.stringify({ event_id: 7, content: 'Bring boots', [name]: ' Boots ' })
      const [message] = NOTIFICATION_MAPPER.map({ ...row, slug: 'ephios_custom_event_notification', data }, makeContext(known))
      assert.deepEqual([message!.values.subject, message!.values.text], ['Boots', 'Bring boots'])
    }
  })

  const CASES: [what: string, change: SourceRow, reason: RegExp | undefined][] = [
    ['exactly 90 days old', { created_at: '2031-01-31 10:00:00+00' }, undefined],
    ['89 days old', { created_at: '2031-02-01 11:00:00+00' }, undefined],
    ['91 days old', { created_at: '2031-01-30 00:00:00+00' }, /older than 90 days/],
    ['without a time', { created_at: null }, /older than 90 days/],
    ['to a guest', { user_id: null }, /without an account/],
    ['to a user who does not exist', { user_id: 2 }, /no longer exists/],
    ['about a participation that does not exist', { data: '{"participation_id":6}' }, /no longer exists/],
    ['without valid data', { data: 'broken' }, /no longer exists/],
    ['of another kind', { slug: 'someplugin_birthday' }, /kinds that do not exist here/],
  ]
  for (const [what, change, reason] of CASES) {
    test(`${what}: ${reason ? 'not needed' : 'imported'}`, () => {
      const all = { ...row, slug: 'ephios_participation_state_changed', data: '{"participation_id":5}', ...change }
      const omission = NOTIFICATION_MAPPER.omit!(all, makeContext(known))
      if (reason) assert.match(omission!.what, reason)
      else assert.equal(omission, undefined)
    })
  }

  test('with the same message to several people share it', () => {
    const context = makeContext({ ...known, userprofile: [1, 2] })
    const message = { ...row, slug: 'ephios_custom_event_notification', data: '{"event_id":7,"content":"Bring boots\\nThanks"}' }
    const first = NOTIFICATION_MAPPER.map(message, context)
    const second = NOTIFICATION_MAPPER.map({ ...message, id: 4, user_id: 2 }, context)
    assert.deepEqual(
      [...first, ...second].map(({ table }) => table),
      ['event_message', 'notification', 'notification'],
    )
    assert.equal(first[0]!.values.subject, 'Bring boots')
    assert.equal(first[1]!.values.message_id, second[0]!.values.message_id)
  })
})

test('the first public imprint and privacy page become settings, other pages stay pages', () => {
  const page = (id: number, slug: string, content = 'Text', publicly_visible = true) => ({ id, slug, content, publicly_visible })
  const CASES: [pages: SourceRow[], names: string[]][] = [
    [
      [page(1, 'impressum'), page(2, 'datenschutz')],
      ['imprint', 'privacy'],
    ],
    [
      [page(1, 'Imprint'), page(2, 'imprint')],
      ['imprint', 'imprint (page)'],
    ],
    [[page(1, 'impressum', ' ')], ['impressum (page)']],
    [[page(1, 'privacy', 'x', false)], ['privacy (page)']],
    [
      [page(1, 'impressum-2'), page(2, 'hilfe')],
      ['impressum-2 (page)', 'hilfe (page)'],
    ],
    [[page(1, 'hilfe'), page(2, 'hilfe')], ['hilfe (page)']],
    [[page(1, '')], []],
  ]
  for (const [pages, names] of CASES) {
    const context = makeContext()
    assert.deepEqual(
      pages.flatMap((row) => PAGE_MAPPER.map(row, context)).map(({ values }) => values.name ?? `${values.slug} (page)`),
      names,
    )
  }
  const long = makeContext()
  const [setting] = PAGE_MAPPER.map(page(1, 'imprint', 'x'.repeat(40_000)), long)
  assert.equal(JSON.parse((setting!.values.value as { json: string }).json).length, 30_000)
  assert.equal(long.notes.length, 1)
})

test('columns are read with the type that they have in ephios', () => {
  const TYPES: Record<string, string> = {
    bigint: 'integer',
    int: 'integer',
    smallint: 'integer',
    text: 'text',
    boolean: 'boolean',
    timestamptz: 'time',
    date: 'date',
    jsonb: 'json',
    uuid: 'uuid',
  }
  const kindOf = (type: string) =>
    TYPES[type] ?? (type.startsWith('varchar') ? 'text' : type.startsWith('numeric') ? 'decimal' : type)
  const kindsOf = (table: string) => new Map(columnsOf(table).map(({ name, type }) => [name, kindOf(type)]))
  for (const [table, columns] of Object.entries(SOURCE_COLUMNS))
    for (const [column, kind] of Object.entries(columns)) assert.equal(kind, kindsOf(table).get(column), `${table}.${column}`)
  for (const [column, kind] of Object.entries(PARTICIPATION.columns))
    assert.equal(kind, kindsOf(PARTICIPATION.source).get(column.replace('part.', '')), column)
  for (const { table, column, kind } of PARTICIPATION.kinds) assert.equal(kind, kindsOf(table).get(column), table)
})

test('every column of ephios is imported or known to be not needed', () => {
  for (const table of [...Object.keys(SOURCE_COLUMNS), PARTICIPATION.source, ...PARTICIPATION.kinds.map((kind) => kind.table)])
    assert.deepEqual(
      findUnknownColumns(
        table,
        columnsOf(table).map(({ name }) => name),
      ),
      [],
      table,
    )
})

test('tables that are not imported have a reason, and their columns are not looked at', () => {
  for (const [table, { what, why }] of Object.entries(IGNORED_TABLES)) {
    assert.match(what, /^[A-Z][\w -]+$/, table)
    assert.match(why, /^[a-z][\w ,;-]+$/, table)
    assert.deepEqual(findUnknownColumns(table, ['anything']), [])
  }
  assert.ok(IGNORED_TABLES[PUSH_TABLE])
})

test('standard tables of ephios that hold nothing to move are named with a reason', () => {
  const TABLES = ['api_idtoken', 'django_admin_log', 'django_session', 'django_migrations', 'django_content_type']
  const OTHERS = [
    'oauth2_provider_devicegrant',
    'dynamic_preferences_users_userpreferencemodel',
    'recurrence_rule',
    'recurrence_date',
  ]
  for (const table of [...TABLES, ...OTHERS]) assert.ok(findIgnored(table)?.why, table)
  assert.equal(findIgnored('someplugin_recurrence_rule'), undefined)
  assert.equal(findIgnored('event'), undefined)
})

test('the log: entries about participations, hours and requests belong to the person', () => {
  const models = ['core.localparticipation', 'core.workinghours', 'core.userprofile', 'core.event']
  const mapper = makeJournalMapper({ permissions: new Map(), contentTypes: new Map(models.map((model, id) => [id, model])) })
  const named = (pk: unknown) => ({
    slug: 'modelfield',
    data: { field_name: 'user', old_value: { pk, str: 'Maria' }, new_value: null },
  })
  const CASES: [type: number, data: object, person: number | null][] = [
    [0, {}, 12],
    [0, { user: named(4) }, 12],
    [1, { user: named(4) }, 4],
    [1, { user: named('x') }, null],
    [1, { hours: named(4).slug }, null],
  ]
  for (const [content_type_id, data, person] of CASES) {
    const context = makeContext()
    context.userOfParticipation.set(7, 12)
    const row = { id: 1, content_type_id, content_object_id: 7, attached_to_object_type_id: 3, attached_to_object_id: 8 }
    const values = valuesOf(mapper.map({ ...row, datetime: START, data: JSON.stringify(data), request_id: null }, context))!
    assert.deepEqual([values.person_id, values.changes, values.event_id], [person, { json: '{}' }, 8], JSON.stringify(data))
  }
})

test('values of imported rows that have no place here are named', () => {
  const context = makeContext({ userprofile: [1] })
  const resources = makeResourceMappers(new Map())
  findMapper(resources, 'simpleresource_resourcecategory').map({ id: 1, name: 'Vehicles', icon: 'truck' }, context)
  findMapper(resources, 'simpleresource_resourcecategory').map({ id: 2, name: 'Rooms', icon: '' }, context)
  const page = { content: 'We', publicly_visible: true, show_in_footer: false }
  PAGE_MAPPER.map({ ...page, id: 1, slug: 'impressum', title: 'Wer wir sind' }, context)
  PAGE_MAPPER.map({ ...page, id: 2, slug: 'datenschutz', title: '' }, context)
  PAGE_MAPPER.map({ ...page, id: 3, slug: 'rules', title: 'Rules' }, context)
  assert.deepEqual(
    context.omittedValues.map(({ detail }) => detail),
    ['Vehicles: truck', 'imprint: “Wer wir sind”'],
  )
})

test('users: notifications that are switched off for one channel stay so; what has no counterpart is named', () => {
  const context = makeContext()
  const row = { id: 1, email: 'a@example.org', display_name: 'A', preferred_language: 'de', password: '' }
  const pairs = [
    ['ephios_backend_webpush', 'ephios_participation_state_changed'],
    ['ephios_backend_email', 'ephios_profile_update'],
    // Planners of events always reach their people here.
    ['ephios_backend_email', 'ephios_custom_event_notification'],
    ['ephios_backend_email', 'ephios_new_profile'],
    ['carrier_pigeon', 'ephios_profile_update'],
    'odd',
  ]
  const user = findMapper(makeUserMappers(USERS), 'userprofile')
  const values = valuesOf(user.map({ ...row, disabled_notifications: JSON.stringify(pairs) }, context))!
  const disabled: unknown = JSON.parse((values.disabled_notifications as { json: string }).json)
  assert.deepEqual(disabled, [
    ['push', 'ephios_participation_state_changed'],
    ['mail', 'ephios_profile_update'],
  ])
  const kind = KINDS.find(({ name }) => name === 'participation_state')!
  assert.deepEqual(
    [wants('push', kind, { disabled, enabled: [] }), wants('mail', kind, { disabled, enabled: [] })],
    [false, true],
  )
  assert.deepEqual(
    context.omittedValues.map(({ detail }) => detail),
    [
      'ephios_custom_event_notification by ephios_backend_email',
      'ephios_new_profile by ephios_backend_email',
      'ephios_profile_update by carrier_pigeon',
      'choices that cannot be read',
    ],
  )
})

test('requests: the date is that of the log, else the day of the hours, else that of the import', () => {
  const [asked, decided] = ['2031-02-01T08:00:00Z', '2031-02-02T09:00:00Z']
  const times = new Map([
    [1, { created: asked, decided: { at: decided, by: 5 } }],
    [2, { created: asked, decided: { at: decided, by: 6 } }],
  ])
  const mapper = findMapper(makeUserMappers({ ...USERS, requestTimes: times }), 'consequence')
  const datesOf = (id: number, state: string, data: object) => {
    const context = makeContext({ userprofile: [1, 5] })
    const row = { id, user_id: 1, slug: 'ephios.grant_working_hours', state, data: JSON.stringify(data) }
    const values = valuesOf(mapper.map(row, context))!
    return [values.created_at, values.decided_at, values.decided_by_id]
  }
  const { now } = makeContext()
  const day = { date: '2031-01-15' }
  assert.deepEqual(datesOf(1, 'executed', day), [asked, decided, 5])
  assert.deepEqual(datesOf(1, 'needs_confirmation', day), [asked, null, null])
  assert.deepEqual(datesOf(2, 'denied', day), [asked, decided, null])
  assert.deepEqual(datesOf(3, 'denied', day), ['2031-01-15T12:00:00Z', null, null])
  assert.deepEqual(datesOf(3, 'denied', { date: '2099-01-15' }), [now, null, null])
  assert.deepEqual(datesOf(3, 'denied', { date: 'soon' }), [now, null, null])
  assert.deepEqual(datesOf(3, 'denied', {}), [now, null, null])
})

test('unknown columns are those that are neither imported nor ignored', () => {
  const CASES: [table: string, columns: string[], unknown: string[]][] = [
    ['event', ['id', 'title', 'weather'], ['weather']],
    ['api_accesstoken', ['id', 'updated', 'token_checksum'], []],
    ['abstractparticipation', ['id', 'state', 'polymorphic_ctype_id', 'mood'], ['mood']],
    ['localparticipation', ['abstractparticipation_ptr_id', 'user_id'], []],
    ['django_content_type', ['id', 'anything'], []],
    ['someplugin_thing', ['id', 'anything'], []],
  ]
  for (const [table, columns, unknown] of CASES) assert.deepEqual(findUnknownColumns(table, columns), unknown)
})
