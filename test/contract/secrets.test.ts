import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Secret } from 'otpauth'
import { hashPassword } from '#platform/auth/passwords.ts'
import { Authenticator } from '#test/support/authenticator.ts'
import { Browser } from '#test/support/http-browser.ts'
import { openAccountMailOutbox } from '#test/support/mail-outbox.ts'
import { ANN, BEN } from '#test/support/people.ts'
import { addPasskey, codeAt, later, optionsFrom, STEP, setUpApp } from '#test/support/second-factor.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

const OLD = 'seven quiet lamps'
const NEW = 'four green umbrellas'
const LAST = 'two slow bicycles'

const world = await openWorld({ logLevel: 'trace', hasMail: true })
const host = new URL(SITE_URL).host
const post = openAccountMailOutbox(() => world.db, { now: () => world.now }, SITE_URL)

/** Every row of every table as text, jobs included. */
async function dumpTables(): Promise<string> {
  const tables = await sql<{ name: string }>`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
    from information_schema.tables where table_type = 'BASE TABLE' and table_schema in ('public', 'graphile_worker')`.execute(
    world.db.write,
  )
  const dumps: string[] = []
  for (const { name } of tables.rows) {
    const table = sql<{ dump: string }>`select coalesce(string_agg(t::text, ' '), '') as dump from ${sql.raw(name)} t`
    dumps.push((await table.execute(world.db.write)).rows[0]!.dump)
  }
  return dumps.join('\n')
}

test('no table and no log line contains a password, session id, token or link that a user had', async () => {
  const { write } = world.db
  await write
    .updateTable('user_profile')
    .set({ password_hash: await hashPassword(OLD) })
    .where('id', '=', ANN.id)
    .execute()
  const secrets = new Map<string, string>()
  const browser = new Browser({ port: world.line.port }, { host })
  await browser.signIn(OLD, ANN.email)
  secrets.set('the session id', browser.session!)
  await browser.get('/settings/tokens/new/')
  const form = { description: 'Calendar', scope: ['ME_READ'], lifetime: '7', date: '' }
  const made = await browser.post('/settings/tokens/new/', { form })
  const token = /turnout_pat_\w{40}/.exec(made.body)![0]
  secrets.set('the API token', token)
  assert.equal((await world.with({ authorization: `Bearer ${token}` }).get('/api/users/me/')).status, 200)
  const change = { current: OLD, password: NEW, password_again: NEW }
  assert.equal((await browser.post('/settings/security/', { form: change })).statusCode, 303)
  assert.equal((await world.with({ authorization: `Bearer ${token}` }).get('/api/users/me/')).status, 401)
  secrets.set('the session id after the change', browser.session!)
  const anonymous = new Browser({ port: world.line.port }, { host })
  await anonymous.get('/accounts/reset/')
  await anonymous.post('/accounts/reset/', { form: { email: ANN.email } })
  await post.deliver()
  const link = post.sent.map(({ text }) => /\/accounts\/reset\/(\w{43})\//.exec(text)?.[1]).find(Boolean)!
  secrets.set('the link by mail', link)
  // Before the link is used: using it clears columns of its row.
  const before = await dumpTables()
  await anonymous.get(`/accounts/reset/${link}/`)
  const done = await anonymous.post(`/accounts/reset/${link}/`, { form: { password: LAST, password_again: LAST } })
  assert.equal(done.statusCode, 303)
  secrets.set('the session id after the link', anonymous.session!)
  secrets.set('the device', anonymous.cookies.get('__Host-turnout_device')!)
  for (const password of [OLD, NEW, LAST]) secrets.set(`the password ${password}`, password)
  const [tables, log] = [`${before}\n${await dumpTables()}`, world.logLines.join('\n')]
  // Control: the dumps and the log contain the values that they may contain.
  assert.ok(tables.includes(ANN.email) && tables.includes('user.password_changed') && log.includes('/accounts/reset/:token/'))
  for (const [what, secret] of secrets) {
    assert.ok(secret.length > 10, what)
    assert.deepEqual([tables.includes(secret), log.includes(secret)], [false, false], what)
  }
})

test('no table and no log line contains a secret of a second factor', async () => {
  const { write } = world.db
  await write
    .updateTable('user_profile')
    .set({ password_hash: await hashPassword(OLD) })
    .where('id', '=', BEN.id)
    .execute()
  const browser = new Browser({ port: world.line.port }, { host })
  await browser.signIn(OLD, BEN.email)
  const secrets = new Map<string, string>()
  const { secret, codes } = await setUpApp(browser, world.now)
  secrets.set('the secret of the app', secret)
  secrets.set('its bytes', Secret.fromBase32(secret).hex.toLowerCase())
  for (const code of codes) {
    secrets.set(`the recovery code ${code}`, code)
    secrets.set(`the recovery code ${code} without hyphens`, code.replaceAll('-', ''))
  }
  const authenticator = new Authenticator(SITE_URL)
  await addPasskey(browser, authenticator)
  const addChallenge = (what: string, challenge: string) => {
    secrets.set(what, challenge)
    secrets.set(`${what} as bytes`, Buffer.from(challenge, 'base64url').toString('hex'))
  }
  world.now = later(world.now, 60)
  const half = new Browser({ port: world.line.port }, { host })
  await half.signIn(OLD, BEN.email)
  secrets.set('the begun sign-in', half.cookies.get('__Host-turnout_pending_sign_in')!)
  await half.get(STEP)
  const { publicKey, state } = await optionsFrom(half, `${STEP}passkey/`)
  addChallenge('the challenge', publicKey.challenge)
  const dumps = [await dumpTables()]
  // Refused, so that the reason could be logged.
  const lie = authenticator.get(publicKey, { origin: 'https://evil.example' })
  assert.equal((await half.post(STEP, { form: { method: 'passkey', state, response: lie } })).statusCode, 422)
  assert.equal((await half.post(STEP, { form: { method: 'code', code: codeAt(secret, world.now) } })).statusCode, 303)
  const again = new Browser({ port: world.line.port }, { host })
  await again.signIn(OLD, BEN.email)
  await again.get(STEP)
  assert.equal((await again.post(STEP, { form: { method: 'recovery', code: codes[0]! } })).statusCode, 303)
  dumps.push(await dumpTables())
  const [tables, log] = [dumps.join('\n'), world.logLines.join('\n')]
  // Control: the dumps and the log contain the values that they may contain.
  assert.ok(tables.includes('user.recovery_code_used') && log.includes(STEP))
  assert.ok(tables.includes(authenticator.id.toString('hex')))
  for (const [what, value] of secrets) {
    assert.ok(value.length > 10, what)
    assert.deepEqual([tables.includes(value), log.includes(value)], [false, false], what)
  }
})
