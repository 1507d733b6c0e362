import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SCOPES } from '#platform/auth/scopes.ts'
import { actorOf, contextAs, contextOf } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, OLGA, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import { asOperator, changeServiceAccount, createServiceAccount } from './commands/accounts.ts'
import { rotateServiceKey } from './commands/keys.ts'
import { findServiceAccounts, findServiceKeys, getServiceAccount } from './queries.ts'

const LIST = '/manage/service-accounts/'
const NEW = `${LIST}new/`
const world = await openWorld({ logLevel: 'trace' })
/** An administrator without other permissions. */
const stella = await world.addPerson({ name: 'Stella', isStaff: true })
const browser = await browserOf(world, stella)
const keyIn = (body: string) => /turnout_key_[A-Za-z0-9]{40}/.exec(body)?.[0]
const status = async (key: string) => (await world.with({ authorization: `Bearer ${key}` }).get('/api/events/')).status
const accounts = () => findServiceAccounts(world.db.read, world.now)
const FORM = {
  name: 'Wall display',
  scopes: ['PUBLIC_READ', 'ME_READ'],
  groups: [String(HELPERS.id)],
  expires: '2031-12-31',
  networks: '127.0.0.0/8\n2001:DB8::/32',
  origins: 'https://display.example',
}
const INPUT = { name: 'x', scopes: ['PUBLIC_READ'], groupIds: [HELPERS.id], lastDay: '', networks: [], origins: [] }

describe('the pages of service accounts', () => {
  test('are for administrators only', async () => {
    for (const person of [ANN, PAUL, VERA]) {
      const other = await browserOf(world, person)
      for (const path of [LIST, NEW]) assert.equal((await other.get(path)).statusCode, 403)
      assert.equal((await other.post(NEW, { form: FORM })).statusCode, 403)
      assert.ok(!(await other.get('/manage/')).body.includes(LIST))
    }
    assert.deepEqual(await accounts(), [])
    assert.ok((await browser.get('/manage/')).body.includes(`href="${LIST}"`))
  })

  test('explain what a service account is while there is none', async () => {
    const { body } = await browser.get(LIST)
    assert.ok(body.includes('No service accounts yet.') && body.includes(`href="${NEW}"`))
    assert.deepEqual(checkMarkup(body), [])
  })

  test('show a new key once, in a response that is not cached, and never in the log of the server', async () => {
    const made = await browser.post(NEW, { form: FORM })
    assert.deepEqual([made.statusCode, made.headers['cache-control']], [200, 'no-store'])
    assert.deepEqual(checkMarkup(made.body), [])
    const key = keyIn(made.body)!
    assert.equal(await status(key), 200)
    const [account] = await accounts()
    assert.deepEqual(
      { ...account, id: 0, createdAt: 0, lastUsedAt: 0 },
      {
        id: 0,
        name: 'Wall display',
        isActive: true,
        scopes: ['PUBLIC_READ', 'ME_READ'],
        networks: ['127.0.0.0/8', '2001:db8::/32'],
        origins: ['https://display.example'],
        expiresAt: new Date('2031-12-31T23:00:00Z'),
        createdAt: 0,
        createdBy: 'Stella',
        groupIds: [HELPERS.id],
        groups: ['Helpers'],
        lastUsedAt: 0,
        validKeys: 1,
      },
    )
    for (const path of [LIST, `${LIST}${account!.id}/`]) {
      const { body } = await browser.get(path)
      assert.ok(!keyIn(body) && body.includes('Wall display'))
      assert.deepEqual(checkMarkup(body), [])
    }
    assert.ok(world.logLines.every((line) => !line.includes(key)))
  })

  test('name all mistakes at once, and keep what was entered', async () => {
    const form = {
      name: '',
      scopes: [],
      expires: '2031-02-30',
      networks: '10.0.0.0/99',
      origins: 'https://display.example/page',
      groups: ['999999'],
    }
    const { statusCode, body } = await browser.post(NEW, { form })
    assert.equal(statusCode, 422)
    for (const text of [
      'Please enter a name.',
      'Please choose at least one scope.',
      'Please enter a date.',
      '10.0.0.0/99 is not a network.',
      'https://display.example/page is not an origin.',
    ])
      assert.ok(body.includes(text), text)
    assert.deepEqual(checkMarkup(body), [])
    const MORE: [form: Record<string, string | string[]>, text: string][] = [
      [{ ...FORM, name: 'WALL DISPLAY' }, 'There is already a service account with this name.'],
      [{ ...FORM, name: 'B', scopes: ['ROOT'] }, 'Please choose from these scopes.'],
      [{ ...FORM, name: 'B', groups: ['999999'] }, 'One of these groups no longer exists.'],
      [{ ...FORM, name: 'B', expires: '2031-04-30' }, 'Please choose a date from today on.'],
      [{ ...FORM, name: 'x'.repeat(101) }, 'Please use at most 100 characters.'],
      [
        { ...FORM, name: 'B', networks: Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`).join(' ') },
        'Please enter at most 50.',
      ],
    ]
    for (const [wrong, text] of MORE) {
      const refused = await browser.post(NEW, { form: wrong })
      assert.deepEqual([refused.statusCode, refused.body.includes(text)], [422, true], text)
    }
    assert.equal((await accounts()).length, 1)
  })

  test('change an account, and record what changed', async () => {
    const { id } = (await accounts())[0]!
    const changed = await browser.post(`${LIST}${id}/`, {
      form: { ...FORM, name: 'Hall display', groups: [String(PLANNERS.id)], expires: '' },
    })
    assert.deepEqual([changed.statusCode, changed.headers.location], [303, `${LIST}${id}/`])
    const entry = await world.db.read.selectFrom('journal').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
    assert.deepEqual(
      [entry.kind, entry.subject_id, entry.changes],
      [
        'service_account.changed',
        id,
        {
          name: ['Wall display', 'Hall display'],
          groups: { added: [PLANNERS.id], removed: [HELPERS.id] },
          expires_at: ['2031-12-31T23:00:00.000Z', null],
        },
      ],
    )
  })

  test('rotate a key with an overlap of seven days by default, and revoke one key', async () => {
    const { id } = (await accounts())[0]!
    const { body } = await browser.get(`${LIST}${id}/rotate/`)
    const checked = [...body.matchAll(/<input [^>]*checked[^>]*>/g)].map(([input]) => /value="([^"]+)"/.exec(input)![1])
    assert.deepEqual(checked, ['168'])
    assert.deepEqual(checkMarkup(body), [])
    const rotated = await browser.post(`${LIST}${id}/rotate/`, { form: { overlap: '168' } })
    assert.match(rotated.body, /The former key is valid until [^<]*8 May/)
    const key = keyIn(rotated.body)!
    const [current, former] = await findServiceKeys(world.db.read, id)
    assert.equal(former!.expiresAt!.getTime() - world.now.getTime(), 7 * 24 * 3600_000)
    const page = (await browser.get(`${LIST}${id}/`)).body
    assert.ok(page.includes(`${LIST}${id}/keys/${former!.id}/revoke/`))
    assert.match(page, /valid until [^<]*8 May/)
    assert.equal((await browser.post(`${LIST}${id}/rotate/`, { form: { overlap: 'x' } })).statusCode, 422)
    assert.equal((await browser.get(`${LIST}${id}/keys/${current!.id}/revoke/`)).statusCode, 200)
    assert.equal((await browser.post(`${LIST}${id}/keys/${current!.id}/revoke/`)).statusCode, 303)
    assert.equal(await status(key), 401)
    for (const wrong of ['999999', 'x']) assert.equal((await browser.get(`${LIST}${id}/keys/${wrong}/revoke/`)).statusCode, 404)
  })

  test('disable, enable and delete after a confirmation; the name stays in the log', async () => {
    const made = await createServiceAccount(contextAs(world, OLGA), { ...INPUT, name: 'Kiosk' })
    assert.ok(made.ok)
    const at = (what: string) => `${LIST}${made.accountId}/${what}/`
    assert.deepEqual(checkMarkup((await browser.get(at('disable'))).body), [])
    assert.equal((await browser.post(at('disable'))).statusCode, 303)
    assert.equal(await status(made.key), 401)
    assert.ok((await browser.get(LIST)).body.includes('disabled'))
    assert.equal((await browser.post(at('enable'))).statusCode, 303)
    assert.equal(await status(made.key), 200)
    assert.ok((await browser.get(at('delete'))).body.includes('Delete Kiosk?'))
    assert.equal((await browser.post(at('delete'))).headers.location, LIST)
    assert.equal(await status(made.key), 401)
    assert.equal(await getServiceAccount(world.db.read, made.accountId, world.now), undefined)
    assert.equal((await browser.get(at('delete'))).statusCode, 404)
    const log = (await browser.get('/manage/log/')).body
    assert.match(log.replaceAll(/<[^>]+>/g, ''), /Stella deleted the service account Kiosk/)
    assert.ok((await createServiceAccount(contextAs(world, OLGA), { ...INPUT, name: 'Kiosk' })).ok, 'the name is free again')
  })

  test('the log names what a service account did as itself', async () => {
    const made = await createServiceAccount(contextAs(world, OLGA), { ...INPUT, name: 'Importer' })
    assert.ok(made.ok)
    await world.db.write
      .insertInto('journal')
      .values({
        at: world.now,
        kind: 'event.published',
        actor_kind: 'user',
        actor_id: made.accountId,
        subject_kind: 'event',
        subject_id: 1,
        changes: '{}',
      })
      .execute()
    const log = (await browser.get('/manage/log/')).body
    assert.ok(log.includes('Service account “Importer”') && log.includes(`href="${LIST}${made.accountId}/"`))
    const german = await browser.get('/manage/log/', { headers: { 'accept-language': 'de' } })
    assert.equal(german.statusCode, 200)
  })
})

describe('nobody gives a service account more than they may', () => {
  const everything = { ...INPUT, scopes: [...SCOPES], groupIds: [PLANNERS.id] }
  const token = { via: { kind: 'token' as const, tokenId: 1, scopes: new Set<string>(SCOPES) } }
  const CALLERS: [who: string, actor: ReturnType<typeof actorOf>][] = [
    ['a volunteer', actorOf(ANN)],
    ['somebody who may change all people and groups', actorOf(ANN, { permissions: new Set(['change_user', 'change_group']) })],
    ['an administrator with a token', actorOf(stella, token)],
  ]
  for (const [who, actor] of CALLERS)
    test(`${who} cannot create or rotate one; without the check it would work`, async () => {
      const context = contextOf(world, actor)
      const denied = { code: 'permission_denied' }
      await assert.rejects(createServiceAccount(context, { ...everything, name: who }), denied)
      const made = await createServiceAccount(context, { ...everything, name: who }, asOperator)
      assert.ok(made.ok)
      await assert.rejects(changeServiceAccount(context, made.accountId, { ...everything, name: who }), denied)
      await assert.rejects(rotateServiceKey(context, { accountId: made.accountId, overlapHours: 0 }), denied)
    })

  test('groups follow the rule for people: an editor without the permission cannot assign a group', async () => {
    const editor = {
      userId: 1,
      isStaff: true,
      isSuperuser: false,
      groupIds: [],
      mayChangeGroups: false,
      permissions: new Set<string>(),
    }
    const context = contextAs(world, OLGA)
    const refused = await createServiceAccount(context, { ...everything, name: 'Locked' }, () => editor)
    assert.deepEqual(refused, { ok: false, refusals: [{ field: 'groups', reason: 'groups_locked' }] })
    assert.ok(
      (await createServiceAccount(context, { ...everything, name: 'Locked' }, () => ({ ...editor, mayChangeGroups: true }))).ok,
    )
  })

  test('an edited form does not make it an administrator', async () => {
    await browser.get(NEW)
    const form = { ...FORM, name: 'Climber', is_staff: 'on', is_superuser: 'on', is_visible: 'on', permissions: 'view_user' }
    assert.equal((await browser.post(NEW, { form })).statusCode, 200)
    const row = await world.db.read
      .selectFrom('user_profile')
      .selectAll()
      .where('display_name', '=', 'Climber')
      .executeTakeFirstOrThrow()
    assert.deepEqual([row.is_staff, row.is_superuser, row.is_visible, row.is_service_account], [false, false, false, true])
    const own = await world.db.read.selectFrom('user_permission').selectAll().where('user_id', '=', row.id).execute()
    assert.deepEqual(own, [])
  })

  test('the id of a person is no service account', async () => {
    for (const what of ['', 'rotate/', 'disable/', 'delete/'])
      assert.equal((await browser.get(`${LIST}${ANN.id}/${what}`)).statusCode, 404)
    assert.equal((await browser.post(`${LIST}${ANN.id}/delete/`)).statusCode, 404)
    assert.equal((await browser.post(`${LIST}${ANN.id}/enable/`)).statusCode, 404)
  })
})
