import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  answeredIds,
  EVENT_KINDS,
  formerName,
  ID_FIELDS,
  isAnswerPair,
  LOG_KINDS,
  parseLogQuery,
  referencesIn,
} from './entries.ts'

describe('the filters of the log', () => {
  const parse = (query: string) => parseLogQuery(new URLSearchParams(query), '2031-05-14')
  const EMPTY = { what: '', who: '', from: '', to: '', q: '', request: '', before: undefined, faults: {} }
  const CASES: [query: string, expected: Partial<typeof EMPTY> | { before: number }][] = [
    ['', {}],
    ['what=shift', { what: 'shift' }],
    ['what=else', {}],
    ['who=+Eva+&q=a%00b', { who: 'Eva', q: 'ab' }],
    [`q=${'x'.repeat(201)}`, { q: 'x'.repeat(200) }],
    ['from=2030-01-01&to=2030-01-31', { from: '2030-01-01', to: '2030-01-31' }],
    ['from=1.1.2030&to=31 Jan 2030', { from: '2030-01-01', to: '2030-01-31' }],
    ['from=14.5.', { from: '2031-05-14' }],
    ['from=15.5.', { from: '2030-05-15' }],
    [
      'from=2030-02-30&to=x',
      { faults: { from: { text: '2030-02-30', code: 'unreadable' }, to: { text: 'x', code: 'unreadable' } } },
    ],
    ['before=12', { before: 12 }],
    ['request=list-12-undo', { request: 'list-12-undo' }],
    ['request=list-%25', {}],
    ['before=-1', {}],
    ['before=1234567890123456', {}],
  ]
  for (const [query, expected] of CASES) {
    test(`?${query.slice(0, 40)}`, () => assert.deepEqual(parse(query), { ...EMPTY, ...expected }))
  }
  for (const kind of LOG_KINDS) test(`know ${kind}`, () => assert.match(parse(`what=${kind}`).what, /^[a-z_]+$/))
})

describe('answers before and after', () => {
  const CASES: [what: string, name: string, value: unknown, expected: boolean][] = [
    ['are a pair of records', 'answers', [{}, { 1: 'x' }], true],
    ['are no other field', 'groups', [{}, {}], false],
    ['are two', 'answers', [{}], false],
    ['are not three', 'answers', [{}, {}, {}], false],
    ['are no lists', 'answers', [{}, []], false],
    ['are no texts', 'answers', ['a', {}], false],
    ['are not missing', 'answers', [null, {}], false],
    ['are an array', 'answers', { length: 2 }, false],
  ]
  for (const [what, name, value, expected] of CASES) test(what, () => assert.equal(isAnswerPair(name, value), expected))
  test('name questions once each, in order', () =>
    assert.deepEqual(
      answeredIds([
        { 10: 'a', 9: 'b' },
        { 9: 'c', 2: 'd' },
      ]),
      [2, 9, 10],
    ))
})

describe('references of an entry', () => {
  const NONE = {
    actorKind: 'system',
    actorId: null,
    subjectKind: 'instance',
    subjectId: null,
    eventId: null,
    changes: {},
    personal: null,
  }
  const CASES: [what: string, entry: Partial<Parameters<typeof referencesIn>[0]>, expected: [kind: string, id: number][]][] = [
    ['nothing', {}, []],
    ['the actor', { actorKind: 'user', actorId: 1 }, [['user', 1]]],
    ['the partner', { actorKind: 'partner', actorId: 1 }, [['federated_guest', 1]]],
    ['the subject', { subjectKind: 'shift', subjectId: 2 }, [['shift', 2]]],
    ['the event', { eventId: 3 }, [['event', 3]]],
    [
      'questions',
      { personal: { answers: [{ 5: 'a' }, { 4: 'b' }] } },
      [
        ['question', 4],
        ['question', 5],
      ],
    ],
    ['no questions in other data', { personal: { answers: 'a' } }, []],
    [
      'ids in changes',
      { changes: { type_id: [1, 2] } },
      [
        ['event_type', 1],
        ['event_type', 2],
      ],
    ],
    [
      'ids in lists of changes',
      { changes: { groups: [[1], [1, 2]] } },
      [
        ['group', 1],
        ['group', 1],
        ['group', 2],
      ],
    ],
    ['no missing ids', { changes: { guardian_id: [null, 7] } }, [['user', 7]]],
    ['no other fields', { changes: { title: [1, 2] } }, []],
  ]
  for (const [what, entry, expected] of CASES) {
    test(what, () =>
      assert.deepEqual(
        referencesIn({ ...NONE, ...entry }).map(({ kind, id }) => [kind, id]),
        expected,
      ),
    )
  }
  for (const [field, kind] of Object.entries(ID_FIELDS)) {
    test(`${field} refers to a kind of the log, or to a comment`, () =>
      assert.ok(kind === 'participation_comment' || LOG_KINDS.includes(kind), kind))
  }
})

describe('the name in an entry about a deletion', () => {
  const CASES: [what: string, changes: Record<string, unknown>, name: string, start: string | null][] = [
    ['a value', { name: 'Divers' }, 'Divers', null],
    ['a value before', { title: ['Van', null] }, 'Van', null],
    ['a summary', { before: { name: 'Crew' } }, 'Crew', null],
    ['a shift', { label: ['Night', null], start_time: ['2031-05-04T08:00:00.000Z', null] }, 'Night', '2031-05-04T08:00:00.000Z'],
    ['nothing', {}, '', null],
    ['no text', { name: 7, title: [null, null] }, '', null],
  ]
  for (const [what, changes, name, start] of CASES)
    test(what, () => {
      const former = formerName(changes)
      assert.deepEqual([former.name, former.start?.toISOString() ?? null], [name, start])
    })
})

test('the log of an event has kinds that people can filter by', () =>
  assert.deepEqual(
    EVENT_KINDS.filter((kind) => !LOG_KINDS.includes(kind)),
    [],
  ))
