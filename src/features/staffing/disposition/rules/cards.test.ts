import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  cardKey,
  isChanged,
  keepMine,
  newCard,
  parseChange,
  readBefore,
  readCardKey,
  readCards,
  readChangedCards,
  readMove,
  readTarget,
  type SubmittedCard,
  withoutCard,
  writeBefore,
  writeTarget,
} from './cards.ts'

describe('cards of a board', () => {
  for (const who of [
    { kind: 'local', id: 12 },
    { kind: 'visitor', id: 3 },
    { kind: 'guest', id: 4 },
    { placeholder: 'Ärztin “Nord” <3 | 1:2.to' },
  ] as const)
    test(`the key of ${JSON.stringify(who)} can be read again and stand in a form`, () => {
      assert.match(cardKey(who), /^[\w-]+$/)
      assert.deepEqual(readCardKey(cardKey(who)), who)
    })

  for (const key of ['', 'local-', 'local-x', 'partner-1', 'placeholder-', 'local-1 or 1=1'])
    test(`“${key}” is no card key`, () => assert.equal(readCardKey(key), undefined))

  for (const [text, target] of [
    ['0', { state: 0, place: undefined }],
    ['1:', { state: 1, place: '' }],
    ['1:root.a.2:b', { state: 1, place: 'root.a.2:b' }],
  ] as const)
    test(`“${text}” is a state and a place`, () => {
      assert.deepEqual(readTarget(text), target)
      assert.equal(writeTarget(target), text)
    })
  for (const text of ['', '5', '-1', 'x', '1x']) test(`“${text}” is no target`, () => assert.equal(readTarget(text), undefined))

  test('the rendered state of a card survives any name of a place', () => {
    const before = { version: 7, to: '1:a|b', start: '2031-05-04T08:00', end: '2031-05-04T12:00' }
    assert.deepEqual(readBefore(writeBefore(before)), before)
    assert.deepEqual(readBefore(writeBefore({ ...before, version: null })), { ...before, version: null })
    assert.equal(readBefore('nonsense'), undefined)
  })

  const was = writeBefore({ version: 2, to: '0', start: 's', end: 'e' })
  const card = (fields: Record<string, string>) =>
    readCards(Object.fromEntries(Object.entries(fields).map(([name, value]) => [`card.5.local-1.${name}`, value])))

  for (const [what, fields, expected] of [
    ['nothing', { to: '0', start: 's', end: 'e' }, false],
    ['nothing but a box that says nothing without a comment', { to: '0', start: 's', end: 'e', hidden: 'on' }, false],
    ['another state', { to: '1', start: 's', end: 'e' }, true],
    ['another end', { to: '0', start: 's', end: 'x' }, true],
    ['a comment', { to: '0', comment: ' late ' }, true],
  ] as const)
    test(`a card with ${what} is ${expected ? 'changed' : 'unchanged'}`, () => {
      assert.deepEqual(card({ was, ...fields }).map(isChanged), [expected])
    })

  test('a card without a record is new, and one without a target is ignored', () => {
    assert.deepEqual(card({ to: '1' }).map(isChanged), [true])
    assert.deepEqual(card({ to: '' }), [])
  })

  test('only changes are submitted; nobody is moved to the state of imported records', () => {
    const asked = (fields: Record<string, string>) => card({ was, ...fields }).map(readMove)
    assert.deepEqual(asked({ to: '0' }), [{ to: undefined, place: undefined }])
    assert.deepEqual(asked({ to: '1:north' }), [{ to: 1, place: 'north' }])
    assert.deepEqual(asked({ to: '4' }), [undefined])
  })

  for (const [what, fields, expected] of [
    ['that is skipped', { start: '2031-03-30T02:30' }, 'times_skipped'],
    ['that occurs twice', { start: '2031-10-26T02:30' }, 'times_ambiguous'],
    ['that is the second of two', { start: '2031-10-26T02:30', start_which: 'later' }, '2031-10-26T01:30:00.000Z'],
    ['that is no time', { start: 'soon' }, 'times_unreadable'],
  ] as const)
    test(`a start ${what}: ${expected}`, () => {
      const [found] = card({ was, to: '0', end: 'e', ...fields })
      const parsed = parseChange(found!, 'Europe/Berlin')
      assert.equal('wish' in parsed ? parsed.wish.times.start?.toISOString() : parsed.reasons[0]!.code, expected)
    })

  for (const [what, fields, expected] of [
    ['an emptied end: the end of the shift', { end: '' }, { end: null }],
    ['a time with seconds, as some browsers send it', { start: '2031-05-04T08:00:30' }, { start: '2031-05-04T06:00:00.000Z' }],
    ['the second of two equal times', { end: '2031-10-26T02:30', end_which: 'later' }, { end: '2031-10-26T01:30:00.000Z' }],
    ['unchanged times', {}, {}],
  ] as const)
    test(`times of a card: ${what}`, () => {
      const parsed = parseChange(card({ was, to: '0', ...fields })[0]!, 'Europe/Berlin')
      assert.deepEqual('wish' in parsed && JSON.parse(JSON.stringify(parsed.wish.times)), expected)
    })

  test('a comment is kept with the wish to hide it', () => {
    const commentOf = (fields: Record<string, string>) => {
      const parsed = parseChange(card({ was, to: '0', ...fields })[0]!, 'Europe/Berlin')
      return 'wish' in parsed && parsed.wish.comment
    }
    assert.deepEqual(commentOf({ comment: 'late', hidden: 'on' }), { text: 'late', isHidden: true })
    assert.deepEqual(commentOf({ comment: 'late' }), { text: 'late', isHidden: false })
    assert.equal(commentOf({}), undefined)
  })

  for (const to of ['nonsense', '4'])
    test(`nobody can be moved to “${to}”`, () =>
      assert.deepEqual(parseChange(card({ was, to })[0]!, 'Europe/Berlin'), { reasons: [{ code: 'target_unknown' }] }))

  test('of fields with the same name the last one counts; other fields of the form are ignored', () => {
    const [found, ...more] = readCards({
      'card.5.local-1.was': was,
      'card.5.local-1.to': ['1', '2', '3'],
      'card.x.local-1.to': '1',
      'card.5.local-1.colour': 'red',
      query: 'Ann',
    })
    assert.deepEqual([found!.to, more], ['3', []])
  })

  test('only changed cards are read for saving', () => {
    const same = { 'card.5.local-1.was': was, 'card.5.local-1.to': '0' }
    const moved = { 'card.5.local-2.was': was, 'card.5.local-2.to': '1' }
    assert.deepEqual(
      readChangedCards({ ...same, ...moved }).map(({ key }) => key),
      ['local-2'],
    )
  })

  test('a person who is added has no record, no times and no comment', () => {
    assert.deepEqual(newCard(5, 'guest-4', '1:north'), {
      shiftId: 5,
      key: 'guest-4',
      who: { kind: 'guest', id: 4 },
      before: { version: null, to: '', start: '', end: '' },
      to: '1:north',
      start: '',
      end: '',
      which: { start: '', end: '' },
      comment: '',
      isHidden: false,
    })
    assert.equal(newCard(5, 'nobody', '1'), undefined)
  })

  test('a card can be taken off the board', () => {
    const [one, two] = [newCard(5, 'local-1', '1')!, newCard(5, 'local-2', '1')!]
    assert.deepEqual(withoutCard([one, two], 'local-1'), [two])
  })

  describe('a change that replaces one of somebody else', () => {
    const mine = card({ was, to: '1' })[0]!
    const other = newCard(5, 'local-2', '1')!
    const storedCard = (to: string, times = { start: 's', end: 'e' }) => ({
      key: 'local-1',
      before: { version: 9, to, ...times },
      ...times,
    })
    const keep = (one: SubmittedCard, ...stored: ReturnType<typeof storedCard>[]) =>
      keepMine([other, one], 'local-1', [{ ...storedCard('3'), key: 'local-3' }, ...stored])

    test('is based on the record as it is now; other cards stay', () => {
      assert.deepEqual(keep(mine, storedCard('2')), [other, { ...mine, before: { version: 9, to: '2', start: 's', end: 'e' } }])
    })
    test('disappears if the record is already like that', () => assert.deepEqual(keep(mine, storedCard('1')), [other]))
    test('creates the record again if it was deleted', () => {
      assert.deepEqual(keep(mine), [other, { ...mine, before: { ...mine.before, version: null } }])
    })
    test('takes over the times of a person whom somebody else has added meanwhile', () => {
      const added = newCard(5, 'local-1', '1')!
      const times = { start: 's2', end: 'e2' }
      assert.deepEqual(keep(added, storedCard('0', times)), [
        other,
        { ...added, ...times, before: { version: 9, to: '0', ...times } },
      ])
      assert.equal(keep({ ...added, start: 's1' }, storedCard('0', times))[1]!.start, 's1')
      assert.equal(keep({ ...mine, start: '' }, storedCard('0', times))[1]!.start, '')
    })
  })
})
