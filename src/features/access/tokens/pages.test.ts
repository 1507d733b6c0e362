import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { makeActor, type UserActor } from '#platform/auth/actor.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import { Browser } from '#test/support/http-browser.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, BEN, type Person } from '#test/support/people.ts'
import { NOW, openWorld, SITE_URL } from '#test/support/world.ts'
import { revokeToken } from './commands/personal.ts'

const TOKENS = '/settings/tokens/'
const NEW = '/settings/tokens/new/'
const WISH = { description: 'Calendar on my phone', scope: ['PUBLIC_READ', 'ME_READ'], lifetime: '30', date: '' }
const DAY = 24 * 3600_000

const world = await openWorld({ logLevel: 'trace' })

describe('the pages of personal tokens', () => {
  beforeEach(async () => {
    await world.db.write.deleteFrom('access_token').execute()
    await world.db.write.updateTable('user_profile').set({ preferred_language: 'en' }).execute()
  })

  async function browserOf(person: Person): Promise<Browser> {
    const browser = new Browser({ port: world.line.port }, { host: new URL(SITE_URL).host })
    const [name, value] = (await world.sessionCookie(person)).split('=')
    browser.cookies.set(name!, value!)
    await browser.get(NEW)
    return browser
  }
  const tokens = () => world.db.write.selectFrom('access_token').selectAll().orderBy('id').execute()
  const valueIn = (body: string) => /turnout_pat_[A-Za-z0-9]{40}/.exec(body)?.[0]
  const callWith = async (token: string, path: string) =>
    (await world.with({ authorization: `Bearer ${token}` }).get(path)).status

  test('require a sign-in, and the old path redirects to them', async () => {
    const nobody = new Browser({ port: world.line.port }, { host: 'a.example' })
    assert.equal((await nobody.get(TOKENS)).headers.location, '/accounts/login/?next=%2Fsettings%2Ftokens%2F')
    const former = await nobody.get('/api/settings/token/')
    assert.deepEqual([former.statusCode, former.headers.location], [303, TOKENS])
  })

  test('explain what to do if there are no tokens', async () => {
    const { body } = await (await browserOf(ANN)).get(TOKENS)
    assert.ok(body.includes('You have no API tokens yet.') && body.includes(`href="${NEW}"`))
    assert.deepEqual(checkMarkup(body), [])
  })

  test('say what each scope opens, suggest the narrowest, and preselect 90 days', async () => {
    for (const [language, opened, suggestion] of [
      [
        'en',
        {
          PUBLIC_WRITE: 'Create and change events, shifts, event types and building blocks',
          ME_WRITE: 'Sign up, decline and change your own participations, profile and notification settings',
          CONFIDENTIAL_WRITE: 'Change participations of others, people, members of groups, qualifications and working hours',
        },
        '90 days, until 30 July 2031',
      ],
      ['de', { PUBLIC_WRITE: 'Veranstaltungen, Schichten, Veranstaltungstypen und Bausteine' }, '90 Tage, bis 30. Juli 2031'],
    ] as const) {
      await world.db.write.updateTable('user_profile').set({ preferred_language: language }).execute()
      const { body } = await (await browserOf(ANN)).get(NEW)
      for (const [scope, sentence] of Object.entries(opened))
        assert.match(body, new RegExp(`value="${scope}"[^]{0,200}${sentence}`), scope)
      const checked = [...body.matchAll(/<input [^>]*checked[^>]*>/g)].map(([input]) => /value="([^"]+)"/.exec(input)![1])
      assert.deepEqual(checked, ['PUBLIC_READ', '90'])
      assert.ok(body.includes(suggestion))
      assert.deepEqual(checkMarkup(body), [])
    }
  })

  test('show a new token once, in a response that is not cached, and store only its hash', async () => {
    const ann = await browserOf(ANN)
    const made = await ann.post(NEW, { form: WISH })
    assert.deepEqual([made.statusCode, made.headers['cache-control']], [200, 'no-store'])
    assert.deepEqual(checkMarkup(made.body), [])
    const token = valueIn(made.body)!
    assert.ok(
      made.body.includes(`curl -H &#39;Authorization: Bearer ${token}&#39; &#39;${SITE_URL}/api/events/?limit=2&#39;`),
      made.body,
    )
    const [row] = await tokens()
    assert.deepEqual(row!.token_hash, hashSecret(token))
    assert.deepEqual(
      [row!.user_id, row!.description, row!.scopes, row!.expires_at],
      [ANN.id, WISH.description, WISH.scope, new Date(NOW.getTime() + 30 * DAY)],
    )
    assert.equal(await callWith(token, '/api/users/me/'), 200)
    assert.equal(await callWith(token, '/api/users/'), 403)
    const list = await ann.get(TOKENS)
    assert.ok(list.body.includes('Calendar on my phone') && list.body.includes('PUBLIC_READ') && list.body.includes('Sat 31 May'))
    assert.deepEqual(checkMarkup(list.body), [])
    const entry = await world.db.write.selectFrom('journal').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    assert.deepEqual([entry.kind, entry.subject_id, entry.actor_id], ['token.created', row!.id, ANN.id])
    const kept = JSON.stringify([list.body, entry, row, world.logLines])
    assert.ok(world.logLines.length > 0 && !kept.includes(token) && !kept.includes(token.slice(12)))
  })

  test('accept a date instead of a number of days', async () => {
    const ann = await browserOf(ANN)
    await ann.post(NEW, { form: { ...WISH, lifetime: 'date', date: '2031-06-15' } })
    assert.deepEqual((await tokens())[0]!.expires_at, new Date('2031-06-15T22:00:00Z'))
  })

  const REFUSALS: [string, Record<string, string | string[]>, string][] = [
    ['without a description', { description: ' ' }, 'Please enter what the token is for.'],
    ['without a scope', { scope: [] }, 'Please choose at least one scope.'],
    ['with an unknown scope', { scope: ['ALL'] }, 'Please choose from these scopes.'],
    ['for too long', { lifetime: '366' }, 'Please choose how long the token is valid, at most 365 days.'],
    ['for no time', { lifetime: '' }, 'Please choose how long the token is valid'],
    ['until a date in the past', { lifetime: 'date', date: '2031-04-30' }, 'from tomorrow to 30 April 2032.'],
    ['without a date', { lifetime: 'date', date: '' }, 'Please choose a date from tomorrow'],
    ['with a null character', { description: 'a\0b' }, 'Please write one line, without tabs and other control characters.'],
  ]
  for (const [what, change, text] of REFUSALS) {
    test(`refuse a token ${what}, and keep the input`, async () => {
      const form = { ...WISH, ...change }
      const refused = await (await browserOf(ANN)).post(NEW, { form })
      assert.equal(refused.statusCode, 422)
      assert.ok(refused.body.includes(text), text)
      assert.equal(valueIn(refused.body), undefined)
      if (!('description' in change)) assert.ok(refused.body.includes(`value="${WISH.description}"`))
      const checked = [...refused.body.matchAll(/<input [^>]*checked[^>]*>/g)].map(([input]) => /value="([^"]*)"/.exec(input)![1])
      const known = [form.scope, form.lifetime].flat().filter((value) => /^(\w+_READ|30|date)$/.test(value))
      assert.deepEqual(checked, known)
      assert.deepEqual(checkMarkup(refused.body), [])
      assert.deepEqual(await tokens(), [])
    })
  }

  test('revoke after a confirmation', async () => {
    const ann = await browserOf(ANN)
    const token = valueIn((await ann.post(NEW, { form: WISH })).body)!
    const url = `${TOKENS}${(await tokens())[0]!.id}/revoke/`
    const question = await ann.get(url)
    assert.ok(question.body.includes('Revoke “Calendar on my phone”?'))
    assert.deepEqual(checkMarkup(question.body), [])
    assert.equal(await callWith(token, '/api/users/me/'), 200)
    const done = await ann.post(url)
    assert.deepEqual([done.statusCode, done.headers.location], [303, TOKENS])
    const list = await ann.get(TOKENS)
    assert.ok(list.body.includes('The token “Calendar on my phone” was revoked.'))
    assert.match(list.body, /Expired and revoked.*Calendar on my phone.*revoked/s)
    assert.ok(!list.body.includes(`href="${url}"`))
    assert.equal(await callWith(token, '/api/users/me/'), 401)
    const kinds = await world.db.write.selectFrom('journal').select('kind').orderBy('id', 'desc').limit(1).execute()
    assert.deepEqual(kinds, [{ kind: 'token.revoked' }])
  })

  test('do not find tokens of other people', async () => {
    await (await browserOf(ANN)).post(NEW, { form: WISH })
    const ben = await browserOf(BEN)
    assert.ok((await ben.get(TOKENS)).body.includes('You have no API tokens yet.'))
    const url = `${TOKENS}${(await tokens())[0]!.id}/revoke/`
    for (const answer of [await ben.get(url), await ben.post(url), await ben.get(`${TOKENS}x/revoke/`)])
      assert.equal(answer.statusCode, 404)
    assert.equal((await tokens())[0]!.revoked_at, null)
    // The command checks the owner, too.
    const actor = makeActor<UserActor>({ kind: 'user', userId: BEN.id, via: { kind: 'session' } } as UserActor)
    const context = { db: world.db.write, actor, now: NOW, site: world.app.site, requestId: null }
    assert.equal(await revokeToken(context, (await tokens())[0]!.id), undefined)
    assert.equal((await tokens())[0]!.revoked_at, null)
  })

  test('refuse forged requests', async () => {
    const [ann, ben] = [await browserOf(ANN), await browserOf(BEN)]
    await ann.post(NEW, { form: WISH })
    const revoke = `${TOKENS}${(await tokens())[0]!.id}/revoke/`
    for (const url of [NEW, revoke]) {
      for (const wrong of [{ token: undefined }, { token: ben.token }, { headers: { 'sec-fetch-site': 'cross-site' } }])
        assert.equal((await ann.post(url, { form: WISH, ...wrong })).statusCode, 403)
    }
    const rows = await tokens()
    assert.deepEqual([rows.length, rows[0]!.revoked_at], [1, null])
  })

  test('show imported tokens without expiry, and list ended tokens separately', async () => {
    const shared = { kind: 'personal', user_id: ANN.id, scopes: ['PUBLIC_READ'], created_at: NOW }
    await world.db.write
      .insertInto('access_token')
      .values([
        { ...shared, token_hash: hashSecret('imported'), description: 'From before' },
        { ...shared, token_hash: hashSecret('old'), description: 'Old one', expires_at: new Date(NOW.getTime() - DAY) },
        { ...shared, token_hash: hashSecret('soon'), description: 'Nearly', expires_at: new Date(NOW.getTime() + 3 * DAY) },
      ])
      .execute()
    const { body } = await (await browserOf(ANN)).get(TOKENS)
    assert.match(body, /From before.*never.*Expired and revoked.*Old one.*expired/s)
    assert.match(body, /Nearly.*expires in 3 days.*Expired and revoked/s)
    assert.equal(await callWith('imported', '/api/events/'), 200)
  })
})
