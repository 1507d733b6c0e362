import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { judgeWriteBody } from './body.ts'
import { repairBody } from './rule-pass.ts'

const shift = z.strictObject({ start: z.iso.datetime(), end: z.iso.datetime(), label: z.string().optional() })
const schema = z.strictObject({
  title: z.string().min(2),
  type: z.int().min(5),
  kind: z.enum(['a', 'b']),
  tags: z.array(z.string()).optional(),
  note: z.string().nullable().optional(),
  shifts: z.array(shift).default([]),
})
const START = '2031-05-04T08:00:00Z'
const GOOD = { title: 'Harbour', type: 7, kind: 'b', shifts: [{ start: START, end: START }] }

function repair(value: unknown) {
  const { errors } = judgeWriteBody(value, schema, 'en')
  assert.ok(errors.length)
  return repairBody(value, schema, errors)
}

describe('a body with wrong types', () => {
  for (const [what, wrong, body] of [
    ['a required text', { title: 5 }, { title: 'xx' }],
    ['a required text that is missing', { title: undefined }, { title: 'xx' }],
    ['a required number', { type: 'x' }, { type: 5 }],
    ['a choice', { kind: 'c' }, { kind: 'a' }],
    ['an optional value', { note: 5, tags: 'x' }, {}],
    ['an element of a list', { tags: ['x', 5] }, { tags: ['x', 'x'] }],
    ['an unknown key', { colour: 'red' }, {}],
    ['a time in a list', { shifts: [{ start: 'x', end: START }] }, { shifts: [{ start: '2020-01-01T00:00:00Z', end: START }] }],
  ] as const)
    test(`is repaired for the rules: ${what}`, () => {
      assert.deepEqual(repair({ ...GOOD, ...wrong })?.body, { ...GOOD, ...body })
    })

  for (const [what, value] of [
    ['no object', []],
    ['a part that is not there', { ...GOOD, shifts: [5, { start: START, end: 5 }], title: null, 'a\0': 1 }],
  ] as const)
    test(`is not judged: ${what}`, () => {
      assert.equal(repair(value), undefined)
    })

  test('is judged where it is right, and where no time beside is wrong', () => {
    const { isJudged } = repair({
      ...GOOD,
      type: 'x',
      shifts: [
        { start: 'x', end: START },
        { start: START, end: START },
      ],
    })!
    const judged = (pointer?: string) => isJudged({ ...(pointer === undefined ? {} : { pointer }), code: 'custom', detail: '' })
    assert.deepEqual(
      ['/title', '/shifts/1/end', '/type', '/type/x', '/shifts/0/end', '/shifts', '/note', '', undefined].map(judged),
      [true, true, false, false, false, false, false, false, false],
    )
  })
})
