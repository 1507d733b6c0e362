import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { kindOfAnswer, kindOfStatus, readRefusal } from '#platform/mail/refusals.ts'
import { addressWithToken, findTokens, formatBounceToken, isTimely, parseBounceToken } from './bounce-token.ts'
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

  test('count for a month', () => {
    const day = 24 * 3600_000
    const after = (ms: number) => isTimely(token, new Date(token.sentAt.getTime() + ms))
    assert.deepEqual([after(-day), after(0), after(29 * day), after(31 * day)], [false, true, true, false])
  })
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

  for (const [what, message] of [
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

  for (const [what, body] of [
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
