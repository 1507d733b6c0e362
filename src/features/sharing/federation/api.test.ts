import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  addEvent,
  addPartner,
  addPerson,
  addSession,
  addToken,
  addType,
  ask,
  NOW,
  openTestApp,
  type Partner,
  share,
  type TestApp,
} from '#test/support/federation-setup.ts'
import { sharedEventRecord } from './schema.ts'

const EVENTS = '/api/federation/events/'
const DELETE = '/api/federation/guest/delete/'

describe('events shared with a partner', () => {
  let testApp: TestApp
  let nord: Partner
  let sued: Partner
  let race: number
  let fair: number
  const ids: Record<string, number> = {}

  before(async () => {
    testApp = await openTestApp()
    nord = await addPartner(testApp, 'Nord')
    sued = await addPartner(testApp, 'Süd')
    race = await addType(testApp, 'Race')
    fair = await addType(testApp, 'Fair')
    const add = async (title: string, facts: object, ...at: [string, string][]) => {
      ids[title] = (await addEvent(testApp, { title, type_id: race, ...facts }, ...at)).id
    }
    const [four, eight, noon] = ['2031-05-04T04:00Z', '2031-05-04T08:00Z', '2031-05-04T12:00Z'] as const
    await add('empty', {})
    await add('late', {}, ['2031-05-06T08:00Z', '2031-05-06T10:00Z'])
    await add('long', { type_id: fair, description: 'Bring boots' }, [eight, noon], [four, eight])
    await add('short', {}, [four, eight])
    await add('twin', {}, [four, eight])
    await add('draft', { active: false }, [four, eight])
    await add('cancelled', { cancelled_at: NOW, cancellation_reason: 'Storm' }, [four, eight])
    await add('deleted', { deleted_at: NOW }, [four, eight])
    await add('unshared', {}, [four, eight])
    await add('of Süd', {}, [four, eight])
    await share(testApp, nord, ...Object.values(ids).filter((id) => id !== ids.unshared && id !== ids['of Süd']))
    await share(testApp, sued, ids['of Süd']!, ids.short!)
  })
  after(() => testApp.close())

  const titles = async (query = '', token = nord.token): Promise<string[]> => {
    const answer = await ask(testApp, `${EVENTS}${query}`, { token })
    assert.equal(answer.statusCode, 200, answer.body)
    for (const result of answer.json().results) sharedEventRecord.parse(result)
    return answer.json().results.map(({ title }: { title: string }) => title)
  }

  test('are listed and shared ones, ordered by start, end and id, without times last', async () => {
    assert.deepEqual(await titles(), ['short', 'twin', 'long', 'late', 'empty'])
    assert.deepEqual(await titles('', sued.token), ['short', 'of Süd'])
  })

  test('have exactly these keys in this order', async () => {
    const results = (await ask(testApp, EVENTS, { token: nord.token })).json().results
    const record = (title: string) => JSON.stringify(results.find((each: { title: string }) => each.title === title))
    assert.equal(
      record('long'),
      JSON.stringify({
        id: ids.long,
        title: 'long',
        description: 'Bring boots',
        location: 'Pier 3',
        type: { id: fair, title: 'Fair' },
        start_time: '2031-05-04T06:00:00+02:00',
        end_time: '2031-05-04T14:00:00+02:00',
        signup_url: `https://turnout.example/events/shared/${ids.long}/${nord.id}/`,
      }),
    )
    assert.match(record('empty'), /"description":null,.*"start_time":null,"end_time":null/)
  })

  test('can be filtered by inclusive times, also with deprecated names, and by type', async () => {
    const table: [string, string[]][] = [
      ['?start_time_after=2031-05-06T08:00Z', ['late']],
      ['?start_time_before=2031-05-04T04:00Z', ['short', 'twin', 'long']],
      ['?end_time_after=2031-05-04T12:00Z', ['long', 'late']],
      ['?end_time_before=2031-05-04T08:00Z', ['short', 'twin']],
      ['?start_gte=2031-05-05', ['late']],
      ['?start_lte=2031-05-05&end_gte=2031-05-04T12:00Z', ['long']],
      ['?end_lte=2031-05-04T08:00Z', ['short', 'twin']],
      ['?start_time_after=2031-05-06&start_time_before=2031-05-05', []],
      [`?type=${fair}`, ['long']],
      [`?type=${fair}&start_time_after=2031-05-06`, []],
      ['?type=&start_time_after=', ['short', 'twin', 'long', 'late', 'empty']],
      ['?search=long&ordering=-start_time', ['short', 'twin', 'long', 'late', 'empty']],
      ['?limit=2&offset=1', ['twin', 'long']],
    ]
    for (const [query, expected] of table) assert.deepEqual(await titles(query), expected, query)
  })

  test('invalid filter values are answered with one 400 for all of them', async () => {
    const answer = await ask(testApp, `${EVENTS}?type=999&end_gte=soon&start_time_after=2031-02-30`, { token: nord.token })
    assert.equal(answer.statusCode, 400)
    assert.deepEqual(
      answer.json().errors.map(({ parameter }: { parameter: string }) => parameter),
      ['type', 'start_time_after', 'end_gte'],
    )
  })

  test('deprecated filter names set the Deprecation header', async () => {
    const answer = await ask(testApp, `${EVENTS}?start_gte=2031-01-01`, { token: nord.token })
    assert.match(String(answer.headers.deprecation), /^@\d+$/)
    assert.equal((await ask(testApp, EVENTS, { token: nord.token })).headers.deprecation, undefined)
  })

  test('require a partner token: other credentials get 403, never 401', async () => {
    const olga = await addPerson(testApp, 'Olga', { is_superuser: true })
    const ofOlga = await addToken(testApp, olga, 'PUBLIC_READ', 'CONFIDENTIAL_READ')
    const cookie = await addSession(testApp, olga)
    assert.equal((await ask(testApp, '/api/', { headers: { cookie } })).statusCode, 200)
    for (const [path, method] of [
      [EVENTS, 'GET'],
      [EVENTS, 'HEAD'],
      [DELETE, 'DELETE'],
    ] as const) {
      for (const credentials of [
        {},
        { token: 'unknown' },
        { token: ofOlga },
        { headers: { cookie } },
        { headers: { authorization: 'Bearer' } },
      ]) {
        const answer = await ask(testApp, path, { method, ...credentials })
        assert.equal(answer.statusCode, 403, `${method} ${path}`)
        assert.equal(answer.headers['www-authenticate'], undefined)
      }
    }
  })

  test('endpoints have no format suffix and one method each', async () => {
    for (const path of ['/api/federation/events.json', '/api/federation/guest/delete.json'])
      assert.equal((await ask(testApp, path, { token: nord.token })).statusCode, 404, path)
    const post = await ask(testApp, EVENTS, { method: 'POST', token: nord.token })
    assert.deepEqual([post.statusCode, post.headers.allow], [405, 'GET, HEAD, OPTIONS'])
    const get = await ask(testApp, DELETE, { token: nord.token })
    assert.deepEqual([get.statusCode, get.headers.allow], [405, 'DELETE, OPTIONS'])
    const options = await ask(testApp, DELETE, { method: 'OPTIONS', token: nord.token })
    assert.equal(options.json().name, 'Federated Guest Delete')
    assert.equal((await ask(testApp, EVENTS, { method: 'OPTIONS', token: nord.token })).json().name, 'Shared Event List')
  })

  test('a partner token gives no access to other endpoints', async () => {
    for (const path of ['/api/', '/api/events/', '/api/users/me/', '/api/buildingblocks/'])
      assert.equal((await ask(testApp, path, { token: nord.token })).statusCode, 403, path)
  })
})
