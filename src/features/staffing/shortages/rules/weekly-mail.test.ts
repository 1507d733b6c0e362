import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isWeeklyMailDue } from './weekly-mail.ts'

describe('the weekly mail is due', () => {
  for (const [at, zone, isDue] of [
    ['2031-05-05T04:59:00Z', 'Europe/Berlin', false],
    ['2031-05-05T05:00:00Z', 'Europe/Berlin', true],
    ['2031-05-05T09:59:00Z', 'Europe/Berlin', true],
    ['2031-05-05T10:00:00Z', 'Europe/Berlin', false],
    // Winter time.
    ['2031-12-01T05:30:00Z', 'Europe/Berlin', false],
    ['2031-12-01T06:00:00Z', 'Europe/Berlin', true],
    // Still Sunday in New York.
    ['2031-05-05T03:00:00Z', 'America/New_York', false],
    ['2031-05-06T05:00:00Z', 'Europe/Berlin', false],
  ] as const)
    test(`${at} in ${zone}: ${isDue}`, () => assert.equal(isWeeklyMailDue(new Date(at), zone), isDue))
})
