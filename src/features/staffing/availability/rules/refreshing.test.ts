import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { feedUid, isFeedUid } from './feed-uids.ts'
import { horizonOf, isFailure, isHorizonNear, judgeStatus, nextRefresh, normalizeAddress } from './refreshing.ts'

const NOW = new Date('2031-05-01T10:00:00Z')
const DAY_MS = 86_400_000

describe('refreshing calendars', () => {
  for (const [failures, minutes] of [
    [0, 240],
    [1, 15],
    [2, 30],
    [3, 60],
    [7, 960],
    [8, 1440],
    [500, 1440],
  ] as const)
    test(`after ${failures} failures in a row the next attempt is in ${minutes} minutes`, () => {
      const wait = (chance: number) => (nextRefresh(NOW, failures, chance).getTime() - NOW.getTime()) / 60_000
      assert.deepEqual([wait(0.5), wait(0), wait(1)], [minutes, minutes * 0.8, minutes * 1.2])
    })

  for (const [status, hasValidator, expected] of [
    [200, false, 'content'],
    [200, true, 'content'],
    [304, true, 'unchanged'],
    [304, false, 'status'],
    [401, false, 'denied'],
    [403, true, 'denied'],
    [404, false, 'not_found'],
    [410, false, 'not_found'],
    [204, false, 'status'],
    [429, false, 'status'],
    [500, false, 'status'],
  ] as const)
    test(`status ${status} ${hasValidator ? 'with' : 'without'} a validator is ${expected}`, () =>
      assert.equal(judgeStatus(status, hasValidator), expected))

  test('a calendar is read again when known times end a week too early', () => {
    const known = horizonOf(NOW)
    assert.equal(isHorizonNear(known, new Date(NOW.getTime() + 7 * DAY_MS)), false)
    assert.equal(isHorizonNear(known, new Date(NOW.getTime() + 7 * DAY_MS + 1)), true)
  })

  test('times are read for a year', () => assert.equal(horizonOf(NOW).toISOString(), '2032-04-30T10:00:00.000Z'))

  for (const [text, isKnown] of [
    ...[
      'forbidden',
      'unreachable',
      'too_slow',
      'too_large',
      'encoded',
      'redirected',
      'not_found',
      'denied',
      'status',
      'secret',
      'not_a_calendar',
      'too_many_times',
      'too_complex',
    ].map((code) => [code, true] as const),
    ['unchanged', false],
    ['', false],
  ] as const)
    test(`“${text}” is ${isKnown ? 'a' : 'no'} reason that the page explains`, () => assert.equal(isFailure(text), isKnown))

  for (const [typed, address] of [
    ['webcal://cal.example/a?b=c', 'https://cal.example/a?b=c'],
    [' WEBCALS://cal.example/', 'https://cal.example/'],
    ['https://cal.example/', 'https://cal.example/'],
    ['ftp://cal.example/', 'ftp://cal.example/'],
  ] as const)
    test(`${typed} is ${address}`, () => assert.equal(normalizeAddress(typed), address))

  for (const [uid, expected] of [
    [feedUid({ key: 'shift-7', host: 'a.example' }), true],
    [feedUid({ key: 'shift-7', childId: 3, host: 'a.example' }), true],
    [feedUid({ key: 'abroad-1-7', host: 'a.example' }), true],
    [feedUid({ key: 'shift-7', host: 'b.example' }), false],
    ['shift-7', false],
    ['meeting-7@a.example', false],
    ['shift-7@a.example@evil.example', false],
  ] as const)
    test(`${uid} is ${expected ? '' : 'not '}an own entry`, () => assert.equal(isFeedUid(uid, 'a.example'), expected))
})
