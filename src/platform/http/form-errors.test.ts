import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { wordsFor } from '#platform/i18n/words.ts'
import { formErrors, parseLikeForm } from './form-errors.ts'
import { Problem } from './problem.ts'

const words = wordsFor('en', 'Europe/Berlin')
const number = z.string().superRefine((text, { addIssue }) => {
  const params = { min: 1, max: 9 }
  if (!/^\d$/.test(text)) addIssue({ code: 'custom', message: 'form.whole_number', params })
  if (text.length > 2) addIssue({ code: 'custom', message: 'form.one_line' })
})
const form = z.object({ name: z.string().min(2).regex(/^a/), count: number }).superRefine(({ name, count }, { addIssue }) => {
  if (name === 'ab' && count === '1') addIssue({ code: 'custom', message: 'form.one_line' })
  if (name === 'ab' && count === '1') addIssue({ code: 'custom', message: 'form.missing' })
})
const WHOLE = 'Please enter a whole number from 1 to 9.'
const ONE_LINE = 'Please write one line, without tabs and other control characters.'

const CASES: [what: string, values: Record<string, string>, errors: [field: string | undefined, text: string][]][] = [
  [
    'nothing',
    {},
    [
      ['name', 'Please fill this in.'],
      ['count', 'Please fill this in.'],
    ],
  ],
  ['two faults of one field', { name: 'x', count: '1' }, [['name', 'Please check this value.']]],
  [
    'two faults of one field and one of another',
    { name: 'x', count: '0.5' },
    [
      ['name', 'Please check this value.'],
      ['count', WHOLE],
    ],
  ],
  [
    'faults of the form as a whole',
    { name: 'ab', count: '1' },
    [
      [undefined, ONE_LINE],
      [undefined, 'Please fill this in.'],
    ],
  ],
]
for (const [what, values, errors] of CASES)
  test(`a form with ${what} shows the first fault of each field`, () => {
    const { error } = form.safeParse(values)
    assert.deepEqual(
      formErrors(error!, words).map(({ field, text }) => [field, text]),
      errors,
    )
  })

const BODIES: [values: Record<string, string>, errors: [pointer: string, code: string, detail: string][]][] = [
  [
    { name: 'x', count: '12.5' },
    [
      ['/title', 'too_small', 'Please check this value.'],
      ['/count', 'whole_number', WHOLE],
    ],
  ],
  [{ count: '1' }, [['/title', 'invalid_type', 'Please fill this in.']]],
  [{ name: 'ab', count: '1' }, [['', 'one_line', ONE_LINE]]],
]
for (const [values, errors] of BODIES)
  test(`a body with ${JSON.stringify(values)} gets the first fault of each key, by the name that it has in the body`, () => {
    assert.throws(
      () => parseLikeForm(form, values, { words, keys: { name: 'title' } }),
      (problem) => {
        assert.ok(problem instanceof Problem)
        assert.equal(problem.code, 'invalid_input')
        assert.deepEqual(
          problem.errors!.map(({ pointer, code, detail }) => [pointer, code, detail]),
          errors,
        )
        return true
      },
    )
  })

test('values without a fault are returned as the form reads them', () => {
  const read = z.object({ count: z.coerce.number() })
  assert.deepEqual(parseLikeForm(read, { count: '7', more: 'x' }, { words }), { count: 7 })
})
