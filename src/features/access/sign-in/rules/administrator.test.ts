import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAdministrator } from './administrator.ts'

const OLGA = { name: 'Olga', email: 'olga@example.org', password: 'seven quiet lamps' }

describe('a new administrator', () => {
  test('needs a name, an e-mail address and a password', () => assert.deepEqual(checkAdministrator(OLGA), []))

  test('gets all reasons at once', () => {
    assert.deepEqual(checkAdministrator({ name: '', email: '', password: '' }), [
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
      assert.deepEqual(checkAdministrator({ ...OLGA, email }), ['email_invalid']))
  }
  for (const email of [`${'o'.repeat(249)}@a.de`, 'olga@localhost', 'olga+turnout@example.org', 'ölga@exämple.org']) {
    test(`may have the address ${email}`, () => assert.deepEqual(checkAdministrator({ ...OLGA, email }), []))
  }

  test('has a name of at most 254 characters', () => {
    assert.deepEqual(checkAdministrator({ ...OLGA, name: 'O'.repeat(254) }), [])
    assert.deepEqual(checkAdministrator({ ...OLGA, name: 'O'.repeat(255) }), ['name_long'])
  })
})
