import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { Browser } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, type Person, VERA } from '#test/support/people.ts'
import { NOW, openWorld, SITE_URL } from '#test/support/world.ts'
import { getValidity } from '../rules.ts'

const PROFILE = '/settings/profile/'
const DAY = 24 * 3600_000
const at = (days: number) => new Date(NOW.getTime() + days * DAY)

describe('the validity of a qualification', () => {
  const CASES: [Date | null, string][] = [
    [null, 'valid'],
    [at(61), 'valid'],
    [at(60), 'soon'],
    [at(0), 'soon'],
    [new Date(NOW.getTime() - 1), 'expired'],
  ]
  for (const [until, validity] of CASES) {
    test(`${until?.toISOString() ?? 'unlimited'} is ${validity}`, () => assert.equal(getValidity(until, NOW), validity))
  }
})

describe('the profile page', async () => {
  const world = await openWorld()
  await world.holds(ANN, await world.addQualification('Driver'))
  await world.holds(ANN, await world.addQualification('Medic'), at(10))
  await world.holds(ANN, await world.addQualification('Diver <b>'), at(-10))
  beforeEach(() => world.db.write.updateTable('user_profile').set({ preferred_language: 'en' }).execute())

  async function browserOf(person: Person): Promise<Browser> {
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    const [name, value] = (await world.sessionCookie(person)).split('=')
    browser.cookies.set(name!, value!)
    await browser.get(PROFILE)
    return browser
  }

  test('is the first settings page and linked in the account menu', async () => {
    const ann = await browserOf(ANN)
    assert.equal((await ann.get('/settings/')).headers.location, PROFILE)
    const { body } = await ann.get('/')
    for (const tab of ['profile', 'security', 'tokens']) assert.ok(body.includes(`href="/settings/${tab}/"`))
  })

  test('shows personal data and the validity of qualifications', async () => {
    const { body } = await (await browserOf(ANN)).get(PROFILE)
    for (const text of ['Ann', 'ann@a.example', '14 March 1990', '+49 40 5550001', 'Helpers'])
      assert.ok(body.includes(text), text)
    assert.match(body, /Driver.*no limit.*valid/s)
    assert.match(body, /Medic.*11 May 2031.*expires in 10 days/s)
    assert.match(body, /Diver &lt;b&gt;.*21 April 2031.*expired/s)
    assert.deepEqual(checkMarkup(body), [])
  })

  test('explains what to do if there are no groups and qualifications', async () => {
    const noel = await world.addPerson({ name: 'Noel' })
    const { body } = await (await browserOf(noel)).get(PROFILE)
    for (const text of ['not specified', 'You are not in any group yet.', 'You have no qualifications yet.'])
      assert.ok(body.includes(text), text)
    assert.deepEqual(checkMarkup(body), [])
  })

  test('changes the language of this person only', async () => {
    const ann = await browserOf(ANN)
    const done = await ann.post(PROFILE, { form: { language: 'de' } })
    assert.deepEqual([done.statusCode, done.headers.location], [303, PROFILE])
    const { body } = await ann.get(PROFILE)
    assert.ok(body.includes('<html lang="de">') && body.includes('Die Sprache ist jetzt Deutsch.') && body.includes('Über dich'))
    assert.deepEqual(checkMarkup(body), [])
    assert.ok((await (await browserOf(VERA)).get(PROFILE)).body.includes('<html lang="en">'))
    const entry = await world.db.write.selectFrom('journal').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    assert.deepEqual(
      [entry.kind, entry.subject_id, entry.changes],
      ['user.language_changed', ANN.id, { preferred_language: ['en', 'de'] }],
    )
    await ann.post(PROFILE, { form: { language: 'de' } })
    const last = await world.db.write.selectFrom('journal').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow()
    assert.equal(last.id, entry.id)
  })

  test('people change their phone number and whether it is shown as a contact', async () => {
    const own = await world.addPerson({ name: 'Own' })
    const browser = await browserOf(own)
    const row = () =>
      world.db.write
        .selectFrom('user_profile')
        .select(['phone', 'shows_phone'])
        .where('id', '=', own.id)
        .executeTakeFirstOrThrow()
    const save = (form: Record<string, string>) => browser.post(`${PROFILE}details/`, { form })
    assert.equal((await save({ phone: '(0171) 12 34 567', shows_phone: 'on' })).statusCode, 303)
    assert.deepEqual(await row(), { phone: '+491711234567', shows_phone: true })
    const { body } = await browser.get(PROFILE)
    assert.match(body, /value="\+49 171 1234567"/)
    assert.deepEqual(checkMarkup(body), [])
    const refused = await save({ phone: '0171 1' })
    assert.equal(refused.statusCode, 422)
    assert.match(refused.body, /not a phone number that can be called/)
    assert.match(refused.body, /value="0171 1"/)
    assert.equal((await save({ phone: '+49 171 1234567', shows_phone: 'on' })).statusCode, 303)
    assert.equal((await save({ phone: '' })).statusCode, 303)
    assert.deepEqual(await row(), { phone: null, shows_phone: false })
    const entries = await world.db.write
      .selectFrom('journal')
      .select(['kind', 'changes'])
      .where('subject_id', '=', own.id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      entries.map(({ kind, changes }) => [kind, changes]),
      [
        ['user.own_details_changed', { shows_phone: [false, true] }],
        ['user.own_details_changed', { shows_phone: [true, false] }],
      ],
    )
  })

  test('refuses unknown languages and forged requests', async () => {
    const [ann, vera] = [await browserOf(ANN), await browserOf(VERA)]
    assert.equal((await ann.post(PROFILE, { form: { language: 'xx' } })).statusCode, 422)
    assert.equal((await ann.post(PROFILE, { form: {} })).statusCode, 422)
    for (const wrong of [{ token: undefined }, { token: vera.token }, { headers: { origin: 'https://evil.example' } }])
      assert.equal((await ann.post(PROFILE, { form: { language: 'de' }, ...wrong })).statusCode, 403)
    assert.ok((await ann.get(PROFILE)).body.includes('<html lang="en">'))
  })
})
