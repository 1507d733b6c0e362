import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { judgeAdministrator } from './administrator.ts'

const OLGA = { name: 'Olga', email: 'olga@example.org', password: 'seven quiet lamps' }

describe('a new administrator', () => {
  test('needs nothing else', () => assert.deepEqual(judgeAdministrator(OLGA), []))

  test('is told all that is wrong at once', () => {
    assert.deepEqual(judgeAdministrator({ name: '', email: '', password: '' }), [
      'name_missing',
      'email_missing',
      'password_short',
    ])
  })

  for (const email of [
    'olga',
    'olga@',
    '@example.org',
    'ol ga@example.org',
    'olga@@example.org',
    'olga@exam\nple.org',
    `${'o'.repeat(250)}@a.de`,
  ]) {
    test(`is refused with the address ${JSON.stringify(email).slice(0, 30)}`, () =>
      assert.deepEqual(judgeAdministrator({ ...OLGA, email }), ['email_invalid']))
  }
  for (const email of ['olga@localhost', 'olga+turnout@example.org', 'ölga@exämple.org']) {
    test(`may have the address ${email}`, () => assert.deepEqual(judgeAdministrator({ ...OLGA, email }), []))
  }

  test('has a name of at most 254 characters', () => {
    assert.deepEqual(judgeAdministrator({ ...OLGA, name: 'O'.repeat(254) }), [])
    assert.deepEqual(judgeAdministrator({ ...OLGA, name: 'O'.repeat(255) }), ['name_long'])
  })
})
