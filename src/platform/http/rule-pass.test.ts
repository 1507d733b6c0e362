import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { judgeWriteBody } from './body.ts'
import { Problem, type ProblemCode } from './problem.ts'
import { collectMistakes, repairBody } from './rule-pass.ts'

const shift = z.strictObject({ start: z.iso.datetime(), end: z.iso.datetime(), label: z.string().optional() })
const schema = z.strictObject({
  title: z.string().min(2),
  type: z.int().min(5),
  size: z.number().positive().max(9),
  kind: z.enum(['a', 'b', 'c']),
  only: z.literal('x').optional(),
  isOpen: z.boolean().default(false),
  day: z.iso.date().nullable().optional(),
  tags: z.array(z.string()).optional(),
  pairs: z.array(z.int()).min(2).optional(),
  note: z.string().nullable().optional(),
  shifts: z.array(shift).default([]),
})
const START = '2031-05-04T08:00:00Z'
const END = '2031-05-04T12:00:00Z'
const EARLY = '1973-02-01T00:00:00Z'
const LATE = '2198-12-01T00:00:00Z'
const GOOD = { title: 'Harbour', type: 7, size: 2, kind: 'b', shifts: [{ start: START, end: END }] }

function repair(value: unknown): unknown[] {
  const { errors } = judgeWriteBody(value, schema, 'en')
  assert.ok(errors.length)
  return [...repairBody(value, schema, errors)]
}

describe('a body with wrong types', () => {
  const CASES: [what: string, wrong: object, bodies: object[]][] = [
    ['a required text', { title: 5 }, [{ title: 'xx' }]],
    ['a required text that is missing', { title: undefined }, [{ title: 'xx' }]],
    ['a required whole number', { type: 'x' }, [{ type: 5 }, { type: 2_147_483_647 }]],
    ['a required number', { size: 'x' }, [{ size: 1 }, { size: 9 }]],
    ['a choice', { kind: 'd' }, [{ kind: 'a' }, { kind: 'b' }, { kind: 'c' }]],
    ['the only choice', { only: 5 }, [{}, { only: 'x' }]],
    ['a condition', { isOpen: 'x' }, [{}, { isOpen: false }, { isOpen: true }]],
    ['a day that can be null', { day: 5 }, [{}, { day: '1973-02-01' }, { day: '2198-12-01' }]],
    ['an optional text', { note: 5 }, [{}, { note: 'x' }]],
    ['lists', { tags: 'x', pairs: [1] }, [{}, { tags: [], pairs: [1, 1] }]],
    ['an element of a list', { tags: ['x', 5] }, [{ tags: ['x', 'x'] }]],
    ['an unknown key', { colour: 'red' }, [{}]],
    ['an unknown key with a text that cannot be stored', { colour: { red: 'a\0' } }, [{}]],
    [
      'a time in a list',
      { shifts: [{ start: 'x', end: START }] },
      [{ shifts: [{ start: EARLY, end: START }] }, { shifts: [{ start: LATE, end: START }] }],
    ],
    ['an object', { shifts: [5] }, [{ shifts: [{ start: EARLY, end: EARLY }] }]],
  ]
  for (const [what, wrong, bodies] of CASES)
    test(`is repaired for the rules: ${what}`, () => {
      const { [Object.keys(wrong)[0] as 'title']: _, ...rest } = GOOD
      const repaired = repair({ ...GOOD, ...wrong })
      assert.deepEqual(
        repaired,
        bodies.map((body) => ({ ...rest, ...body })),
      )
      for (const body of repaired) assert.ok(schema.safeParse(body).success)
    })

  for (const [what, value] of [
    ['no object', []],
    ['a text that cannot be stored in a key', { ...GOOD, 'a\0': 1 }],
  ] as const)
    test(`is not repaired: ${what}`, () => {
      assert.deepEqual(repair(value), [])
    })
})

describe('mistakes in types and what the rules say', () => {
  type Shift = { start: string; end: string }
  const error = (pointer: string | undefined, code = 'custom') =>
    ({ ...(pointer === undefined ? {} : { pointer }), code, detail: '' }) as { code: 'custom'; detail: string }
  /** As a command that finds all mistakes of the values. */
  const judge = ({ title, kind, size, shifts }: z.infer<typeof schema>) => [
    ...(title === 'Bad' ? [error('/title'), error(undefined), error('')] : []),
    ...(kind === 'c' ? [error('/note')] : []),
    ...(size > 5 ? [error('/tags')] : []),
    ...shifts.flatMap(({ start, end }: Shift, row: number) =>
      start < end ? [] : [error(`/shifts/${row}/end`, 'end_before_start'), error(`/shifts/${row}/start`)],
    ),
  ]
  async function collect(value: object, answer: ProblemCode = 'invalid_input') {
    const tried: unknown[] = []
    const { errors } = judgeWriteBody(value, schema, 'en')
    const problem = await collectMistakes({ value, endpoint: { body: schema }, errors }, 'en', async (body) => {
      tried.push(body)
      const found = judge(body as z.infer<typeof schema>)
      if (found.length) throw new Problem(answer, { errors: found })
    })
    assert.equal(problem.code, 'invalid_input')
    return { tried: tried.length, added: problem.errors!.slice(errors.length).map(({ pointer }) => pointer) }
  }
  const CASES: [what: string, value: object, added: string[]][] = [
    ['what the rules say of other values', { title: 'Bad', type: 'x' }, ['/title', '']],
    ['of a time beside one that is wrong, what they say of all times', { shifts: [{ start: 'x', end: END }] }, []],
    ['of values beside a wrong time', { title: 'Bad', shifts: [{ start: START, end: 'x' }] }, ['/title', '']],
    [
      'of other elements',
      {
        shifts: [
          { start: 'x', end: START },
          { start: START, end: START },
        ],
      },
      ['/shifts/1/end', '/shifts/1/start'],
    ],
    ['nothing that depends on a choice that is wrong', { kind: 'x' }, []],
    ['what depends on a choice that is right', { kind: 'c', type: 'x' }, ['/note']],
    ['nothing that depends on a number that is wrong', { size: 'x' }, []],
  ]
  for (const [what, value, added] of CASES)
    test(`come together: ${what}`, async () => {
      assert.deepEqual((await collect({ ...GOOD, ...value })).added, added)
    })

  test('refusals that name a value count as well, other problems do not', async () => {
    const value = { ...GOOD, title: 'Bad', type: 'x' }
    assert.deepEqual((await collect(value, 'refused')).added, ['/title', ''])
    assert.deepEqual(await collect(value, 'not_found'), { tried: 1, added: [] })
  })

  test('the rules are asked until nothing is left that could be said of all bodies', async () => {
    assert.equal((await collect({ ...GOOD, kind: 'x' })).tried, 1)
    assert.equal((await collect({ ...GOOD, title: 'Bad', kind: 'x' })).tried, 3)
  })

  test('what the schema says only of right types comes with them, and is no matter for the rules', async () => {
    const either = z.strictObject({
      type: z.int(),
      rule: z
        .object({ times: z.int().optional(), until: z.string().optional() })
        .refine(({ times, until }) => (times ?? until) !== undefined, 'Either'),
    })
    const value = { type: 'x', rule: {} }
    const { errors } = judgeWriteBody(value, either, 'en')
    const { errors: all } = await collectMistakes({ value, endpoint: { body: either }, errors }, 'en', () => assert.fail())
    assert.deepEqual(
      all!.map(({ pointer, code }) => `${pointer} ${code}`),
      ['/type invalid_type', '/rule custom'],
    )
  })

  test('a value that is missed counts only where the rules were asked with all others, too', async () => {
    const rule = z.object({ times: z.int().optional() }).refine(({ times }) => times !== undefined)
    const dated = z.strictObject({ rule: rule.optional(), note: z.string().optional(), title: z.string() })
    const value = { rule: {}, title: '' }
    const { errors } = judgeWriteBody(value, dated, 'en')
    const refuse = () => Promise.reject(new Problem('invalid_input', { errors: [error('/dates'), error('/title')] }))
    const { errors: all } = await collectMistakes({ value, endpoint: { body: dated }, errors }, 'en', refuse)
    assert.deepEqual(
      all!.map(({ pointer }) => pointer),
      ['/rule', '/title'],
    )
    const wrong = { note: 5, title: '' }
    const { errors: types } = judgeWriteBody(wrong, dated, 'en')
    const { errors: sure } = await collectMistakes({ value: wrong, endpoint: { body: dated }, errors: types }, 'en', refuse)
    assert.deepEqual(
      sure!.map(({ pointer }) => pointer),
      ['/note', '/dates', '/title'],
    )
  })

  test('a value that does not fit its column says nothing about the others; other faults are answered as faults', async () => {
    const value = { ...GOOD, type: 'x' }
    const { errors } = judgeWriteBody(value, schema, 'en')
    const fail = (code: string) => () => Promise.reject(Object.assign(new Error('failed'), { code }))
    for (const code of ['22003', '23503'])
      assert.equal((await collectMistakes({ value, endpoint: { body: schema }, errors }, 'en', fail(code))).errors!.length, 1)
    await assert.rejects(collectMistakes({ value, endpoint: { body: schema }, errors }, 'en', fail('42601')), /failed/)
  })

  test('endpoints that prepare something long ask no rules', async () => {
    const value = { ...GOOD, type: 'x' }
    const { errors } = judgeWriteBody(value, schema, 'en')
    const endpoint = { body: schema, prepare: async () => assert.fail() }
    assert.deepEqual((await collectMistakes({ value, endpoint, errors }, 'en', () => assert.fail())).errors, errors)
  })
})
