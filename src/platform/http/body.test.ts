import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { SINGLE_LINE } from '#platform/single-line.ts'
import { findPartErrors, judgeWriteBody } from './body.ts'
import { Problem } from './problem.ts'

function parse(value: unknown, schema: z.ZodType | undefined, language: 'en' | 'de'): unknown {
  const { body, errors } = judgeWriteBody(value, schema, language)
  if (errors.length) throw new Problem('invalid_input', { errors })
  return body
}

const errorsOf = (act: () => unknown): string[] => {
  try {
    act()
  } catch (error) {
    assert.ok(error instanceof Problem && error.code === 'invalid_input')
    return error.errors!.map(({ pointer, code }) => `${pointer} ${code}`)
  }
  return []
}

describe('a body', () => {
  const schema = z.strictObject({
    name: z.string().regex(SINGLE_LINE).optional(),
    'a/b~c': z.int().optional(),
    list: z.array(z.strictObject({ id: z.int() })).optional(),
    any: z.unknown().optional(),
  })
  const CASES: [what: string, value: unknown, errors: string[]][] = [
    ['without a fault', { name: 'Ann', list: [{ id: 1 }] }, []],
    ['with a wrong type', { name: 7 }, ['/name invalid_type']],
    ['with a name that JSON pointers escape', { 'a/b~c': 'x' }, ['/a~1b~0c invalid_type']],
    ['with unknown keys', { x: 1, y: 2 }, ['/x unrecognized_keys', '/y unrecognized_keys']],
    ['with an unknown key inside of a list', { list: [{ id: 1 }, { id: 2, x: 1 }] }, ['/list/1/x unrecognized_keys']],
    ['that is no object', [], [' invalid_type']],
    ['with several faults', { name: 7, list: [{ id: 'x' }] }, ['/name invalid_type', '/list/0/id invalid_type']],
    ['with a null character', { name: 'a\0b' }, ['/name invalid_format', '/name invalid_text']],
    ['with half of a surrogate pair', { any: { deep: ['fine', 'a\uD800'] } }, ['/any/deep/1 invalid_text']],
    ['with a null character in a key', { any: { 'a\0': 1 } }, ['/any invalid_text']],
    ['with null, numbers and both halves', { any: [null, 1, true, '😀'] }, []],
  ]
  for (const [what, value, errors] of CASES)
    test(what, () =>
      assert.deepEqual(
        errorsOf(() => parse(value, schema, 'en')),
        errors,
      ),
    )

  test('without a schema must be empty', () => {
    assert.deepEqual(parse({}, undefined, 'en'), {})
    assert.deepEqual(
      errorsOf(() => parse({ a: 1 }, undefined, 'en')),
      ['/a unrecognized_keys'],
    )
  })

  test('is returned as the schema reads it', () => {
    assert.deepEqual(parse({ n: '7' }, z.object({ n: z.coerce.number() }), 'en'), { n: 7 })
  })

  test('with unknown keys gets an error for each that names only this one', () => {
    assert.throws(
      () => parse({ x: 1, y: 2 }, schema, 'en'),
      (problem) => {
        const details = (problem as Problem).errors!.map(({ detail }) => detail)
        assert.deepEqual(details, ['Unrecognized key: "x"', 'Unrecognized key: "y"'])
        return true
      },
    )
  })

  // The answers would be some hundred megabytes.
  const MANY = Array.from({ length: 5_000 }, (_, index) => index)
  const LARGE: [what: string, value: unknown][] = [
    ['many unknown keys', Object.fromEntries(MANY.map((index) => [`unknown key ${index}`, 1]))],
    ['many mistakes under a long key', { any: { ['k'.repeat(50_000)]: MANY.map(() => '\0') } }],
    ['many wrong types', { list: MANY }],
  ]
  for (const [what, value] of LARGE)
    test(`with ${what} gets the first errors`, () => {
      assert.throws(
        () => parse(value, schema, 'en'),
        (problem) => {
          const { errors = [] } = problem as Problem
          assert.ok(errors.length >= 1 && errors.length < MANY.length, `${errors.length} errors`)
          assert.ok(JSON.stringify(errors).length < 250_000)
          return true
        },
      )
    })

  test('gets its errors in the language of the caller', () => {
    for (const [language, text] of [
      ['en', /one line/],
      ['de', /eine Zeile/],
    ] as const)
      assert.throws(
        () => parse({ name: 'a\tb' }, schema, language),
        (problem) => text.test((problem as Problem).errors![0]!.detail),
      )
  })
})

describe('a part of a body', () => {
  const schema = z.looseObject({
    min: z.int().nullish(),
    teams: z.array(z.looseObject({ title: z.string() })).optional(),
  })
  const CASES: [what: string, value: unknown, errors: string[]][] = [
    ['without a fault', { min: 1, teams: [{ title: 'A' }] }, []],
    ['that is empty', {}, []],
    ['with null where it may be', { min: null }, []],
    ['with a wrong type', { min: 'x' }, ['/shifts/0/min invalid_type']],
    ['with an unknown key', { mim: 1 }, ['/shifts/0/mim unrecognized_keys']],
    [
      'with an unknown key in a list',
      { teams: [{ title: 'A' }, { title: 'B', titel: 'C' }] },
      ['/shifts/0/teams/1/titel unrecognized_keys'],
    ],
    ['with both', { min: 'x', mim: 1 }, ['/shifts/0/min invalid_type', '/shifts/0/mim unrecognized_keys']],
    ['with a key that the schema does not have and that is allowed', { former: 1, teams: [{ title: 'A', former: 2 }] }, []],
    ['that is no object', 'x', ['/shifts/0 invalid_type']],
  ]
  for (const [what, value, errors] of CASES)
    test(what, () => {
      const found = findPartErrors(schema, value, { language: 'en', at: ['shifts', 0], allowedKeys: new Set(['former']) })
      assert.deepEqual(
        found.map(({ pointer, code }) => `${pointer} ${code}`),
        errors,
      )
      for (const { detail } of found) assert.ok(detail.length > 5)
    })
})
