import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hashSecret } from '#platform/auth/secrets.ts'
import { Browser, LOGIN } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { OLGA, VERA } from '#test/support/people.ts'
import { NOW, openWorld, SITE_URL } from '#test/support/world.ts'
import { isFirstAdministratorLink } from './queries.ts'

describe('the link for the first administrator', async () => {
  const { write } = (await openWorld()).db
  const later = (ms: number) => new Date(NOW.getTime() + ms)
  const setStaff = (id: number, values: object) => write.updateTable('user_profile').set(values).where('id', '=', id).execute()
  await setStaff(OLGA.id, { is_staff: false, is_superuser: false })
  const CASES: [what: string, row: object, isValid: boolean][] = [
    ['is valid', {}, true],
    ['has ended', { created_at: later(-1), expires_at: NOW }, false],
    ['was used', { used_at: NOW }, false],
    ['is for a new password', { purpose: 'reset_password', user_id: VERA.id }, false],
    ['is the welcome of a person', { purpose: 'welcome', user_id: VERA.id }, false],
  ]
  for (const [what, row, isValid] of CASES)
    test(`${isValid ? 'opens' : 'does not open'} the instance if it ${what}`, async () => {
      const link = { token_hash: hashSecret(what), purpose: 'first_administrator', created_at: NOW, expires_at: later(1) }
      await write
        .insertInto('one_time_link')
        .values({ ...link, ...row })
        .execute()
      assert.equal(await isFirstAdministratorLink(write, what, NOW), isValid)
    })

  test('opens nothing once there is an administrator who can sign in', async () => {
    const link = { token_hash: hashSecret('first'), purpose: 'first_administrator', created_at: NOW, expires_at: later(1) }
    await write.insertInto('one_time_link').values(link).execute()
    const NONE = { is_staff: false, is_superuser: false, is_active: true }
    for (const [values, isValid] of [
      [{ is_staff: true }, false],
      [{ is_superuser: true }, false],
      [{ is_staff: true, is_active: false }, true],
      [{}, true],
    ] as const) {
      await setStaff(VERA.id, { ...NONE, ...values })
      assert.equal(await isFirstAdministratorLink(write, 'first', NOW), isValid, JSON.stringify(values))
    }
    assert.equal(await isFirstAdministratorLink(write, 'unknown', NOW), false)
  })
})

describe('an instance without people', async () => {
  const world = await openWorld({ empty: true })
  const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host, language: 'en' })

  test('says where the link for the first administrator is, and offers no form', async () => {
    const away = await browser.get('/')
    assert.equal(away.statusCode, 303)
    const { body } = await browser.get(String(away.headers.location))
    assert.match(body, /it wrote a link for the first administrator to its log/)
    assert.doesNotMatch(body, /name="password"/)
    assert.deepEqual(checkMarkup(body), [])
  })

  test('shows the form as soon as somebody has an account', async () => {
    await world.addPerson({ name: 'Stella', isStaff: true })
    const { body } = await browser.get(LOGIN)
    assert.match(body, /name="password"/)
    assert.doesNotMatch(body, /first administrator/)
  })
})
