import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsFor } from '#platform/i18n/words.ts'
import { parseIcal } from '#test/support/ical.ts'
import type { FeedShift } from '../rules/summaries.ts'
import { icalText } from './ical.ts'

const HOUR_MS = 3_600_000

test('a long calendar has all shifts in order and both zones, and other work goes on while it is written', async () => {
  // In the middle, the clock shows two o'clock twice.
  const first = Date.parse('2031-10-25T00:30:00Z')
  const shifts = Array.from({ length: 55 }, (_, n) => {
    const start = new Date(first + n * HOUR_MS)
    const end = new Date(start.getTime() + HOUR_MS)
    const event = { eventId: 1, eventTitle: 'Fair', location: '', cancellationReason: null, description: null, organizer: null }
    return { ...event, id: n, label: `Shift ${n}`, start, end, meeting: start, state: 1, revision: 0 } as FeedShift
  })
  let turns = 0
  let isDone = false
  const beat = () => {
    turns++
    if (!isDone) setImmediate(beat)
  }
  setImmediate(beat)
  const now = new Date('2031-05-01T10:00:00Z')
  const words = wordsFor('en', 'Europe/Berlin')
  const calendar = parseIcal(await icalText({ words, now, siteUrl: 'https://a.example', name: 'Fair', shifts }))
  isDone = true
  const events = calendar.getAllSubcomponents('vevent')
  assert.deepEqual(
    events.map((event) => event.getFirstPropertyValue('summary')),
    shifts.map(({ label }) => `Fair, ${label}`),
  )
  assert.equal(calendar.getAllSubcomponents('vtimezone').length, 1)
  assert.ok(turns >= 5, `the event loop turned ${turns} times`)
})
