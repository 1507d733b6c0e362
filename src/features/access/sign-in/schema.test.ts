import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_PASSWORD_LENGTH } from '#platform/auth/passwords.ts'
import { nextPath } from '#platform/http/next-path.ts'
import { signInForm } from './schema.ts'

describe('the redirect after signing in', () => {
  const KEPT = [
    ['/', '/'],
    ['/events/', '/events/'],
    ['/events/14-city-marathon/?tab=shifts#shift-3', '/events/14-city-marathon/?tab=shifts#shift-3'],
    ['/events/?q=a%2Fb%5C&next=https%3A%2F%2Fexample.org', '/events/?q=a%2Fb%5C&next=https%3A%2F%2Fexample.org'],
    ['/events/?q=//evil.example', '/events/?q=//evil.example'],
    ['/events/?q=für', '/events/?q=f%C3%BCr'],
    ['/events/%C3%BCbung/', '/events/%C3%BCbung/'],
    ['/accounts/loginish/', '/accounts/loginish/'],
    ['/a/../events/', '/events/'],
  ] as const
  for (const [wanted, expected] of KEPT) {
    test(`keeps ${wanted}`, () => assert.equal(nextPath(wanted), expected))
  }

  const REFUSED = [
    null,
    '',
    'events/',
    '?next=/',
    '#top',
    'https://evil.example/',
    'HTTPS:evil.example',
    'javascript:alert(1)',
    ' /events/',
    '\t//evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\\/evil.example',
    '/events\\..\\..',
    '/events/?q=\\',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\nSet-Cookie: a=b',
    '/\u0000/evil.example',
    '/events/\u007f',
    '/events/\u0085',
    '/%2Fevil.example',
    '/%2f%2fevil.example',
    '/%5Cevil.example',
    '/%252fevil.example',
    '/%25252fevil.example',
    '/%09/evil.example',
    '/%00',
    '/%0d%0aSet-Cookie:a=b',
    '/%zz',
    '/%',
    '/%252525252525252e/',
    '/..//evil.example',
    '/.//evil.example',
    '/%2e%2e//evil.example',
    '/events//evil.example',
    '/accounts/login',
    '/accounts/login/',
    '/accounts/login/?next=/events/',
    '/events/../accounts/logout/',
    '/accounts/logout/',
    `/${'a'.repeat(2_000)}`,
  ]
  for (const wanted of REFUSED) {
    test(`turns ${JSON.stringify(wanted)?.slice(0, 60)} into the start page`, () => assert.equal(nextPath(wanted), '/'))
  }

  test('never leads to another site when a browser parses it', () => {
    const here = 'https://turnout.example'
    for (const wanted of [...KEPT.map(([text]) => text), ...REFUSED]) {
      assert.equal(new URL(nextPath(wanted), here).origin, here, String(wanted))
    }
    // Without the check, the requested path leads to another site.
    assert.notEqual(new URL('/\t/evil.example', here).origin, here)
  })
})

describe('the sign-in form', () => {
  const keysOf = (input: unknown) => signInForm.schema.safeParse(input).error?.issues.map(({ message }) => message)

  test('accepts passwords up to the maximum length', () => {
    const email = 'ann@example.org'
    assert.equal(keysOf({ email, password: 'x'.repeat(MAX_PASSWORD_LENGTH) }), undefined)
    assert.deepEqual(keysOf({ email, password: 'x'.repeat(MAX_PASSWORD_LENGTH + 1) }), ['sign_in.password_long'])
  })

  test('reports missing values', () => {
    assert.deepEqual(keysOf({ email: '  ', password: '' }), ['sign_in.email_missing', 'sign_in.password_missing'])
  })

  test('refuses characters that the database cannot store', () => {
    assert.deepEqual(keysOf({ email: 'ann\0@example.org', password: 'x' }), ['form.one_line'])
  })
})
