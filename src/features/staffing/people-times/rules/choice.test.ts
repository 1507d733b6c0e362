import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { peopleUrl, periodOf, readPeopleChoice } from './choice.ts'

const TODAY = '2031-05-01'
const read = (query: string) => readPeopleChoice(new URLSearchParams(query), TODAY)

describe('what the page shows', () => {
  const plain = { view: 'week', day: TODAY, group: undefined, skill: undefined, search: '', page: 1 }
  const cases: [query: string, choice: object][] = [
    ['', plain],
    ['view=month', { ...plain, view: 'month' }],
    ['view=year', plain],
    ['day=2031-06-30&view=day', { ...plain, day: '2031-06-30', view: 'day' }],
    ['day=2031-06-31', plain],
    ['group=7&skill=3', { ...plain, group: 7, skill: 3 }],
    ['group=x&skill=-1&page=0', plain],
    ['q=+Ann+%00B+', { ...plain, search: 'Ann B' }],
    [`q=${'x'.repeat(101)}`, { ...plain, search: 'x'.repeat(100) }],
    ['page=1000', { ...plain, page: 1000 }],
    ['page=1001', plain],
  ]
  for (const [query, choice] of cases) test(query || 'nothing chosen', () => assert.deepEqual(read(query), choice))

  for (const query of ['', 'view=month&day=2031-06-30&group=7&skill=3&q=Ann+B&page=2'])
    test(`is in the address: ${query}`, () =>
      assert.equal(peopleUrl(read(query), TODAY), `/planning/people/${query && `?${query}`}`))
})

describe('the period', () => {
  const cases: [view: 'day' | 'week' | 'month', first: string, last: string, previous: string, next: string][] = [
    ['day', '2031-05-01', '2031-05-01', '2031-04-30', '2031-05-02'],
    ['week', '2031-04-28', '2031-05-04', '2031-04-21', '2031-05-05'],
    ['month', '2031-05-01', '2031-05-31', '2031-04-01', '2031-06-01'],
  ]
  for (const [view, first, last, previous, next] of cases)
    test(view, () => {
      const period = periodOf({ view, day: TODAY })
      assert.deepEqual([period.days[0], period.days.at(-1), period.previous, period.next], [first, last, previous, next])
    })
})
