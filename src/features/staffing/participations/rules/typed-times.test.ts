import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signupForm } from '../schema.ts'
import { readOwnTime } from './typed-times.ts'

const DAY = { start: new Date('2031-05-04T06:00:00Z'), end: new Date('2031-05-04T14:00:00Z') }
const NIGHT = { start: new Date('2031-05-04T20:00:00Z'), end: new Date('2031-05-05T04:00:00Z') }

/** As the form reads it: what people typed, or what their browser made of it. */
function read(typed: string, field: 'start' | 'end', shift = DAY): string | undefined {
  const form = signupForm.schema.safeParse({ [field]: typed })
  return form.success ? readOwnTime(form.data[field]!, field, shift, 'Europe/Berlin').toString() : form.error.issues[0]?.message
}

describe('own times of a shift', () => {
  const CASES: [typed: string, time: string][] = [
    ['8', '08:00'],
    ['8.30', '08:30'],
    ['8:30', '08:30'],
    ['08:30', '08:30'],
    ['830', '08:30'],
    ['0830', '08:30'],
    ['8 Uhr', '08:00'],
    ['8 Uhr 30', '08:30'],
    ['8 am', '08:00'],
    ['8:30 pm', '20:30'],
    ['8h30', '08:30'],
    ['2031-05-04T08:30', '08:30'],
    ['2031-05-04 08:30', '08:30'],
    ['4.5.2031 8:30', '08:30'],
    ['4 May 2031 at 8:30 am', '08:30'],
  ]
  for (const [typed, time] of CASES) test(typed, () => assert.equal(read(typed, 'start'), `2031-05-04T${time}:00`))

  for (const typed of ['soon', '25', '8:60', '24:00', '31.2.2031 8:00'])
    test(`${typed} is none`, () => assert.equal(read(typed, 'start'), 'form.time_unreadable'))

  test('over midnight: an end before the start is on the next day', () => {
    assert.equal(read('2 Uhr', 'end', NIGHT), '2031-05-05T02:00:00')
    assert.equal(read('23', 'end', NIGHT), '2031-05-04T23:00:00')
    assert.equal(read('22:00', 'end', NIGHT), '2031-05-05T22:00:00')
    assert.equal(read('21', 'start', NIGHT), '2031-05-04T21:00:00')
  })

  test('within a day: an end before the start stays on the day, so that the form can say what is wrong', () =>
    assert.equal(read('7:00', 'end'), '2031-05-04T07:00:00'))
})
