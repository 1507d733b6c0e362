import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { kindOfAnswer, kindOfStatus, readRefusal } from '#platform/mail/refusals.ts'
import { addressWithToken, findTokens, formatBounceToken, isTimely, parseBounceToken, signatureOf } from './bounce-token.ts'
import { parseStatusReport } from './delivery-status.ts'
import { readBounces } from './webhook-bounces.ts'

describe('status codes', () => {
  for (const [status, kind] of [
    ['5.1.1', 'hard'],
    ['5.1.10', 'hard'],
    ['5.2.1', 'hard'],
    ['5.4.4', 'hard'],
    ['5.0.0', 'hard'],
    ['5.2.2', 'soft'],
    ['4.4.7', 'soft'],
    ['5.7.1', 'other'],
    ['5.7.26', 'other'],
    ['5.1.8', 'other'],
    ['5.6.0', 'other'],
    ['2.0.0', 'other'],
    ['', 'other'],
  ] as const)
    test(`${status || 'none'} is ${kind}`, () => assert.equal(kindOfStatus(status), kind))

  for (const [answer, kind] of [
    ['550 5.1.1 <a@b.example>: Recipient address rejected: User unknown', 'hard'],
    ['550 No such user here', 'hard'],
    ['553 sorry, that mailbox does not exist', 'hard'],
    ['550 5.7.1 Message blocked: user reported spam', 'other'],
    ['554 5.7.1 relay access denied', 'other'],
    ['550 relay not permitted for this recipient', 'other'],
    ['550 rejected', 'other'],
    ['452 4.2.2 mailbox full', 'soft'],
    ['535 5.7.8 authentication failed', 'other'],
  ] as const)
    test(`${answer} is ${kind}`, () => assert.equal(kindOfAnswer(answer), kind))

  test('only an answer to RCPT TO is about the recipient', () => {
    const error = (command: string) => Object.assign(new Error('x'), { command, response: '550 5.1.1 <ann@a.example> unknown' })
    assert.deepEqual(readRefusal(error('RCPT TO')), { reason: '550 5.1.1 <…> unknown' })
    for (const command of ['MAIL FROM', 'DATA', 'AUTH PLAIN']) assert.equal(readRefusal(error(command)), undefined)
    assert.deepEqual(
      readRefusal(Object.assign(new Error('all rejected'), { rejectedErrors: [error('RCPT TO')] }))?.reason.slice(0, 9),
      '550 5.1.1',
    )
    assert.equal(readRefusal(new Error('connect ECONNREFUSED')), undefined)
  })
})

describe('tokens in addresses', () => {
  const token = { recipient: { kind: 'guest' as const, id: 123_456 }, sentAt: new Date('2031-05-01T10:00:00Z') }
  const text = formatBounceToken(token, 'ab'.repeat(13))

  test('are read as they were written, in any case, and fit into an address', () => {
    const address = addressWithToken('bounces@a.example', text)
    assert.ok(address.split('@')[0]!.length <= 64, address)
    assert.deepEqual(findTokens(`"x" <${address.toUpperCase()}>, other+thing@a.example`).map(parseBounceToken), [
      { ...token, signature: 'ab'.repeat(13) },
    ])
    for (const bad of ['', 'x', `${text}0`, text.slice(1).replace('-', ''), text.replace(/.$/, 'z')])
      assert.equal(parseBounceToken(bad), undefined, bad)
  })

  test('of accounts have no prefix', () => {
    const account = { ...token, recipient: { kind: 'user' as const, id: 35 } }
    const written = formatBounceToken(account, 'ab'.repeat(13))
    assert.match(written, /^z-/)
    assert.deepEqual(parseBounceToken(written), { ...account, signature: 'ab'.repeat(13) })
  })

  test('stand between the name and the host of the address', () =>
    assert.equal(addressWithToken('bounces@a.example', 'TOKEN'), 'bounces+TOKEN@a.example'))

  test('are signed with the first 104 bits, as hexadecimal digits', () =>
    assert.equal(signatureOf(Buffer.from('0123456789abcdef0123456789abcdef', 'hex')), '0123456789abcdef0123456789'))

  const day = 24 * 3600_000
  for (const [what, ms, expected] of [
    ['10 minutes before they were sent, as clocks differ', -600_000, true],
    ['more than 10 minutes before they were sent', -600_001, false],
    ['when they were sent', 0, true],
    ['30 days later', 30 * day, true],
    ['more than 30 days later', 30 * day + 1, false],
  ] as const)
    test(`${expected ? 'count' : 'do not count'} ${what}`, () =>
      assert.equal(isTimely(token, new Date(token.sentAt.getTime() + ms)), expected))
})

const REPORT = [
  'Delivered-To: bounces+3-s1-x@a.example',
  'From: MAILER-DAEMON@mail.example',
  'To: bounces@a.example',
  'Content-Type: multipart/report; report-type=delivery-status;',
  '\tboundary="=_b/1"',
  '',
  'This is a MIME message.',
  '',
  '--=_b/1',
  'Content-Type: text/plain',
  '',
  'Status: 5.1.1 is what we say.',
  '',
  '--=_b/1',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mail.example',
  '',
  'Final-Recipient: rfc822; ann@b.example',
  'Action: failed',
  'Status: 5.1.1',
  'Diagnostic-Code: smtp; 550 5.1.1 <ann@b.example>:',
  '    User unknown',
  '',
  '--=_b/1--',
].join('\r\n')

describe('reports of mail servers', () => {
  test('give status, action, reason and the addresses that they came to', () => {
    assert.deepEqual(parseStatusReport(REPORT), {
      addresses: 'bounces+3-s1-x@a.example\nbounces@a.example',
      failures: [{ status: '5.1.1', action: 'failed', reason: '550 5.1.1 <ann@b.example>: User unknown' }],
    })
  })

  test('inside of another message with several parts are found', () => {
    const wrapped = `To: b@a.example\nContent-Type: multipart/mixed; boundary=outer\n\n--outer\n${REPORT.slice(REPORT.indexOf('Content-Type'))}\n--outer--\n`
    assert.equal(parseStatusReport(wrapped)?.failures.length, 1)
  })

  for (const name of ['Delivered-To', 'X-Original-To', 'Envelope-To', 'X-Envelope-To', 'To'])
    test(`name the address that they came to in ${name}`, () => {
      const report = REPORT.replace(/^Delivered-To.*\r\n/, '').replace('To: bounces@a.example', `${name}: bounces+4@a.example`)
      assert.equal(parseStatusReport(report)?.addresses, 'bounces+4@a.example')
    })

  const STATUS_PART = 'Content-Type: message/delivery-status\n\nStatus: 5.1.1\n'
  const inParts = (levels: number) =>
    Array.from({ length: levels }).reduce<string>(
      (part, _, level) => `Content-Type: multipart/mixed; boundary=x${level}x\n\n--x${level}x\n${part}\n--x${level}x--\n`,
      STATUS_PART,
    )
  const afterParts = (count: number) =>
    `Content-Type: multipart/report; boundary=x\n\n${'--x\n\ntext\n'.repeat(count)}--x\n${STATUS_PART}\n--x--\n`

  for (const [what, message] of [
    ['in parts of 5 levels', inParts(5)],
    ['after 48 other parts', afterParts(48)],
  ] as const)
    test(`are found ${what}`, () =>
      assert.deepEqual(parseStatusReport(message)?.failures, [{ status: '5.1.1', action: '', reason: '5.1.1' }]))

  for (const [what, message] of [
    ['a status in parts of 6 levels', inParts(6)],
    ['a status after 49 other parts', afterParts(49)],
    ['a status after the end of the parts', `Content-Type: multipart/report; boundary=x\n\n--x--\n--x\n${STATUS_PART}`],
    ['a status in the text of a part', `Content-Type: multipart/report; boundary=x\n\n--x\n\n${STATUS_PART}\n--x--\n`],
    ['a status in a text with a boundary', inParts(1).replace('multipart/mixed', 'text/plain')],
    ['a message with parts, but without a boundary', inParts(1).replace('; boundary=x0x', '')],
    ['an automatic reply', 'To: b@a.example\nSubject: Away\n\nStatus: 5.1.1\n'],
    ['a text that looks like a report', REPORT.replace('message/delivery-status', 'text/plain')],
    ['a report without a recipient', REPORT.replace('Status: 5.1.1\r\n', '')],
    ['nothing', ''],
    ['a part without an end', 'Content-Type: multipart/report; boundary=x\n\n--x'],
    ['parts in parts without end', 'Content-Type: multipart/mixed; boundary=x\n\n--x\n'.repeat(500)],
  ] as const)
    test(`${what} is no report`, () => assert.equal(parseStatusReport(message), undefined))
})

describe('webhooks of mail services', () => {
  const at = '2031-05-01T09:00:00.000Z'
  const seconds = Date.parse(at) / 1000
  for (const [what, body, expected] of [
    ['our own shape', { recipient: 'a@b.example', type: 'hard', reason: 'gone', at }, 'hard gone'],
    ['several', [{ recipient: 'a@b.example', type: 'soft', reason: 'full', at }], 'soft full'],
    [
      'Mailgun',
      {
        signature: { token: 'x' },
        'event-data': {
          event: 'failed',
          severity: 'permanent',
          recipient: 'a@b.example',
          timestamp: seconds,
          reason: 'bounce',
          'delivery-status': { code: 550, message: 'no such user' },
          message: { headers: { to: 'a@b.example', from: 'plan@a.example' } },
        },
      },
      'hard no such user',
    ],
    [
      'Mailgun, temporary',
      { 'event-data': { event: 'failed', severity: 'temporary', recipient: 'a@b.example', reason: 'later', timestamp: seconds } },
      'soft later',
    ],
    [
      'Postmark',
      {
        RecordType: 'Bounce',
        Type: 'HardBounce',
        TypeCode: 1,
        Email: 'a@b.example',
        Description: 'unknown',
        From: 'plan@a.example',
        BouncedAt: at,
      },
      'hard unknown',
    ],
    [
      'SendGrid',
      [{ event: 'bounce', type: 'bounce', email: 'a@b.example', status: '5.1.1', reason: '550 unknown', timestamp: seconds }],
      'hard 550 unknown',
    ],
    [
      'SendGrid, blocked',
      [{ event: 'bounce', type: 'blocked', email: 'a@b.example', status: '5.2.0', reason: 'ip', timestamp: seconds }],
      'soft ip',
    ],
    [
      'Mailjet',
      { event: 'bounce', email: 'a@b.example', hard_bounce: true, error: 'user unknown', time: seconds },
      'hard user unknown',
    ],
    ['Brevo', { event: 'hard_bounce', email: 'a@b.example', reason: 'gone', ts_event: seconds }, 'hard gone'],
    [
      'Amazon, in a message of SNS',
      {
        Type: 'Notification',
        Message: JSON.stringify({
          notificationType: 'Bounce',
          bounce: {
            bounceType: 'Permanent',
            timestamp: at,
            bouncedRecipients: [{ emailAddress: 'a@b.example', status: '5.1.1', diagnosticCode: 'smtp; 550' }],
          },
          mail: { destination: ['a@b.example'], source: 'plan@a.example' },
        }),
      },
      'hard smtp; 550',
    ],
  ] as const)
    test(`${what} is understood`, () => {
      assert.deepEqual(
        readBounces(body).map(({ recipient, kind, reason, at: time }) => [recipient, `${kind} ${reason}`, time?.toISOString()]),
        [['a@b.example', expected, at]],
      )
    })

  const bounce = { recipient: 'a@b.example', type: 'hard' }
  for (const name of ['recipient', 'email', 'Email', 'emailAddress', 'rcpt_to', 'to'])
    test(`${name} names the recipient, with or without a name of the person`, () => {
      for (const value of ['a@b.example', 'Ann <a@b.example>'])
        assert.deepEqual(
          readBounces({ type: 'hard', [name]: value }).map(({ recipient }) => recipient),
          ['a@b.example'],
        )
    })
  for (const name of ['reason', 'diagnosticCode', 'Description', 'description', 'Details', 'message', 'error', 'raw_reason'])
    test(`${name} is a reason`, () => assert.equal(readBounces({ ...bounce, [name]: 'gone' })[0]?.reason, 'gone'))
  for (const name of ['at', 'timestamp', 'BouncedAt', 'date', 'time', 'ts_event'])
    test(`${name} is the time`, () => assert.equal(readBounces({ ...bounce, [name]: at })[0]?.at?.toISOString(), at))
  for (const name of ['status', 'code', 'error_code'])
    test(`${name} is the status`, () =>
      assert.equal(readBounces({ recipient: 'a@b.example', event: 'bounce', [name]: '5.1.1' })[0]?.kind, 'hard'))
  for (const name of ['type', 'Type', 'event', 'severity', 'bounceType', 'notificationType', 'RecordType', 'bounce_type'])
    test(`${name} is the kind`, () =>
      assert.equal(readBounces({ recipient: 'a@b.example', [name]: 'Permanent' })[0]?.kind, 'hard'))

  for (const [what, fields, kind] of [
    ['a bounce that the service does not call hard', { event: 'bounce', hard_bounce: false }, 'soft'],
    ['a bounce by a filter of the recipient', { event: 'bounce', type: 'spam', status: '5.1.1' }, 'hard'],
    ['an address that was invalid when the mail was sent', { event: 'sent', type: 'invalid_email' }, 'hard'],
    ['a delivery after a delay', { event: 'delivered', status: '4.2.0' }, undefined],
    ['a complaint about a mail that was delayed before', { event: 'complaint', type: 'deferred' }, undefined],
    ['a status without a word about a bounce', { type: 'something', status: '5.1.1' }, undefined],
    ['a bounce without a status', { event: 'bounce' }, undefined],
  ] as const)
    test(`${what} is ${kind ?? 'left out'}`, () =>
      assert.equal(readBounces({ recipient: 'a@b.example', ...fields })[0]?.kind, kind))

  for (const [what, time, expected] of [
    ['seconds', Date.parse(at) / 1000, at],
    ['milliseconds', Date.parse(at), at],
    ['the first number that is read as milliseconds', 1e11, '1973-03-03T09:46:40.000Z'],
    ['the last number that is read as seconds', 1e11 - 1, '5138-11-16T09:46:39.000Z'],
    ['none', '', undefined],
    ['no time', 'yesterday', undefined],
  ] as const)
    test(`a time may be ${what}`, () =>
      assert.deepEqual(
        readBounces({ ...bounce, at: time }).map((read) => read.at?.toISOString()),
        [expected],
      ))

  test('the reason of a recipient counts more than one around it', () =>
    assert.equal(readBounces({ reason: 'a list', bounces: [{ ...bounce, message: 'gone' }] })[0]?.reason, 'gone'))

  for (const [what, wrap] of [
    ['objects', (inner: unknown) => ({ inner })],
    ['lists', (inner: unknown) => [inner]],
  ] as const)
    test(`bounces in 6 ${what} are found, deeper ones are not`, () => {
      const wrapped = (levels: number) => Array.from({ length: levels }).reduce<unknown>(wrap, bounce)
      assert.deepEqual([readBounces(wrapped(6)).length, readBounces(wrapped(7)).length], [1, 0])
    })

  test('texts in objects count as a level each', () => {
    const wrapped = (texts: number) =>
      Array.from({ length: texts }).reduce<object>((inner) => ({ Message: JSON.stringify(inner) }), bounce)
    assert.deepEqual([readBounces(wrapped(3)).length, readBounces(JSON.stringify(wrapped(3))).length], [1, 0])
  })

  test('texts are read below 300,000 characters', () => {
    const text = (length: number) => JSON.stringify(bounce).padEnd(length)
    assert.deepEqual([readBounces(text(299_999)).length, readBounces(text(300_000)).length], [1, 0])
  })

  test('at most 1000 bounces are read, from one list or several', () => {
    const list = (length: number) => Array.from({ length }, () => bounce)
    assert.deepEqual(
      [list(1000), list(1001), [list(600), list(600)], [list(999), bounce, bounce]].map((body) => readBounces(body).length),
      [1000, 1000, 1000, 1000],
    )
  })

  for (const [what, body] of [
    ['a list of the recipients of the mail', { type: 'hard', to: [{ email: 'a@b.example' }] }],
    ['a complaint', { RecordType: 'SpamComplaint', Email: 'a@b.example' }],
    ['a delivery', { event: 'delivered', email: 'a@b.example', status: '2.0.0' }],
    ['an opening', [{ event: 'open', email: 'a@b.example' }]],
    ['a refusal by policy', { event: 'bounce', type: 'bounce', email: 'a@b.example', status: '5.7.1' }],
    ['a kind that is not known', { recipient: 'a@b.example', type: 'something' }],
    ['no address', { recipient: 'ann', type: 'hard' }],
    ['no object', 'hello'],
    ['null', null],
  ] as const)
    test(`${what} is no bounce`, () => assert.deepEqual(readBounces(body), []))
})
