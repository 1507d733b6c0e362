import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Book, type SourceRow, type Step, type Target } from './book.ts'
import { strangeColumns } from './source-columns.ts'
import { refreshStep, tokenStep } from './steps-access.ts'
import { eventTypeSteps } from './steps-catalogue.ts'
import { COMMENT_STEP, participationStep, SHIFT_STEP, weightOf } from './steps-events.ts'
import { objectPermissionStep, peopleSteps } from './steps-people.ts'
import { legalPages, logStep, PREFERENCE_STEP } from './steps-rest.ts'

const secrets = {
  hash: (text: string) => `#${text}`,
  hashClientSecret: (text: string) => `client#${text}`,
  seal: (text: string) => `sealed ${text}`,
}
const NOW = '2031-05-01T10:00:00.000Z'

/** A book in which these numbers of these tables have been taken over. */
function bookWith(known: Record<string, number[]> = {}): Book {
  const book = new Book({ secrets, now: NOW, language: 'de' })
  for (const [table, ids] of Object.entries(known)) for (const id of ids) book.add(table, id)
  return book
}

const notesOf = (book: Book) => book.notes.map(({ what, why }) => `${what}: ${why}`)
const valuesOf = ([target]: Target[]) => target?.values
const stepOf = (steps: readonly Step[], source: string) => steps.find((step) => step.source === source)!

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

test('shifts: times that cannot be are mended by a rule', () => {
  const CASES: [
    change: SourceRow,
    expected: { start?: string; end?: string; meeting?: string } | undefined,
    note: RegExp | undefined,
  ][] = [
    [{}, { end: END, meeting: START }, undefined],
    [{ end_time: '2031-05-04 02:00:00+00' }, { end: '2031-05-05T02:00:00.000Z' }, /a day later/],
    [{ end_time: START }, { end: '2031-05-05T06:00:00.000Z' }, /a day later/],
    [{ end_time: '2031-05-03 06:00:00+00' }, { end: '2031-05-04T07:00:00.000Z' }, /an hour after it/],
    [{ meeting_time: '2031-05-04 07:00:00+00' }, { meeting: START }, /meets at the start/],
    [{ meeting_time: null }, { meeting: START }, undefined],
    [{ start_time: null }, undefined, /left out: has no start or no end/],
    [{ end_time: 'infinity' }, undefined, /left out: has no start or no end/],
    [{ event_id: 2 }, undefined, /left out: refers to event 2/],
    [{ structure_slug: '' }, { end: END }, /had no structure_slug; it became "unknown"/],
    [{ structure_configuration: '[]' }, { end: END }, /no object; it became empty/],
  ]
  for (const [change, expected, note] of CASES) {
    const book = bookWith({ event: [1] })
    const values = valuesOf(SHIFT_STEP.take({ ...SHIFT, ...change }, book))
    assert.equal(values === undefined, expected === undefined)
    if (expected?.end) assert.equal(values!.end_time, expected.end)
    if (expected?.meeting) assert.equal(values!.meeting_time, expected.meeting)
    assert.match(notesOf(book).join('; '), note ?? /^$/)
    assert.equal(book.has('shift', 1), expected !== undefined)
  }
})

test('participations: one person of one kind, in a state that exists, or they are left out by name', () => {
  const row = {
    id: 5,
    state: 1,
    shift_id: 1,
    structure_data: '{}',
    finished: false,
    individual_start_time: null,
    individual_end_time: null,
  }
  const nobody = { user_id: null, display_name: null, guest_user_id: null, federated_user_id: null }
  const CASES: [change: SourceRow, kind: string | undefined, note: RegExp | undefined][] = [
    [{ user_id: 7 }, 'local', undefined],
    [{ guest_user_id: 8 }, 'guest', undefined],
    [{ federated_user_id: 9 }, 'visitor', undefined],
    [{ display_name: 'Feuerwehr' }, 'placeholder', undefined],
    [{ display_name: ' ' }, 'placeholder', /it became Placeholder/],
    [{ user_id: 7, state: 4 }, 'local', undefined],
    [{ user_id: 7, state: 5 }, undefined, /state 5, which does not exist/],
    [{ user_id: 7, state: null }, undefined, /state none/],
    [{ user_id: 70 }, undefined, /refers to userprofile 70/],
    [{ user_id: 7, display_name: 'Feuerwehr' }, undefined, /belongs to several people/],
    [{}, undefined, /belongs to nobody/],
    [{ user_id: 7, shift_id: 2 }, undefined, /refers to shift 2/],
    [{ user_id: 7, id: 6 }, undefined, /another record on shift 1, which counts more/],
    [{ user_id: 7, structure_data: '3' }, 'local', /it became empty/],
    [{ user_id: 7, individual_end_time: '2031-05-04 05:00:00+00' }, 'local', /left before it came/],
  ]
  for (const [change, kind, note] of CASES) {
    const book = bookWith({ shift: [1], userprofile: [7], guests_guestuser: [8], federation_federateduser: [9] })
    book.spans.set(1, [Date.parse('2031-05-04T06:00:00Z'), Date.parse('2031-05-04T10:00:00Z')])
    const values = valuesOf(participationStep(new Set([6])).take({ ...row, ...nobody, ...change }, book))
    assert.equal(values?.kind, kind, JSON.stringify(change))
    assert.match(notesOf(book).join('; '), note ?? /^$/)
  }
})

test('of two records the weightier stays: confirmed, requested, rejected, declined, being dispatched', () => {
  assert.deepEqual(
    [4, 2, 3, 0, 1].map(weightOf).toSorted((a, b) => a - b),
    [4, 2, 3, 0, 1].map(weightOf),
  )
  assert.equal(weightOf(5), -1)
})

test('comments: whoever may not be known to see it does not', () => {
  const take = (change: SourceRow) => {
    const book = bookWith({ abstractparticipation: [1], userprofile: [2] })
    const row = { id: 1, participation_id: 1, text: 'spät', visible_for: 2, authored_by_responsible_id: null, created_at: START }
    return [valuesOf(COMMENT_STEP.take({ ...row, ...change }, book)), notesOf(book)] as const
  }
  assert.equal(take({})[0]!.visible_for, 2)
  assert.deepEqual([take({ visible_for: 9 })[0]!.visible_for, take({ visible_for: 9 })[1].length], [0, 1])
  assert.deepEqual(take({ text: ' ' }), [undefined, ['left out: is empty']])
  const gone = take({ authored_by_responsible_id: 77 })[0]!
  assert.deepEqual([gone.author_kind, gone.author_id], ['responsible', null])
})

test('permissions: what has a place is taken, once, and everything else is named', () => {
  const names = {
    permissions: new Map([
      [1, 'core.add_event'],
      [2, 'files.add_document'],
      [3, 'core.view_event'],
    ]),
    contentTypes: new Map([
      [1, 'core.event'],
      [2, 'files.document'],
    ]),
  }
  const book = bookWith({ auth_group: [1], event: [10] })
  const global = stepOf(peopleSteps(names), 'auth_group_permissions')
  const onObject = objectPermissionStep('guardian_groupobjectpermission', names)
  const ROWS: [step: Step, row: SourceRow, values: Target['values'] | undefined, note: string | undefined][] = [
    [global, { id: 1, group_id: 1, permission_id: 1 }, { group_id: 1, permission: 'add_event' }, undefined],
    [global, { id: 2, group_id: 1, permission_id: 1 }, undefined, 'left out: comes twice'],
    [
      global,
      { id: 3, group_id: 1, permission_id: 2 },
      undefined,
      'left out: files.add_document: a permission that has no place here yet',
    ],
    [global, { id: 4, group_id: 1, permission_id: 99 }, undefined, 'left out: a permission that is not there'],
    [global, { id: 5, group_id: 2, permission_id: 1 }, undefined, 'left out: refers to auth_group 2, which is not there'],
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
      'left out: refers to event 11, which is not there',
    ],
    [
      onObject,
      { id: 3, group_id: 1, permission_id: 2, content_type_id: 2, object_pk: '1' },
      undefined,
      'left out: add_document on files.document: a permission that has no place here yet',
    ],
  ]
  for (const [step, row, values, note] of ROWS) {
    const before = book.notes.length
    assert.deepEqual(valuesOf(step.take(row, book)), values)
    assert.equal(notesOf(book)[before], note)
  }
})

test('tokens: whose they are says what they are; one whose end cannot be read has ended', () => {
  const step = tokenStep({ guestOfToken: new Map([[3, 30]]), applicationsOfHosts: new Set(), scopesOfRefresh: new Map() })
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
  const book = bookWith({ userprofile: [1], api_application: [2], federation_federatedguest: [30] })
  const personal = valuesOf(step.take(row, book))!
  assert.deepEqual(
    [personal.kind, personal.scopes, personal.token_hash, personal.expires_at],
    ['personal', ['ME_READ'], '#a', null],
  )
  assert.deepEqual(notesOf(book), ['repaired: had the scope sudo, which opens nothing here'])
  const oauth = step.take({ ...row, id: 2, token: 'b', application_id: 2 }, book)
  assert.deepEqual(
    oauth.map(({ table }) => table),
    ['oauth_grant', 'oauth_consent', 'access_token'],
  )
  const second = step.take({ ...row, id: 4, token: 'c', application_id: 2 }, book)
  assert.deepEqual([second.length, second[0]!.values.grant_id], [1, oauth[2]!.values.grant_id], 'one grant for one person')
  assert.equal(valuesOf(step.take({ ...row, id: 3, token: 'd', user_id: null }, book))!.federated_guest_id, 30)
  assert.deepEqual(step.take({ ...row, id: 5, token: 'e', user_id: null }, book), [])
  assert.deepEqual(step.take({ ...row, id: 6, token: 'a' }, book), [])
  assert.equal(valuesOf(step.take({ ...row, id: 7, token: 'f', expires: 'infinity' }, book))!.expires_at, NOW)
})

test('refresh tokens: those that still renew something are taken', () => {
  const facts = {
    guestOfToken: new Map(),
    applicationsOfHosts: new Set<number>(),
    scopesOfRefresh: new Map([
      [1, 'ME_READ'],
      [2, 'ME_READ'],
      [3, 'ME_READ'],
    ]),
  }
  const step = refreshStep(facts, new Map([[2, 'theApp']]))
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
    [{ id: 2, revoked: START }, 'left out: was revoked'],
    [{ id: 3, created: '2030-01-01 00:00:00+00' }, 'left out: has expired'],
    [{ id: 4 }, 'left out: renews a token that is not there'],
    [{ user_id: 9 }, 'left out: refers to userprofile 9, which is not there'],
  ]
  for (const [change, note] of CASES) {
    const book = bookWith({ userprofile: [1], api_application: [2] })
    const targets = step.take({ ...row, ...change }, book)
    assert.deepEqual([notesOf(book)[0], targets.some(({ table }) => table === 'oauth_object')], [note, note === undefined])
  }
})

test('event types: what cannot be shown gets something that can', () => {
  const step = stepOf(eventTypeSteps(new Set([2])), 'eventtype')
  const row = { id: 1, title: 'Dienst', color: '#aabbcc', show_participant_data: 3, default_description: null }
  const book = bookWith()
  assert.deepEqual(valuesOf(step.take(row, book))!.color, '#aabbcc')
  assert.deepEqual(notesOf(book), [])
  const odd = valuesOf(step.take({ ...row, id: 2, color: 'red', show_participant_data: 8, title: '' }, book))!
  assert.deepEqual([odd.color, odd.show_participant_data, odd.title, odd.visible_for_all_groups], ['#343a40', 2, 'No. 2', false])
  assert.equal(book.notes.length, 3)
})

test('the log: what is about a person goes with that person', () => {
  const step = logStep({
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
    data: '{"a":1}',
  }
  const take = (change: SourceRow) => valuesOf(step.take({ ...row, ...change }, bookWith()))
  const event = take({})!
  assert.deepEqual([event.kind, event.subject_kind, event.event_id, event.personal], ['imported.deleted', 'event', 7, null])
  const person = take({ content_type_id: 2, attached_to_object_type_id: 2 })!
  assert.deepEqual([person.changes, person.person_id, person.personal], [{ json: '{}' }, 7, { json: '{"a":1}' }])
  assert.equal(take({ content_type_id: 3 })!.subject_kind, 'participation')
  assert.equal(take({ content_type_id: 99 })!.subject_kind, 'unknown')
  assert.equal(take({ datetime: null }), undefined)
  assert.deepEqual(take({ data: 'broken' })!.changes, { json: '{}' })
})

test('settings: the name of the organisation, once; imprint and privacy from public pages', () => {
  const book = bookWith()
  const named = (id: number, name: string, raw_value: string) => PREFERENCE_STEP.take({ id, name, raw_value }, book)
  assert.deepEqual(valuesOf(named(1, 'organization_name', ' Wir '))!.value, { json: '"Wir"' })
  assert.deepEqual([named(2, 'organization_name', 'Andere'), named(3, 'enabled_plugins', 'x')], [[], []])
  const page = (slug: string, content = 'Text', publicly_visible = true) => ({ id: 1, slug, content, publicly_visible })
  const CASES: [pages: SourceRow[], names: string[]][] = [
    [
      [page('impressum'), page('datenschutz')],
      ['imprint', 'privacy'],
    ],
    [[page('Imprint'), page('imprint')], ['imprint']],
    [[page('impressum', ' ')], []],
    [[page('privacy', 'x', false)], []],
    [[page('impressum-2'), page('hilfe')], []],
  ]
  for (const [pages, names] of CASES)
    assert.deepEqual(
      legalPages(pages, bookWith()).map(({ values }) => values.name),
      names,
    )
  const long = bookWith()
  assert.equal(
    JSON.parse((valuesOf(legalPages([page('imprint', 'x'.repeat(40_000))], long))!.value as { json: string }).json).length,
    30_000,
  )
  assert.equal(long.notes.length, 1)
})

test('columns are strange when neither we nor the documented tables know them', () => {
  const CASES: [table: string, columns: string[], strange: string[]][] = [
    ['event', ['id', 'title', 'weather'], ['weather']],
    ['api_accesstoken', ['id', 'updated', 'token_checksum'], []],
    ['abstractparticipation', ['id', 'state', 'polymorphic_ctype_id', 'mood'], ['mood']],
    ['localparticipation', ['abstractparticipation_ptr_id', 'user_id'], []],
    ['django_content_type', ['id', 'anything'], []],
    ['someplugin_thing', ['id', 'anything'], []],
  ]
  for (const [table, columns, strange] of CASES) assert.deepEqual(strangeColumns(table, columns), strange)
})
