import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Mark, Marks, Sight } from './marks.ts'
import { describeChanges, type EventPeople, hasViewers, type Surroundings } from './rows.ts'

const NOW = new Date('2030-01-10T12:00:00Z')
const AT = new Date('2030-01-10T11:00:00Z')
const MARK: Mark = {
  xact: 'a',
  kind: 'event',
  recordId: 7,
  eventId: 7,
  personId: null,
  beforeAudience: null,
  afterAudience: 5,
  beforeState: null,
  afterState: 1,
  isNew: true,
}
const EVENT: EventPeople = {
  id: 7,
  audience_id: 5,
  listed: true,
  show_participant_data: 1,
  users: [1],
  responsible_users: [2],
  responsible_groups: [20],
  confirmed: [3],
  participants: [1],
}
const AROUND: Surroundings = {
  now: NOW,
  events: [EVENT],
  audiences: new Map([[5, [10]]]),
  members: new Map(),
  shifts: new Map([[7, [70, 71]]]),
  viewers: new Map([[1, { isVisible: true, users: [4], groups: [40], hoursGroups: [41] }]]),
  causes: new Map([
    [1, { kind: 'other', subject_kind: 'shift', subject_id: 7, at: AT }],
    [2, { kind: 'other', subject_kind: 'event', subject_id: 8, at: NOW }],
    [3, { kind: 'event.changed', subject_kind: 'event', subject_id: 7, at: NOW }],
  ]),
}
const marks = (values: Partial<Marks>): Marks => ({ xacts: ['a'], marks: [], sights: [], journalIds: new Map(), ...values })
const sight = (gained: number[], lost: number[]): Sight => ({
  xact: 'a',
  eventId: 7,
  gained: new Set(gained),
  lost: new Set(lost),
})

test('a change has the groups, people, time and cause of its transaction', () => {
  const rows = describeChanges(marks({ marks: [MARK], journalIds: new Map([['a', [9, 1, 2, 3]]]) }), AROUND)
  assert.deepEqual(rows, [
    {
      kind: 'event',
      record_id: 7,
      at: AT,
      cause: 'event.changed',
      person_id: null,
      before_groups: null,
      after_groups: [10],
      before_state: null,
      after_state: 1,
      users: [1],
      lost_users: [],
      gained_users: [],
      is_personal: false,
      is_new: true,
      is_participant_shown: false,
      viewer_users: [],
      viewer_groups: [],
    },
  ])
})

test('a change without entries, groups or event happens now', () => {
  const [row] = describeChanges(marks({ marks: [{ ...MARK, afterAudience: 99, eventId: null }] }), AROUND)
  assert.deepEqual([row!.at, row!.cause, row!.after_groups, row!.users], [NOW, null, [], []])
})

test('changes stay in the order of the transactions', () => {
  const all = marks({ xacts: ['b', 'a'], marks: [MARK, { ...MARK, xact: 'b', recordId: 8 }] })
  assert.deepEqual(
    describeChanges(all, AROUND).map(({ record_id }) => record_id),
    [8, 7],
  )
})

test('what is inserted again with a restored shift is not new', () => {
  const entry = { kind: 'shift.reopened', subject_kind: 'shift', subject_id: 70, at: AT }
  const isNew = (mark: Partial<Mark>) => {
    const all = marks({ marks: [{ ...MARK, ...mark }], journalIds: new Map([['a', [4]]]) })
    return describeChanges(all, { ...AROUND, causes: new Map([[4, entry]]) })[0]!.is_new
  }
  const found = [
    { kind: 'shift', recordId: 70 },
    { kind: 'participation', recordId: 9 },
    { kind: 'shift', recordId: 71 },
    { kind: 'event', recordId: 70 },
    { kind: 'resource', eventId: null },
  ].map(isNew)
  assert.deepEqual(found, [false, false, true, true, true])
})

describe('people who gain or lose the sight of an event', () => {
  const told = (given: Partial<Marks>, around: Partial<Surroundings> = {}) =>
    describeChanges(marks(given), { ...AROUND, ...around }).map(
      ({ kind, record_id, person_id, gained_users, lost_users, is_personal }) =>
        `${is_personal ? 'personal ' : ''}${kind} ${record_id} ${person_id} +${gained_users} -${lost_users}`,
    )
  test('are told about the event, its shifts and their lists of participations', () => {
    assert.deepEqual(told({ sights: [sight([6], [])] }), [
      'personal event 7 null +6 -',
      'personal shift 70 null +6 -',
      'personal shift 71 null +6 -',
      'personal access 6 6 +6 -',
    ])
    assert.deepEqual(told({ sights: [sight([], [6])] }).slice(0, 1), ['personal event 7 null + -6'])
  })
  test('are not told about their lists if only they take part', () => {
    const rows = told({ sights: [sight([1], [])] })
    assert.deepEqual(rows, ['personal event 7 null +1 -', 'personal shift 70 null +1 -', 'personal shift 71 null +1 -'])
  })
  test('are told once about what changed anyway', () => {
    const rows = told({ sights: [sight([6], [])], marks: [MARK] }, { shifts: new Map() })
    assert.deepEqual(rows, ['event 7 null +6 -', 'personal access 6 6 +6 -'])
  })
  test('are those who do not see it by a group or another grant', () => {
    assert.deepEqual(told({ sights: [sight([6], [5])] }, { members: new Map([[7, new Set([5, 6])]]) }), [])
    assert.deepEqual(told({ sights: [sight([], [1])] }), [])
  })
  test('learn nothing of events that are not listed or gone', () => {
    assert.deepEqual(told({ sights: [sight([6], [])] }, { events: [{ ...EVENT, listed: false }] }), [])
    assert.deepEqual(told({ sights: [sight([6], [])] }, { events: [] }), [])
  })
  test('see the event with the same groups before and after', () => {
    const [row] = describeChanges(marks({ sights: [sight([6], [])] }), AROUND)
    assert.deepEqual([row!.before_groups, row!.after_groups, row!.is_new], [[10], [10], false])
  })
})

describe('who sees the person of a change', () => {
  const viewersOf = (mark: Partial<Mark>, event: Partial<EventPeople> = {}) => {
    const [row] = describeChanges(marks({ marks: [{ ...MARK, personId: 1, ...mark }] }), {
      ...AROUND,
      events: [{ ...EVENT, ...event }],
    })
    return [row!.is_participant_shown, row!.viewer_users, row!.viewer_groups]
  }
  const CASES: [what: string, found: unknown[], expected: unknown[]][] = [
    [
      'participants: responsible people, others who take part, and viewers',
      viewersOf({ kind: 'participation' }),
      [false, [2, 3, 4], [20, 40]],
    ],
    ['visitors: without viewers', viewersOf({ kind: 'participation', personId: null }), [false, [2, 3], [20]]],
    ['unknown people: without viewers', viewersOf({ kind: 'participation', personId: 99 }), [false, [2, 3], [20]]],
    ['everybody, by the first setting', viewersOf({ kind: 'participation' }, { show_participant_data: 0 }), [true, [], []]],
    ['everybody, by the last setting', viewersOf({ kind: 'participation' }, { show_participant_data: 3 }), [true, [], []]],
    ['nobody without an event', viewersOf({ kind: 'participation', eventId: null }), [false, [], []]],
    ['hours: groups that decide', viewersOf({ kind: 'working_hours', eventId: null }), [true, [], [41]]],
    ['hours of unknown people: nobody', viewersOf({ kind: 'working_hours', personId: 99 }), [false, [], []]],
    ['other kinds: nobody', viewersOf({ kind: 'user' }), [false, [], []]],
  ]
  for (const [what, found, expected] of CASES) test(what, () => assert.deepEqual(found, expected))
  test('matters for participations and hours', () =>
    assert.deepEqual(['participation', 'working_hours', 'user'].map(hasViewers), [true, true, false]))
})
