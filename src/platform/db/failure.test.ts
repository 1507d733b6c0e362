import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Failure, readFailure } from './failure.ts'

const withCode = (code: unknown, message = 'failed') => Object.assign(new Error(message), { code })

const CASES: [what: string, error: unknown, expected: Failure][] = [
  ['a serialization failure', withCode('40001'), 'busy'],
  ['a deadlock', withCode('40P01'), 'busy'],
  ['a statement that took too long', withCode('57014'), 'busy'],
  ['a lock that was not available', withCode('55P03'), 'busy'],
  ['too many connections', withCode('53300'), 'busy'],
  ['a full disk', withCode('53100'), 'busy'],
  ['a server that is a standby by now', withCode('25006'), 'busy'],
  ['a server that shuts down', withCode('57P01'), 'busy'],
  ['a server that starts', withCode('57P03'), 'busy'],
  ['a connection failure', withCode('08006'), 'busy'],
  ['a refused connection', withCode('ECONNREFUSED'), 'busy'],
  ['a reset connection', withCode('ECONNRESET'), 'busy'],
  ['a missing socket', withCode('ENOENT', 'connect ENOENT /run/.s.PGSQL.5432'), 'busy'],
  ['a host without a route', withCode('EHOSTUNREACH'), 'busy'],
  ['a temporary failure of name resolution', withCode('EAI_AGAIN', 'getaddrinfo EAI_AGAIN db'), 'busy'],
  ['an unknown host name', withCode('ENOTFOUND', 'getaddrinfo ENOTFOUND db'), 'busy'],
  ['a closed pipe', withCode('EPIPE'), 'busy'],
  ['a terminated connection', new Error('Connection terminated unexpectedly'), 'busy'],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect'), 'busy'],
  ['a broken client', new Error('Client has encountered a connection error and is not queryable'), 'busy'],
  ['a closed client', new Error('Client was closed and is not queryable'), 'busy'],
  ['a number out of range', withCode('22003'), 'bad_input'],
  ['a NUL character', withCode('22021'), 'bad_input'],
  ['a text that is not a number', withCode('22P02'), 'bad_input'],
  ['a date that does not exist', withCode('22008'), 'bad_input'],
  ['a violated unique constraint', withCode('23505'), 'conflict'],
  ['a violated check constraint', withCode('23514'), undefined],
  ['a violated foreign key', withCode('23503'), 'conflict'],
  ['a row that others refer to', withCode('23001'), 'conflict'],
  ['an unknown column', withCode('42703'), undefined],
  ['an error of the program', new TypeError('x is undefined'), undefined],
  ['an error with a numeric code', withCode(40001), undefined],
  ['a missing file', withCode('ENOENT', "ENOENT: no such file or directory, open '/etc/x'"), undefined],
  ['no error at all', 'failed', undefined],
  ['nothing', undefined, undefined],
]

for (const [what, error, expected] of CASES)
  test(`${what} is ${expected ?? 'a bug'}`, () => assert.equal(readFailure(error), expected))
