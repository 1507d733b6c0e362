import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { getFactors } from '#features/access/second-factor/queries.ts'
import { hashPassword } from '#platform/auth/passwords.ts'
import { html } from '#platform/html/html.ts'
import { signedIn as signedInAccess } from '#platform/http/access.ts'
import { formPage } from '#platform/http/page.ts'
import { csrfField } from '#platform/ui/form.ts'
import { Authenticator } from '#test/support/authenticator.ts'
import { Browser, PASSWORD } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, OLGA, type Person } from '#test/support/people.ts'
import { addPasskey, codeAt, later, optionsFrom, setUpApp, wrongCode } from '#test/support/second-factor.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'

const CONFIRM = '/accounts/confirm/'
const NEW_TOKEN = '/settings/tokens/new/'
const TOKEN_FORM = { description: 'Calendar & "more"', scope: ['ME_READ', 'ME_WRITE'], lifetime: '7', date: '' }

let done: string[] = []
/** Two pages that differ only in what they require. */
const probe = (path: string, requires?: 'recentSignIn') =>
  formPage({
    path,
    access: signedInAccess,
    ...(requires ? { requires } : {}),
    form: z.object({ what: z.string() }),
    show: async ({ csrfToken }) => ({ title: 'Probe', main: html`<h1>Probe</h1>${csrfField(csrfToken)}` }),
    submit: async (_request, { what }) => {
      done.push(`${path} ${what}`)
      return { redirect: '/' }
    },
  })
const world = await openWorld({ extra: { pages: [probe('/probe/guarded/', 'recentSignIn'), probe('/probe/plain/')] } })
const { write } = world.db
const host = new URL(SITE_URL).host
await write
  .updateTable('user_profile')
  .set({ password_hash: await hashPassword(PASSWORD) })
  .execute()
const start = world.now

async function signedIn(person: Person = ANN): Promise<Browser> {
  world.now = start
  const browser = new Browser({ port: world.line.port }, { host })
  await browser.signIn(PASSWORD, person.email)
  await browser.get('/')
  return browser
}
/** A session whose last proof is too old. */
async function stale(person: Person = ANN): Promise<Browser> {
  const browser = await signedIn(person)
  await browser.get(NEW_TOKEN)
  world.now = later(start, 15 * 60)
  return browser
}
const confirm = (browser: Browser, form: Record<string, string>, next = NEW_TOKEN) =>
  browser.post(`${CONFIRM}?next=${encodeURIComponent(next)}`, { form })
const tokens = () => write.selectFrom('access_token').select('description').where('user_id', '=', ANN.id).execute()
/** The fields of the form that carries on. */
const fieldsOf = (body: string): Record<string, string[]> => {
  const found = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)]
  const plain = (text: string) =>
    text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&')
  return Object.fromEntries(
    [...Map.groupBy(found, ([, name]) => name!)].map(([name, all]) => [name, all.map(([, , value]) => plain(value!))]),
  )
}

describe('a sensitive page', () => {
  test('opens for 15 minutes after signing in, and asks then', async () => {
    const browser = await signedIn()
    world.now = later(start, 15 * 60 - 1)
    assert.equal((await browser.get(NEW_TOKEN)).statusCode, 200)
    world.now = later(start, 15 * 60)
    const asked = await browser.get(`${NEW_TOKEN}?a=1`)
    assert.deepEqual(
      [asked.statusCode, asked.headers.location],
      [303, `${CONFIRM}?next=${encodeURIComponent(`${NEW_TOKEN}?a=1`)}`],
    )
    assert.equal((await browser.get('/settings/profile/')).statusCode, 200)
    const page = await browser.get(String(asked.headers.location))
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /autocomplete="current-password"/)
  })

  test('opens again after the password, for another 15 minutes', async () => {
    const browser = await stale()
    await browser.get(CONFIRM)
    const wrong = await confirm(browser, { method: 'password', password: 'wrong' })
    assert.equal(wrong.statusCode, 422)
    assert.deepEqual(checkMarkup(wrong.body), [])
    assert.equal((await browser.get(NEW_TOKEN)).statusCode, 303)
    const right = await confirm(browser, { method: 'password', password: PASSWORD })
    assert.deepEqual([right.statusCode, right.headers.location], [303, NEW_TOKEN])
    world.now = later(world.now, 15 * 60 - 1)
    assert.equal((await browser.get(NEW_TOKEN)).statusCode, 200)
    world.now = later(world.now, 1)
    assert.equal((await browser.get(NEW_TOKEN)).statusCode, 303)
  })

  test('does nothing when its form is posted directly, and goes on with what was typed afterwards', async () => {
    const browser = await stale()
    const before = await tokens()
    const asked = await browser.post(NEW_TOKEN, { form: TOKEN_FORM })
    assert.equal(asked.statusCode, 403)
    assert.deepEqual(await tokens(), before)
    assert.deepEqual(checkMarkup(asked.body), [])
    assert.ok(!asked.body.includes('Calendar'), 'the values are sealed')
    const { resume } = fieldsOf(asked.body)
    const wrong = await confirm(browser, { method: 'password', password: 'wrong', resume: resume![0]! })
    assert.deepEqual(fieldsOf(wrong.body).resume![0], resume![0], 'a wrong password loses nothing')
    const go = await confirm(browser, { method: 'password', password: PASSWORD, resume: resume![0]! })
    assert.equal(go.statusCode, 200)
    assert.deepEqual(checkMarkup(go.body), [])
    const { csrf_token: _token, ...values } = fieldsOf(go.body)
    assert.deepEqual(values, { description: ['Calendar & "more"'], scope: ['ME_READ', 'ME_WRITE'], lifetime: ['7'], date: [''] })
    assert.match(go.body, new RegExp(`action="${NEW_TOKEN}"`))
    assert.match((await browser.post(NEW_TOKEN, { form: values })).body, /turnout_pat_/)
    assert.equal((await tokens()).length, before.length + 1)
  })

  test('is not reached by posting to it, and would be if it did not require a recent proof', async () => {
    const browser = await stale()
    done = []
    for (const path of ['/probe/guarded/', '/probe/plain/']) await browser.post(path, { form: { what: 'harm' } })
    for (const headers of [{ 'hx-request': 'true', 'hx-target': 'main#main' }, { 'x-http-method-override': 'GET' }])
      await browser.post('/probe/guarded/', { form: { what: 'harm' }, headers })
    assert.deepEqual(done, ['/probe/plain/ harm'])
  })

  test('keeps the form for the session that sent it only', async () => {
    const [browser, other] = [await stale(), await signedIn()]
    world.now = later(start, 15 * 60)
    const asked = await browser.post(NEW_TOKEN, { form: TOKEN_FORM })
    const { resume } = fieldsOf(asked.body)
    await other.get(CONFIRM)
    const stolen = await confirm(other, { method: 'password', password: PASSWORD, resume: resume![0]! })
    assert.deepEqual([stolen.statusCode, stolen.headers.location], [303, NEW_TOKEN])
    const forged = await confirm(browser, { method: 'password', password: PASSWORD, resume: 'forged' })
    assert.equal(forged.headers.location, NEW_TOKEN)
  })

  test('never shows passwords that were typed', async () => {
    const browser = await stale()
    await browser.get(CONFIRM)
    const form = { current: PASSWORD, password: 'four green umbrellas', password_again: 'four green umbrellas' }
    const asked = await browser.post('/settings/security/', { form })
    assert.deepEqual([asked.statusCode, asked.headers.location], [303, `${CONFIRM}?next=%2Fsettings%2Fsecurity%2F`])
  })

  test('checks the token of the form before it asks', async () => {
    const browser = await stale()
    const forged = await browser.post(NEW_TOKEN, { form: TOKEN_FORM, token: undefined })
    assert.equal(forged.statusCode, 403)
    assert.ok(!forged.body.includes('name="resume"'))
    assert.equal(
      (await browser.post(CONFIRM, { form: { method: 'password', password: PASSWORD }, token: undefined })).statusCode,
      403,
    )
    assert.equal((await browser.get(NEW_TOKEN)).statusCode, 303)
  })

  test('never redirects to another site', async () => {
    for (const next of ['//evil.example', 'https://evil.example', '/\\evil.example']) {
      const browser = await stale()
      assert.ok(!(await browser.get(`${CONFIRM}?next=${encodeURIComponent(next)}`)).body.includes('evil'))
      assert.equal((await confirm(browser, { method: 'password', password: PASSWORD }, next)).headers.location, '/')
    }
  })

  test('asks visitors without a session to sign in', async () => {
    const away = await new Browser({ port: world.line.port }, { host }).get(CONFIRM)
    assert.match(String(away.headers.location), /^\/accounts\/login\//)
  })

  test('asks before somebody becomes an administrator, and not for other changes of a person', async () => {
    const olga = await stale(OLGA)
    const path = `/manage/people/${ANN.id}/`
    const { body } = await olga.get(path)
    const seen = /name="seen" value="([^"]*)"/.exec(body)![1]!.replaceAll('&quot;', '"')
    const form = { name: 'Ann', email: ANN.email, date_of_birth: '', phone: '', language: 'en', is_visible: 'on', seen }
    const staff = await olga.post(path, { form: { ...form, is_staff: 'on' } })
    assert.equal(staff.statusCode, 403)
    const row = () => write.selectFrom('user_profile').select('is_staff').where('id', '=', ANN.id).executeTakeFirstOrThrow()
    assert.equal((await row()).is_staff, false)
    assert.equal((await olga.post(path, { form })).statusCode, 303)
  })

  test('limits guesses of the password', async () => {
    const browser = await stale()
    await browser.get(CONFIRM)
    const statuses: number[] = []
    for (let i = 0; i < 11; i++) statuses.push((await confirm(browser, { method: 'password', password: 'wrong' })).statusCode)
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 422), 429])
    await write.deleteFrom('sign_in_attempt').execute()
  })

  test('forgets wrong guesses after the right password', async () => {
    const browser = await stale()
    await browser.get(CONFIRM)
    const guess = async () => (await confirm(browser, { method: 'password', password: 'wrong' })).statusCode
    for (let i = 0; i < 9; i++) assert.equal(await guess(), 422)
    assert.equal((await confirm(browser, { method: 'password', password: PASSWORD })).statusCode, 303)
    for (let i = 0; i < 10; i++) assert.equal(await guess(), 422)
    assert.equal(await guess(), 429)
    await write.deleteFrom('sign_in_attempt').execute()
  })

  test('takes the code of the app and a passkey as well, each once', async () => {
    const browser = await signedIn()
    const { secret } = await setUpApp(browser, world.now)
    const authenticator = new Authenticator(SITE_URL)
    await addPasskey(browser, authenticator)
    world.now = later(start, 15 * 60)
    const page = await browser.get(CONFIRM)
    assert.deepEqual(checkMarkup(page.body), [])
    const guess = async (code = wrongCode(secret, world.now)) => (await confirm(browser, { method: 'code', code })).statusCode
    for (const code of ['abcdef', '12345', '']) assert.equal(await guess(code), 422, 'no code at all')
    for (let i = 0; i < 6; i++) assert.equal(await guess(), 422)
    const lastUses = async () => {
      const { app, passkeys } = await getFactors(world.db.read, ANN.id, world.now)
      return [app?.lastUsedAt, passkeys[0]?.lastUsedAt]
    }
    assert.deepEqual(await lastUses(), [null, null])
    const code = codeAt(secret, world.now)
    const codeUsedAt = world.now
    assert.equal((await confirm(browser, { method: 'code', code })).statusCode, 303)
    assert.deepEqual(await lastUses(), [codeUsedAt, null])
    for (let i = 0; i < 10; i++) assert.equal(await guess(), 422, 'the right code forgets wrong ones')
    assert.equal(await guess(), 429)
    world.now = later(world.now, 15 * 60)
    assert.equal((await confirm(browser, { method: 'code', code })).statusCode, 422)
    const { publicKey, state } = await optionsFrom(browser, `${CONFIRM}passkey/`)
    const form = { method: 'passkey', state, response: authenticator.get(publicKey) }
    assert.equal((await confirm(browser, form)).statusCode, 303)
    assert.equal((await browser.get(NEW_TOKEN)).statusCode, 200)
    assert.equal((await confirm(browser, form)).statusCode, 422)
    assert.deepEqual(await lastUses(), [codeUsedAt, world.now])
  })
})
