import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRecentErrors, type Log, makeLog } from './log.ts'

function written(say: (log: Log) => void, level = 'trace'): string {
  let text = ''
  say(
    makeLog(level, {
      write: (line) => {
        text += line
      },
    }),
  )
  return text
}

const REMOVED = ['authorization', 'cookie', 'password', 'token', 'secret', 'email']
for (const name of REMOVED) {
  test(`${name} is removed at the top level and when nested`, () => {
    const text = written((log) => log.info({ [name]: 'canary', inside: { [name]: 'canary', kept: 'this' } }, 'said'))
    assert.doesNotMatch(text, /canary/)
    const line = JSON.parse(text)
    assert.deepEqual([line[name], line.inside[name], line.inside.kept, line.msg], ['[removed]', '[removed]', 'this', 'said'])
  })
}

test('headers of requests and responses are removed completely', () => {
  assert.doesNotMatch(
    written((log) => log.warn({ req: { headers: { 'x-any': 'canary' } }, res: { headers: ['canary'] } })),
    /canary/,
  )
})

test('an error is logged with its stack and causes, without row data', () => {
  const cause = Object.assign(new Error('violates check "x"'), {
    code: '23514',
    table: 'user_profile',
    constraint: 'x',
    detail: 'Failing row contains (canary@a.example)',
    where: 'canary',
    parameters: ['canary'],
  })
  const text = written((log) => log.error({ err: new TypeError('outer', { cause }) }, 'failed'))
  assert.doesNotMatch(text, /canary/)
  const { err } = JSON.parse(text)
  assert.deepEqual(
    [err.type, err.message, err.cause.code, err.cause.table, err.cause.constraint],
    ['TypeError', 'outer', '23514', 'user_profile', 'x'],
  )
  assert.match(err.stack, /log\.test\.ts/)
})

test('thrown values that are not errors are logged, too', () => {
  assert.match(
    written((log) => log.error({ err: 'just words' })),
    /just words/,
  )
})

test('lines below the level are not written, and no line names the machine', () => {
  assert.equal(
    written((log) => log.info('quiet'), 'warn'),
    '',
  )
  assert.equal(
    written((log) => log.fatal('quiet'), 'silent'),
    '',
  )
  assert.deepEqual(Object.keys(JSON.parse(written((log) => log.info('x')))).sort(), ['level', 'msg', 'time'])
})

test('recent errors name the job, and not its message', () => {
  const log = makeLog('error', { write: () => {} })
  log.error({ worker: 'Failed task 3 (send_mails) with error for ann@example.org', task: 'send_mails' }, 'background job failed')
  assert.equal(findRecentErrors().at(-1)?.what, 'background job failed · send_mails')
})
