import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { makeMailer } from './mail.ts'

const clock = { now: () => new Date('2031-05-04T08:00:00Z') }
const MAIL = { to: 'ann@a.example', subject: 'Grüße', text: 'You are confirmed.\n.\nSee you', html: '<p>You are confirmed.</p>' }

function folder(t: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'mail-'))
  t.after(() => rmSync(dir, { recursive: true }))
  return join(dir, 'data')
}

test('without a server each mail becomes a file that only its owner can read', async (t) => {
  const dataDir = folder(t)
  const mailer = makeMailer({ mailUrl: undefined, mailFrom: undefined, dataDir, clock })
  await Promise.all([mailer.send(MAIL), mailer.send({ ...MAIL, headers: { 'List-Unsubscribe': '<https://a.example/x>' } })])
  const files = readdirSync(join(dataDir, 'mail'))
  assert.equal(files.length, 2)
  for (const file of files) {
    assert.match(file, /^2031-05-04T08-00-00\.000Z-\w+\.eml$/)
    assert.equal(statSync(join(dataDir, 'mail', file)).mode & 0o777, 0o600)
    const text = readFileSync(join(dataDir, 'mail', file), 'utf8')
    assert.match(text, /^From: Turnout <turnout@localhost>$/m)
    assert.match(text, /^To: ann@a\.example$/m)
    assert.match(text, /^Date: Sun, 04 May 2031 08:00:00 \+0000$/m)
    assert.match(text, /^Auto-Submitted: auto-generated$/m)
    assert.match(text, /You are confirmed\./)
  }
  assert.equal(statSync(join(dataDir, 'mail')).mode & 0o777, 0o700)
  assert.match(
    files.map((file) => readFileSync(join(dataDir, 'mail', file), 'utf8')).join(),
    /List-Unsubscribe: <https:\/\/a\.example\/x>/,
  )
})

test('a line break in a field cannot add a header or a recipient', async (t) => {
  const dataDir = folder(t)
  const mailer = makeMailer({ mailUrl: undefined, mailFrom: undefined, dataDir, clock })
  await mailer.send({ ...MAIL, subject: 'Hello\r\nBcc: evil@e.example', to: 'ann@a.example\r\nBcc: evil@e.example' })
  const [file] = readdirSync(join(dataDir, 'mail'))
  assert.doesNotMatch(readFileSync(join(dataDir, 'mail', file!), 'utf8'), /^Bcc:/m)
})

test('a mail goes to one address, whatever mail programs read into it', async (t) => {
  const { said, port } = await smtpServer(t)
  const mailer = makeMailer({
    mailUrl: `smtp://127.0.0.1:${port}/?ignoreTLS=true`,
    mailFrom: 'plan@a.example',
    dataDir: '/nowhere',
    clock,
  })
  for (const to of ['x<ann@a.example', 'x"ann"@a.example', 'ben@b.example,ann@a.example'])
    for (const envelopeFrom of [undefined, 'bounces@a.example'])
      await mailer.send({ ...MAIL, to, ...(envelopeFrom ? { envelopeFrom } : {}) })
  const recipients = said.filter((line) => line.startsWith('RCPT TO'))
  assert.deepEqual(recipients, [
    'RCPT TO:<"x ann"@a.example>',
    'RCPT TO:<"x ann"@a.example>',
    String.raw`RCPT TO:<"x\"ann\""@a.example>`,
    String.raw`RCPT TO:<"x\"ann\""@a.example>`,
    'RCPT TO:<"ben@b.example,ann"@a.example>',
    'RCPT TO:<"ben@b.example,ann"@a.example>',
  ])
})

/** As much of a mail server as one mail needs. */
async function smtpServer(t: TestContext, answerToMail = '250 taken') {
  const said: string[] = []
  const talk = (socket: Socket) => {
    const say = (line: string) => socket.write(`${line}\r\n`)
    let inData = false
    socket.on('error', () => {})
    createInterface({ input: socket }).on('line', (line) => {
      said.push(line)
      if (inData) {
        if (line === '.') {
          inData = false
          say(answerToMail)
        }
      } else if (/^EHLO/i.test(line)) say('250-here\r\n250 AUTH PLAIN')
      else if (/^AUTH PLAIN/i.test(line)) say('235 welcome')
      else if (/^DATA/i.test(line)) {
        inData = true
        say('354 go on')
      } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
      else say('250 ok')
    })
    say('220 here')
  }
  const server = createServer(talk)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return { said, port: (server.address() as AddressInfo).port }
}

test('with a server the mail goes there, from the sender that was set', async (t) => {
  const { said, port } = await smtpServer(t)
  const mailUrl = `smtp://ann:hush@127.0.0.1:${port}/?ignoreTLS=true`
  const mailer = makeMailer({ mailUrl, mailFrom: 'Plan <plan@a.example>', dataDir: '/nowhere', clock })
  await mailer.send(MAIL)
  const text = said.join('\n')
  assert.match(text, /^AUTH PLAIN/m)
  assert.match(text, /^MAIL FROM:<plan@a\.example>/m)
  assert.match(text, /^RCPT TO:<ann@a\.example>/m)
  assert.match(text, /^Subject: =\?UTF-8\?/m)
  assert.match(text, /^Auto-Submitted: auto-generated$/m)
  assert.doesNotMatch(mailer.describe, /hush|ann/)
  assert.ok(mailer.describe.includes(`127.0.0.1:${port}`))
})

test('a mail that the server rejects is an error', async (t) => {
  const { port } = await smtpServer(t, '452 no room')
  const mailer = makeMailer({
    mailUrl: `smtp://127.0.0.1:${port}/?ignoreTLS=true`,
    mailFrom: 'plan@a.example',
    dataDir: '/nowhere',
    clock,
  })
  await assert.rejects(mailer.send(MAIL), /452/)
})

test('an unreachable server is an error', async (t) => {
  const { port } = await smtpServer(t)
  const free = createServer().listen(0, '127.0.0.1')
  await once(free, 'listening')
  const unused = (free.address() as AddressInfo).port
  free.close()
  assert.notEqual(unused, port)
  const mailer = makeMailer({ mailUrl: `smtp://127.0.0.1:${unused}`, mailFrom: 'plan@a.example', dataDir: '/nowhere', clock })
  await assert.rejects(mailer.send(MAIL), { code: 'ESOCKET' })
})
