import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  cardKey,
  isChanged,
  parseChange,
  readBefore,
  readCardKey,
  readCards,
  readMove,
  readTarget,
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
})
