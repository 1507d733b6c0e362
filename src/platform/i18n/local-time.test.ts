import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Temporal } from 'temporal-polyfill'
import { resolveLocalTime, type Which, whichOf } from './local-time.ts'

const CASES: [zone: string, text: string, which: Which | undefined, expected: string][] = [
  ['Europe/Berlin', '2031-03-30T01:59', undefined, '2031-03-30T00:59:00.000Z'],
  ['Europe/Berlin', '2031-03-30T02:30', undefined, 'skipped'],
  ['Europe/Berlin', '2031-03-30T02:30', 'later', 'skipped'],
  ['Europe/Berlin', '2031-03-30T03:00', undefined, '2031-03-30T01:00:00.000Z'],
  ['Europe/Berlin', '2031-10-26T02:30', undefined, 'ambiguous'],
  ['Europe/Berlin', '2031-10-26T02:30', 'earlier', '2031-10-26T00:30:00.000Z'],
  ['Europe/Berlin', '2031-10-26T02:30', 'later', '2031-10-26T01:30:00.000Z'],
  ['Europe/Berlin', '2031-10-26T03:00', 'earlier', '2031-10-26T02:00:00.000Z'],
  ['Australia/Lord_Howe', '2031-04-06T01:45', undefined, 'ambiguous'],
  ['UTC', '2031-03-30T02:30', undefined, '2031-03-30T02:30:00.000Z'],
]
for (const [zone, text, which, expected] of CASES)
  test(`${text} in ${zone}${which ? `, ${which}` : ''}: ${expected}`, () => {
    const found = resolveLocalTime(Temporal.PlainDateTime.from(text), zone, which)
    assert.equal(found.ok ? found.at.toISOString() : found.reason, expected)
  })

test('tells which of two equal local times a moment is', () => {
  const of = (text: string) => whichOf(new Date(text), 'Europe/Berlin')
  assert.deepEqual(
    [of('2031-10-26T00:30:00Z'), of('2031-10-26T01:30:00Z'), of('2031-10-26T02:30:00Z'), of('2031-03-30T01:30:00Z')],
    ['earlier', 'later', undefined, undefined],
  )
})
