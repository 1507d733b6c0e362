import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashPassword } from '#platform/auth/passwords.ts'
import { contextAs } from '#test/support/command-context.ts'
import { Browser, PASSWORD } from '#test/support/http-browser.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, BEN, HELPERS, OLGA, type Person, VERA } from '#test/support/people.ts'
import { APP, later, STEP, setUpApp } from '#test/support/second-factor.ts'
import { openWorld, SITE_URL } from '#test/support/world.ts'
import { resetFactors, resetFactorsAsOperator } from './commands/reset.ts'

const POLICY = '/manage/second-factor/'
const REQUIRED = '/settings/security/second-factor/'
const DAY_SECONDS = 24 * 3600

const world = await openWorld()
const { write } = world.db
const host = new URL(SITE_URL).host
await write
  .updateTable('user_profile')
  .set({ password_hash: await hashPassword(PASSWORD) })
  .execute()

async function signedIn(person: Person): Promise<Browser> {
  const browser = new Browser({ port: world.line.port }, { host })
  assert.equal((await browser.signIn(PASSWORD, person.email)).statusCode, 303)
  await browser.get('/')
  return browser
}
/** As the page of administrators sends it. */
async function setPolicy(form: Record<string, string | string[]>): Promise<void> {
  const olga = await signedIn(OLGA)
  await olga.get(POLICY)
  const saved = await olga.post(POLICY, { form: { grace_days: '14', ...form } })
  assert.deepEqual([saved.statusCode, saved.headers.location], [303, POLICY])
}
const reset = async () => {
  for (const table of [
    'second_factor_policy',
    'second_factor_group',
    'second_factor_duty',
    'totp_factor',
    'recovery_code',
  ] as const)
    await write.deleteFrom(table).execute()
}
const requirementOf = (person: Person) =>
  write.selectFrom('second_factor_duty').select('since').where('user_id', '=', person.id).executeTakeFirst()

describe('a required second factor', () => {
  test('shows members of the group a notice with the date, and nobody else', async () => {
    await setPolicy({ groups: [String(HELPERS.id)] })
    for (const [person, expected] of [
      [ANN, true],
      [VERA, false],
      [OLGA, false],
    ] as const) {
      const { body } = await (await signedIn(person)).get('/settings/profile/')
      assert.equal(body.includes('requires a second factor'), expected, person.name)
    }
    await reset()
  })

  for (const [days, date] of [
    ['1', '2 May 2031'],
    ['14', '15 May 2031'],
  ] as const)
    test(`says from when on it is needed: ${days} days later`, async () => {
      await setPolicy({ groups: [String(HELPERS.id)], grace_days: days })
      const { body } = await (await signedIn(ANN)).get('/events/')
      assert.equal(
        /requires a second factor[^<]*/.exec(body)?.[0].trim(),
        `requires a second factor for your account from ${date} on.`,
      )
      await reset()
    })

  test('is needed for administrators if the setting says so', async () => {
    await setPolicy({ for_administrators: 'on' })
    assert.match((await (await signedIn(OLGA)).get('/events/')).body, /requires a second factor/)
    assert.doesNotMatch((await (await signedIn(ANN)).get('/events/')).body, /requires a second factor/)
    await reset()
  })

  test('closes every page after the date, except for setting it up and signing out', async () => {
    await setPolicy({ groups: [String(HELPERS.id)], grace_days: '3' })
    const ann = await signedIn(ANN)
    const token = await world.token(ANN, ['ME_READ'])
    const start = world.now
    world.now = later(start, 3 * DAY_SECONDS - 1)
    assert.equal((await ann.get('/events/')).statusCode, 200)
    world.now = later(start, 3 * DAY_SECONDS)
    for (const path of ['/', '/events/', '/settings/profile/', '/my-shifts/', '/notifications/', '/manage/'])
      assert.match(String((await ann.get(path)).headers.location), /^\/settings\/security\/second-factor\/\?next=/, path)
    assert.equal((await ann.post('/settings/profile/', { form: { language: 'de' } })).headers.location, REQUIRED)
    // The session is no way around it in the API; tokens go on.
    assert.equal((await ann.get('/api/users/me/')).statusCode, 401)
    assert.equal((await world.with({ authorization: `Bearer ${token}` }).get('/api/users/me/')).status, 200)
    assert.match(String((await ann.get('/api/oauth/authorize/?client_id=x')).statusCode), /^4/)
    const page = await ann.get(`${REQUIRED}?next=/events/`)
    assert.match(page.body, /Set up a second factor/)
    assert.match(page.body, /app\/\?next=%2Fevents%2F/)
    // Its own proof is old by now.
    assert.match(String((await ann.get(`${APP}?next=/events/`)).headers.location), /^\/accounts\/confirm\//)
    await ann.get('/accounts/confirm/?next=%2Fsettings%2Fsecurity%2Fapp%2F')
    const confirmed = await ann.post('/accounts/confirm/?next=%2Fsettings%2Fsecurity%2Fapp%2F', {
      form: { method: 'password', password: PASSWORD },
    })
    assert.equal(confirmed.headers.location, APP)
    await setUpApp(ann, world.now)
    assert.equal((await ann.get('/events/')).statusCode, 200)
    assert.doesNotMatch((await ann.get('/events/')).body, /requires a second factor/)
    // The last factor stays while it is required.
    const kept = await ann.post(`${APP}remove/`)
    assert.equal(kept.headers.location, '/settings/security/')
    assert.equal((await write.selectFrom('totp_factor').selectAll().where('user_id', '=', ANN.id).execute()).length, 1)
    world.now = start
    await reset()
  })

  test('can be left by signing out', async () => {
    await setPolicy({ groups: [String(HELPERS.id)], grace_days: '0' })
    const ann = await signedIn(ANN)
    assert.equal((await ann.get('/events/')).headers.location, `${REQUIRED}?next=%2Fevents%2F`)
    await ann.get(REQUIRED)
    assert.equal((await ann.post('/accounts/logout/')).headers.location, '/accounts/login/')
    await reset()
  })

  test('begins for people who join later with their first request', async () => {
    await setPolicy({ groups: [String(HELPERS.id)], grace_days: '14' })
    const start = world.now
    const carl = await world.addPerson({ name: 'Carl' })
    await write
      .updateTable('user_profile')
      .set({ password_hash: await hashPassword(PASSWORD) })
      .where('id', '=', carl.id)
      .execute()
    world.now = later(start, 30 * DAY_SECONDS)
    await write.insertInto('user_group_member').values({ group_id: HELPERS.id, user_id: carl.id }).execute()
    const browser = await signedIn(carl)
    assert.match((await browser.get('/events/')).body, /requires a second factor/)
    assert.equal((await requirementOf(carl))!.since.getTime(), world.now.getTime())
    world.now = later(world.now, 14 * DAY_SECONDS)
    const again = new Browser({ port: world.line.port }, { host })
    await again.signIn(PASSWORD, carl.email)
    assert.match(String((await again.get('/events/')).headers.location), /second-factor/)
    world.now = start
    await reset()
  })

  test('that is no longer required leaves nothing behind', async () => {
    await setPolicy({ groups: [String(HELPERS.id)], grace_days: '0' })
    assert.ok(await requirementOf(ANN))
    await setPolicy({ grace_days: '0' })
    assert.equal(await requirementOf(ANN), undefined)
    assert.equal((await (await signedIn(ANN)).get('/events/')).statusCode, 200)
    await reset()
  })

  test('is set by administrators only, with a valid number of days', async () => {
    const vera = await signedIn(VERA)
    assert.equal((await vera.get(POLICY)).statusCode, 403)
    assert.equal((await vera.post(POLICY, { form: { grace_days: '0', for_administrators: 'on' } })).statusCode, 403)
    const olga = await signedIn(OLGA)
    await olga.get(POLICY)
    for (const days of ['-1', '366', 'x', '1.5'])
      assert.equal((await olga.post(POLICY, { form: { grace_days: days } })).statusCode, 422, days)
    assert.equal((await write.selectFrom('second_factor_policy').selectAll().execute()).length, 0)
  })
})

describe('resetting a second factor', () => {
  const outbox = new NotificationOutbox(world)
  const withApp = async (person: Person) => {
    const browser = await signedIn(person)
    return setUpApp(browser, world.now)
  }

  test('by an administrator removes everything, is recorded, and the person is notified', async () => {
    await withApp(ANN)
    const olga = await signedIn(OLGA)
    assert.match((await olga.get(`/manage/people/${ANN.id}/`)).body, /Reset second factor/)
    const path = `/manage/people/${ANN.id}/second-factor/`
    assert.match((await olga.get(path)).body, /really this person/)
    assert.equal((await olga.post(path)).headers.location, `/manage/people/${ANN.id}/`)
    assert.equal((await write.selectFrom('totp_factor').selectAll().execute()).length, 0)
    assert.equal((await write.selectFrom('recovery_code').selectAll().execute()).length, 0)
    const entry = await write.selectFrom('journal').selectAll().where('kind', '=', 'user.factors_reset').executeTakeFirstOrThrow()
    assert.deepEqual([entry.actor_id, entry.subject_id], [OLGA.id, ANN.id])
    await outbox.deliver()
    const texts = outbox.sent.filter(({ to }) => to === ANN.email).map(({ subject, text }) => `${subject}\n${text}`)
    assert.ok(
      texts.some((text) => text.includes('An authenticator app was set up')),
      'also about the own action',
    )
    assert.ok(texts.some((text) => text.includes('second factors of your account were reset')))
    const { body } = await (await signedIn(ANN)).get('/notifications/')
    assert.match(body, /removed all second factors/)
  })

  test('is not possible for people with more rights, for oneself, or without the permission', async () => {
    await withApp(OLGA)
    await withApp(BEN)
    await write.insertInto('user_permission').values({ user_id: VERA.id, permission: 'change_user' }).execute()
    const vera = contextAs(world, { ...VERA, permissions: ['view_user', 'change_user'] })
    assert.deepEqual(await resetFactors(vera, OLGA.id), { ok: false, reason: 'not_allowed' })
    assert.deepEqual(await resetFactors(vera, VERA.id), { ok: false, reason: 'not_allowed' })
    assert.deepEqual(await resetFactors(contextAs(world, OLGA), OLGA.id), { ok: false, reason: 'not_allowed' })
    await assert.rejects(resetFactors(contextAs(world, ANN), BEN.id))
    const browser = await signedIn(VERA)
    assert.equal((await browser.post(`/manage/people/${OLGA.id}/second-factor/`)).headers.location, `/manage/people/${OLGA.id}/`)
    assert.equal((await write.selectFrom('totp_factor').selectAll().execute()).length, 2)
    // The operator gets the last administrator in again.
    assert.equal(await resetFactorsAsOperator({ ...contextAs(world, OLGA) }, OLGA.id), true)
    assert.equal(await resetFactorsAsOperator({ ...contextAs(world, OLGA) }, OLGA.id), false)
    const olga = new Browser({ port: world.line.port }, { host })
    assert.equal((await olga.signIn(PASSWORD, OLGA.email)).headers.location, '/')
    await reset()
  })
})

test('deleting a person deletes the factors', async () => {
  const dora = await world.addPerson({ name: 'Dora' })
  await write
    .updateTable('user_profile')
    .set({ password_hash: await hashPassword(PASSWORD) })
    .where('id', '=', dora.id)
    .execute()
  await setUpApp(await signedIn(dora), world.now)
  const half = new Browser({ port: world.line.port }, { host })
  assert.equal((await half.signIn(PASSWORD, dora.email)).headers.location, STEP)
  const olga = await signedIn(OLGA)
  const path = `/manage/people/${dora.id}/delete/`
  await olga.get(path)
  assert.equal((await olga.post(path)).statusCode, 303)
  for (const table of ['totp_factor', 'recovery_code', 'trusted_device', 'pending_sign_in', 'second_factor_duty'] as const)
    assert.deepEqual(await write.selectFrom(table).selectAll().where('user_id', '=', dora.id).execute(), [], table)
})
