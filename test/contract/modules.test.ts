import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { ENDPOINTS } from '#endpoints'
import { SCOPES } from '#platform/auth/scopes.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { dependentsOf, modulesOf } from '#platform/features/modules.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { methodOf } from '#platform/http/endpoint.ts'
import { freshDemoDatabase, getDemoPerson, NOW } from '#test/support/demo-instance.ts'
import { findEveryPage, openTestApp } from '#test/support/every-page.ts'
import { finderOf, findProblems, labelsOf, readVisit, type Visit } from '#test/support/module-walk.ts'
import { chooseSize } from '#test/support/sizes.ts'
import { FEATURES } from '../../src/features.ts'

const READERS = ['ann', 'paul', 'olga'] as const
type Reader = (typeof READERS)[number]
const ALL = modulesOf(FEATURES)
const MODULES = ALL.map(({ name }) => name)

/** Of the pages that link to a module, so many are requested again with this module off; in full, all pages of the instance. */
const MOST_SAMPLED = 6
const WALKS_EVERYWHERE = chooseSize({ usual: false, full: true })

describe('pages with modules on and off', async () => {
  const testApp = await openTestApp(await freshDemoDatabase(), { isUnlimited: true })
  const { app, db, pages } = testApp
  after(testApp.close)
  const find = finderOf(pages)
  const addresses = await findEveryPage(testApp)

  async function cookieOf(name: Reader): Promise<string> {
    const session = randomSecret(43)
    const { id } = await getDemoPerson(db, name)
    const times = {
      created_at: NOW,
      last_seen_at: NOW,
      expires_at: new Date(NOW.getTime() + 86_400_000),
      proved_at: NOW,
      own_proved_at: NOW,
    }
    await db.write
      .insertInto('session')
      .values({ id_hash: hashSecret(session), user_id: id, ...times })
      .execute()
    return `${cookieNames(testApp.site.url).session}=${session}`
  }
  const cookies = { ann: await cookieOf('ann'), paul: await cookieOf('paul'), olga: await cookieOf('olga') }

  const switchTo = (on: readonly string[]) =>
    db.write
      .insertInto('setting')
      .values({ name: 'modules', value: JSON.stringify(on), changed_at: NOW })
      .onConflict((same) => same.column('name').doUpdateSet({ value: JSON.stringify(on) }))
      .execute()

  async function visit(reader: Reader, address: string, method: 'GET' | 'POST' = 'GET'): Promise<Visit> {
    const headers = { host: 'localhost', cookie: cookies[reader], 'accept-language': 'en' }
    const { statusCode, body } = await app.inject({ url: address, method, headers })
    return readVisit(reader, address, { status: statusCode, body })
  }
  async function walk(places: readonly { reader: Reader; address: string }[]): Promise<Visit[]> {
    const visits: Visit[] = []
    for (const { reader, address } of places) visits.push(await visit(reader, address))
    return visits
  }
  const everywhere = READERS.flatMap((reader) => addresses.map((address) => ({ reader, address })))
  const withAll = await walk(everywhere)
  const labels = labelsOf(withAll, find)

  test('there is much to see', () => {
    assert.ok(withAll.filter(({ status }) => status === 200).length > 300)
    assert.equal(MODULES.length, 24)
    assert.ok(labels.size > 10, [...labels.keys()].join())
  })

  test('with all modules on, nothing is missing', () =>
    assert.deepEqual(findProblems(withAll, { find, off: new Set(), labels }), []))

  test('with all modules off, nothing leads to them', async () => {
    await switchTo([])
    assert.deepEqual(findProblems(await walk(everywhere), { find, off: new Set(MODULES), labels }), [])
  })

  test('actions of modules that are off answer 404', async () => {
    await switchTo([])
    const actions = pages.filter(({ kind, modules = [] }) => kind === 'action' && modules.length > 0)
    assert.ok(actions.length > 40)
    for (const { path } of actions) {
      const { status } = await visit('olga', path.replaceAll(/\{[^}]+\}/g, '1'), 'POST')
      assert.equal(status, 404, path)
    }
  })

  for (const name of MODULES)
    test(`with ${name} off, nothing leads to it`, async () => {
      const off = new Set([name, ...dependentsOf(ALL, name)])
      const isOwn = (path: string) => find(path)?.modules?.includes(name) ?? false
      const linking = withAll.filter(({ address, links }) => !isOwn(address.split('?')[0]!) && links.some(isOwn))
      const own = withAll.filter(({ address, reader }) => reader === 'olga' && isOwn(address.split('?')[0]!))
      const sampled = [...READERS.flatMap((reader) => sample(linking.filter((each) => each.reader === reader))), ...own]
      const places = WALKS_EVERYWHERE ? everywhere : (sampled as { reader: Reader; address: string }[])
      await switchTo(MODULES.filter((each) => !off.has(each)))
      const visits = await walk(places)
      assert.deepEqual(findProblems(visits, { find, off, labels }), [])
      assert.ok(own.length > 0 || linking.length > 0, 'the module has no page')
    })

  test('endpoints answer the same with all modules off, byte for byte', async () => {
    const { id } = await getDemoPerson(db, 'olga')
    const token = randomSecret(43)
    const scopes = SCOPES as unknown as string[]
    await db.write
      .insertInto('access_token')
      .values({ token_hash: hashSecret(token), kind: 'personal', user_id: id, scopes, created_at: NOW })
      .execute()
    const read = async (url: string) => {
      const headers = { host: 'localhost', authorization: `Bearer ${token}`, 'accept-language': 'en' }
      const { statusCode, body } = await app.inject({ url, headers })
      return { url, statusCode, body: body.replaceAll(/"request_id":"[^"]+"|nonce="[^"]+"/g, '') }
    }
    const urls = ENDPOINTS.filter((endpoint) => methodOf(endpoint) === 'GET')
      .map(({ path }) =>
        path.replaceAll(/\{(\w+)\}/g, (_whole: string, name: string) => (name === 'email' ? 'ann@demo.example' : '1')),
      )
      .filter((path) => !path.includes('/stream/') && !path.includes('/changes/'))
    const readAll = async () => {
      const answers = []
      for (const url of urls) answers.push(await read(url))
      return answers
    }
    await switchTo(MODULES)
    const before = await readAll()
    await switchTo([])
    assert.deepEqual(await readAll(), before)
    assert.ok(
      before.filter(({ statusCode }) => statusCode === 200).length > 20,
      before.map(({ url, statusCode }) => `${url} ${statusCode}`).join('\n'),
    )
  })

  test('the check finds modules that are not filtered', () => {
    const unnoticed = MODULES.filter((name) => findProblems(withAll, { find, off: new Set([name]), labels }).length === 0)
    assert.deepEqual(unnoticed, [])
  })
})

/** Places of different templates: the first of each, spread over the list. */
function sample(visits: readonly Visit[]): Visit[] {
  const byTemplate = [...new Map(visits.map((each) => [each.address.replaceAll(/\d+[^/]*/g, '#'), each])).values()]
  const step = Math.max(1, Math.floor(byTemplate.length / MOST_SAMPLED))
  return byTemplate.filter((_each, index) => index % step === 0).slice(0, MOST_SAMPLED + 1)
}
