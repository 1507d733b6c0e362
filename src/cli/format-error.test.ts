import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { OperatorError } from '#platform/operator-error.ts'
import { formatError } from './format-error.ts'

const withCode = (code: string, message: string) => Object.assign(new Error(message), { code })

const EXTERNAL = { DATABASE_URL: 'postgresql://turnout@db.example.org/turnout' }

const ONE_LINE: [name: string, error: unknown, line: RegExp][] = [
  ['a mistake of the operator', new OperatorError('the copy is damaged'), /^turnout: the copy is damaged$/],
  [
    'a refused connection',
    withCode('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'),
    /DATABASE_URL cannot be reached: connect/,
  ],
  ['a machine that is switched off', withCode('EHOSTUNREACH', 'connect EHOSTUNREACH 10.0.0.1'), /DATABASE_URL cannot be reached/],
  [
    'several hosts of which none is a primary',
    new Error('timeout exceeded when trying to connect: a:1, b:2'),
    /cannot be reached/,
  ],
  ['a server that ends while it is asked', new Error('Connection terminated unexpectedly'), /DATABASE_URL cannot be reached/],
  ['a wrong password', withCode('28P01', 'password authentication failed'), /DATABASE_URL cannot be reached: password/],
  ['an unknown database', withCode('3D000', 'database "x" does not exist'), /DATABASE_URL cannot be reached: database "x"/],
  ['a missing file', withCode('ENOENT', 'ENOENT: no such file, open x'), /^turnout: ENOENT: no such file, open x$/],
]

describe('error texts of commands', () => {
  for (const [name, error, line] of ONE_LINE)
    test(`${name}: one line`, () => {
      const text = formatError(error, EXTERNAL)
      assert.match(text, line)
      assert.doesNotMatch(text, /\n/)
    })

  for (const settings of [{ DATA_DIR: '/srv/turnout' }, { DATABASE_URL: '', DATA_DIR: '/srv/turnout' }])
    test(`a lost database without an address is the embedded one: ${JSON.stringify(settings)}`, () => {
      assert.equal(
        formatError(new Error('Connection terminated unexpectedly'), settings),
        'turnout: the embedded database in /srv/turnout cannot be reached: Connection terminated unexpectedly',
      )
    })

  test('a bug is printed with its stack trace', () => {
    assert.match(formatError(new TypeError('x is not a function'), EXTERNAL), /TypeError: x is not a function\n +at /)
  })
})
