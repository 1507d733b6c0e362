import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { collectMarks, type Pending } from './marks.ts'

const ROW: Pending = {
  xact: 'a',
  kind: 'event',
  record_id: 1,
  event_id: null,
  person_id: null,
  before_audience_id: 5,
  after_audience_id: 5,
  before_state: null,
  after_state: null,
  is_new: null,
}
const row = (values: Partial<Pending>): Pending => ({ ...ROW, ...values })
const MARK = {
  xact: 'a',
  kind: 'event',
  recordId: 1,
  eventId: null,
  personId: null,
  beforeAudience: 5,
  afterAudience: 5,
  beforeState: null,
  afterState: null,
  isNew: false,
}

describe('marks', () => {
  const marksOf = (...rows: Partial<Pending>[]) => collectMarks(rows.map(row)).marks
  test('have what the row has', () => {
    const given = {
      kind: 'participation',
      record_id: 2,
      event_id: 3,
      person_id: 4,
      before_state: 0,
      after_state: 1,
      is_new: true,
    }
    const expected = { kind: 'participation', recordId: 2, eventId: 3, personId: 4, beforeState: 0, afterState: 1, isNew: true }
    assert.deepEqual(marksOf(given), [{ ...MARK, ...expected }])
  })
  test('join rows of a transaction: the first state before, the last one after', () => {
    const first = { before_audience_id: null, after_audience_id: 6, before_state: 1, after_state: 2, is_new: true, person_id: 8 }
    const last = { before_audience_id: 6, after_audience_id: 7, before_state: 2, after_state: 3, event_id: 9 }
    const expected = {
      beforeAudience: null,
      afterAudience: 7,
      beforeState: 1,
      afterState: 3,
      eventId: 9,
      personId: 8,
      isNew: true,
    }
    assert.deepEqual(marksOf(first, last), [{ ...MARK, ...expected }])
  })
  test('learn of an insertion and of the person later', () => {
    assert.deepEqual(marksOf({}, { is_new: true, person_id: 3 }), [{ ...MARK, isNew: true, personId: 3 }])
    assert.deepEqual(marksOf({}, { is_new: false }), [MARK])
  })
  test('are apart for other records, kinds and transactions', () => {
    const marks = marksOf({}, { record_id: 2 }, { kind: 'shift' }, { xact: 'b' })
    assert.deepEqual(
      marks.map(({ xact, kind, recordId }) => [xact, kind, recordId]),
      [
        ['a', 'event', 1],
        ['a', 'event', 2],
        ['a', 'shift', 1],
        ['b', 'event', 1],
      ],
    )
  })
  test('are apart for the access of a group and of a user', () => {
    const marks = marksOf({ kind: 'access' }, { kind: 'access', person_id: 1 })
    assert.deepEqual(
      marks.map(({ personId }) => personId),
      [null, 1],
    )
  })
  test('are apart by person for access only', () =>
    assert.equal(marksOf({ kind: 'participation' }, { kind: 'participation', person_id: 1 }).length, 1))

  const hidden = { before_audience_id: null, after_audience_id: null }
  const CASES: [what: string, given: Partial<Pending>, count: number][] = [
    ['that nobody saw are left out', hidden, 0],
    ['that somebody saw before stay', { ...hidden, before_audience_id: 5 }, 1],
    ['that somebody sees now stay', { ...hidden, after_audience_id: 5 }, 1],
    ['of hidden profiles stay', { ...hidden, kind: 'user' }, 1],
    ['of access stay', { ...hidden, kind: 'access' }, 1],
    ['of kinds that are not announced are left out', { kind: 'page' }, 0],
  ]
  for (const [what, given, count] of CASES) test(what, () => assert.equal(marksOf(given).length, count))
})

describe('the sight of an event', () => {
  const gain = row({ kind: 'event_person', record_id: 7, person_id: 3, after_state: 1 })
  const loss = row({ kind: 'event_person', record_id: 7, person_id: 3, before_state: 1 })
  const sightsOf = (...rows: Pending[]) =>
    collectMarks(rows).sights.map(({ xact, eventId, gained, lost }) => ({ xact, eventId, gained: [...gained], lost: [...lost] }))
  const SIGHT = { xact: 'a', eventId: 7, gained: [] as number[], lost: [] as number[] }
  const CASES: [what: string, rows: Pending[], expected: object[]][] = [
    ['is gained', [gain], [{ ...SIGHT, gained: [3] }]],
    ['is lost', [loss], [{ ...SIGHT, lost: [3] }]],
    ['is gained and lost again', [gain, loss], []],
    [
      'is noted as lost after a return, because the present people of the event are known later',
      [loss, gain],
      [{ ...SIGHT, lost: [3] }],
    ],
    ['is kept', [{ ...gain, before_state: 1 }], []],
    ['is gained by several', [gain, { ...gain, person_id: 4 }], [{ ...SIGHT, gained: [3, 4] }]],
    [
      'is apart for other events',
      [gain, { ...loss, record_id: 8 }],
      [
        { ...SIGHT, gained: [3] },
        { ...SIGHT, eventId: 8, lost: [3] },
      ],
    ],
    [
      'is apart for other transactions',
      [gain, { ...loss, xact: 'b' }],
      [
        { ...SIGHT, gained: [3] },
        { ...SIGHT, xact: 'b', lost: [3] },
      ],
    ],
  ]
  for (const [what, rows, expected] of CASES) test(what, () => assert.deepEqual(sightsOf(...rows), expected))
})

test('entries of the journal and transactions are listed in order', () => {
  const journal = (xact: string, id: number) => row({ xact, kind: 'journal', record_id: id })
  const { xacts, journalIds, marks } = collectMarks([journal('b', 1), journal('a', 2), journal('b', 3), row({})])
  assert.deepEqual(xacts, ['b', 'a'])
  assert.deepEqual(
    [...journalIds],
    [
      ['b', [1, 3]],
      ['a', [2]],
    ],
  )
  assert.equal(marks.length, 1)
})
