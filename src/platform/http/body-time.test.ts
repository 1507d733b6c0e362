import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bodyDay, bodyTime } from './body-time.ts'

const TIMES: [text: string, isAccepted: boolean][] = [
  ['1972-12-31T23:59:59Z', false],
  ['1973-01-01T00:30:00+01:00', false],
  ['1973-01-01T00:00:00Z', true],
  ['9998-12-31T23:59:59Z', true],
  ['9998-12-31T23:30:00-01:00', false],
  ['9999-01-01T00:00:00Z', false],
  ['2031-05-04T08:00:00', false],
  ['tomorrow', false],
]
const DAYS: [text: string, isAccepted: boolean][] = [
  ['1972-12-31', false],
  ['1973-01-01', true],
  ['9998-12-31', true],
  ['9999-01-01', false],
  ['2031-02-29', false],
  ['tomorrow', false],
]
for (const [type, format, rows] of [
  [bodyTime, 'datetime', TIMES],
  [bodyDay, 'date', DAYS],
] as const)
  for (const [text, isAccepted] of rows)
    test(`${text} is ${isAccepted ? 'a' : 'no'} ${format} of a body`, () => {
      const issues = type.safeParse(text).error?.issues.map((issue) => [issue.code, 'format' in issue && issue.format])
      assert.deepEqual(issues, isAccepted ? undefined : [['invalid_format', format]])
    })
