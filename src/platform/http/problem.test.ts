import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messagesIn } from '#platform/i18n/catalogue.ts'
import { SOURCE_LANGUAGES } from '#platform/i18n/languages.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { PROBLEM_CODES, Problem, problemBody, problemDetail, problemTitle, statusOf } from './problem.ts'

for (const language of SOURCE_LANGUAGES) {
  const words = wordsFor(language, 'Europe/Berlin')
  test(`every problem has a title and a sentence in ${language}`, () => {
    for (const code of PROBLEM_CODES) {
      const problem = new Problem(code)
      assert.ok(messagesIn(language).has(`problem.${code}.title`), code)
      assert.match(problemTitle(problem, words), /\w{3}/)
      assert.match(problemDetail(problem, words), /\w{3}.*\.$/)
    }
  })
}

test('the languages differ', () => {
  const [en, de] = [wordsFor('en', 'UTC'), wordsFor('de', 'UTC')]
  for (const code of PROBLEM_CODES)
    assert.notEqual(problemDetail(new Problem(code), en), problemDetail(new Problem(code), de), code)
})

test('codes are snake_case and statuses are 4xx or 5xx, except that of a redirect', () => {
  for (const code of PROBLEM_CODES) {
    assert.match(code, /^[a-z]+(_[a-z]+)*$/)
    assert.ok(code === 'moved' ? statusOf(code) === 308 : statusOf(code) >= 400 && statusOf(code) < 600)
    assert.equal(new Problem(code).status, statusOf(code))
  }
})

test('a body is an RFC 9457 problem with its members in the documented order', () => {
  const words = wordsFor('en', 'UTC')
  const errors = [{ parameter: 'type', code: 'invalid_choice' as const, detail: 'No.' }]
  const cause = new Error('the password of the database')
  const body = problemBody(new Problem('invalid_input', { errors, cause }), words, 'id-1')
  assert.deepEqual(Object.keys(JSON.parse(body)), ['type', 'title', 'status', 'detail', 'code', 'request_id', 'errors'])
  assert.deepEqual(JSON.parse(body).errors, errors)
  assert.doesNotMatch(body, /password of the database/)
  const other = JSON.parse(problemBody(new Problem('refused', { detail: 'The shift is full.' }), words, 'id-2'))
  assert.deepEqual(
    [other.status, other.detail, other.code, other.request_id, 'errors' in other],
    [409, 'The shift is full.', 'refused', 'id-2', false],
  )
})
