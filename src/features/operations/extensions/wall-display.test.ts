import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { storeDeviceApplication } from '#features/access/oauth/commands/program-applications.ts'
import { namedExtensions } from '#test/support/extensions.ts'
import { ANN, BEN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const BOARD = '/api/x/wall_display/board/'
const SCREEN = '/x/wall_display/'
const SETTINGS = '/x/wall_display/settings/'
type Shift = {
  id: number
  title: string
  missing: number
  confirmed: number
  present: number
  people: { name: string; state: string }[] | null
}
type Board = { days: { date: string; shifts: Shift[] }[] }

describe('the wall display', async () => {
  const world = await openWorld({
    extensions: namedExtensions(['extensions/wall-display']),
    timeZone: 'Europe/Berlin',
    now: new Date('2031-05-01T10:00:00Z'),
    language: 'de',
  })
  const { write } = world.db
  const olga = await browserOf(world, OLGA)

  const ask = async (path: string, headers: Record<string, string> = {}) =>
    world.app.app.inject({ url: path, headers: { host: 'a.example', ...headers } })
  const readAs = async (person: Person): Promise<Board> => {
    const response = await ask(BOARD, { authorization: `Bearer ${await world.token(person, ['PUBLIC_READ'])}` })
    assert.equal(response.statusCode, 200, response.body)
    return response.json()
  }
  const titlesFor = async (person: Person) =>
    (await readAs(person)).days.map(({ date, shifts }) => [date, ...shifts.map(({ title }) => title)].join(' '))
  const addShift = (title: string, start: string, end: string, more = {}) =>
    world.addEvent({ title, seenBy: [HELPERS], responsible: [PAUL], shifts: [{ start, end }], ...more })
  const allowNames = async (isAllowed: boolean) => {
    await olga.get(SETTINGS)
    assert.equal((await olga.post(SETTINGS, { form: isAllowed ? { names: 'on' } : {} })).statusCode, 303)
  }

  test('has shifts of today and tomorrow in the time zone of the instance that have not ended', async () => {
    await addShift('ended', '2031-05-01T06:00:00Z', '2031-05-01T10:00:00Z')
    await addShift('ends now plus', '2031-05-01T06:00:00Z', '2031-05-01T10:00:01Z')
    await addShift('since yesterday', '2031-04-30T20:00:00Z', '2031-05-01T11:00:00Z')
    await addShift('last of today', '2031-05-01T21:59:00Z', '2031-05-02T02:00:00Z')
    await addShift('first of tomorrow', '2031-05-01T22:00:00Z', '2031-05-02T02:00:00Z')
    await addShift('last of tomorrow', '2031-05-02T21:59:00Z', '2031-05-02T23:00:00Z')
    await addShift('later', '2031-05-02T22:00:00Z', '2031-05-02T23:00:00Z')
    assert.deepEqual(await titlesFor(ANN), [
      '2031-05-01 since yesterday ends now plus last of today',
      '2031-05-02 first of tomorrow last of tomorrow',
    ])
  })

  test('has what the person sees who entered the code, and nothing that is a draft, cancelled or deleted', async () => {
    await write.deleteFrom('event').execute()
    const [start, end] = ['2031-05-01T12:00:00Z', '2031-05-01T14:00:00Z']
    await addShift('for helpers', start, end)
    await addShift('for Ben', start, end, { seenBy: [BEN] })
    await addShift('of Paul', start, end, { seenBy: [] })
    await addShift('draft', start, end, { draft: true })
    await addShift('cancelled', start, end, { cancelled: true })
    await addShift('deleted', start, end, { deleted: true })
    const seen = async (person: Person) => (await readAs(person)).days[0]!.shifts.map(({ title }) => title)
    assert.deepEqual(await seen(ANN), ['for helpers'])
    assert.deepEqual(await seen(BEN), ['for Ben', 'for helpers'])
    assert.ok((await seen(PAUL)).includes('of Paul'))
    assert.equal((await seen(PAUL)).includes('draft'), false)
    assert.equal((await seen(OLGA)).includes('cancelled'), false)
  })

  test('counts who is missing and who is there; names need the setting and the responsibility for the event', async () => {
    await write.deleteFrom('event').execute()
    const { shifts } = await world.addEvent({
      seenBy: [HELPERS],
      responsible: [PAUL],
      shifts: [{ start: '2031-05-01T08:00:00Z', end: '2031-05-01T14:00:00Z', stats: { missing: 2 } }],
    })
    const [shift] = shifts as [number]
    const [cid, dan] = [await world.addPerson({ name: 'Cid' }), await world.addPerson({ name: 'Dan' })]
    const places: [Person, 0 | 1, object | null][] = [
      [ANN, 1, { arrived_at: '2031-05-01T08:00:00Z' }],
      [BEN, 1, { arrived_at: '2031-05-01T08:00:00Z', left_at: '2031-05-01T09:00:00Z' }],
      [cid, 1, null],
      [dan, 0, { arrived_at: '2031-05-01T08:00:00Z' }],
    ]
    for (const [who, state, attendance] of places) {
      const id = await world.addParticipation({ who, shift, state })
      if (attendance)
        await write
          .insertInto('attendance')
          .values({ participation_id: id, ...attendance })
          .execute()
    }
    await write.updateTable('shift').set({ missing: 2, confirmed_count: 3 }).where('id', '=', shift).execute()
    const read = async (person: Person) => (await readAs(person)).days[0]!.shifts[0]!
    const withoutNames = await read(PAUL)
    assert.deepEqual([withoutNames.missing, withoutNames.confirmed, withoutNames.present, withoutNames.people], [2, 3, 1, null])
    await allowNames(true)
    assert.deepEqual((await read(PAUL)).people, [
      { name: ANN.name, state: 'present' },
      { name: BEN.name, state: 'left' },
      { name: 'Cid', state: 'expected' },
    ])
    assert.equal((await read(ANN)).people, null)
    assert.match((await olga.get(SETTINGS)).body, /name="names" value="on" checked/)
    await allowNames(false)
    assert.equal((await read(PAUL)).people, null)
    assert.equal((await olga.post(SETTINGS, { form: { names: 'everybody' } })).statusCode, 422)
  })

  test('is a page without data, session and foreign addresses, in the language of the instance', async () => {
    const page = await ask(SCREEN, { 'accept-language': 'fr' })
    assert.equal(page.statusCode, 200)
    assert.equal(page.headers['set-cookie'], undefined)
    assert.match(page.body, /<html lang="de"><head><meta charset="utf-8"><title>Wandanzeige</)
    assert.doesNotMatch(page.body, /Harbour|Cid/)
    const policy = String(page.headers['content-security-policy'])
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/)
    const facts = JSON.parse(/<script type="application\/json" id="screen">(.*?)<\/script>/.exec(page.body)![1]!)
    assert.deepEqual(
      [facts.clientId, facts.scope, facts.codePage.url, facts.timeZone, facts.words.today],
      ['x_wall_display', 'PUBLIC_READ', 'https://a.example/device/', 'Europe/Berlin', 'Heute'],
    )
    for (const [file, type] of Object.entries({ 'screen.js': /javascript/, 'screen.css': /css/, 'worker.js': /javascript/ })) {
      const given = await ask(SCREEN + file)
      assert.deepEqual([file, given.statusCode], [file, 200])
      assert.match(String(given.headers['content-type']), type)
    }
  })

  test('an application that devices use stands for it, and administrators can end it', async () => {
    const of = write.selectFrom('oauth_application').where('client_id', '=', 'x_wall_display')
    const { id, ...facts } = await of
      .select(['id', 'name', 'allowed_scopes', 'is_public', 'allows_devices', 'redirect_uris'])
      .executeTakeFirstOrThrow()
    assert.deepEqual(facts, {
      name: 'Wall display',
      allowed_scopes: ['PUBLIC_READ'],
      is_public: true,
      allows_devices: true,
      redirect_uris: [],
    })
    assert.match((await olga.get('/manage/applications/')).body, /Wall display/)
    assert.match((await olga.get('/manage/modules/')).body, /Wall display<\/dt><dd>Version 1\.0\.0/)
    const entries = write.selectFrom('journal').select('kind').where('subject_id', '=', id).where('kind', 'like', 'application.%')
    assert.deepEqual(await entries.execute(), [{ kind: 'application.created' }])
    const store = (scopes: string[]) =>
      storeDeviceApplication(write, { clientId: 'x_wall_display', name: 'Wall display', scopes, now: world.now })
    await write.updateTable('oauth_application').set({ disabled_at: world.now }).where('id', '=', id).execute()
    await store(['PUBLIC_READ'])
    assert.equal((await entries.execute()).length, 1)
    await write
      .insertInto('oauth_consent')
      .values({ application_id: id, user_id: ANN.id, scopes: ['PUBLIC_READ'], granted_at: world.now })
      .execute()
    await store(['ME_READ'])
    assert.deepEqual((await entries.execute()).length, 2)
    assert.equal((await write.selectFrom('oauth_consent').selectAll().where('application_id', '=', id).execute()).length, 0)
    const after = await of.select(['allowed_scopes', 'disabled_at']).executeTakeFirstOrThrow()
    assert.deepEqual([after.allowed_scopes, after.disabled_at !== null], [['ME_READ'], true])
    await store(['PUBLIC_READ'])
    await write.updateTable('oauth_application').set({ disabled_at: null }).where('id', '=', id).execute()
    assert.equal((await olga.get(`/manage/applications/${id}/`)).statusCode, 200)
  })

  test('answers 404 for everything while its module is off', async () => {
    const { value } = (await write.selectFrom('setting').select('value').where('name', '=', 'modules').executeTakeFirst()) ?? {
      value: null,
    }
    await write
      .insertInto('setting')
      .values({ name: 'modules', value: JSON.stringify([]) })
      .onConflict((same) => same.column('name').doUpdateSet({ value: JSON.stringify([]) }))
      .execute()
    const token = await world.token(PAUL, ['PUBLIC_READ'])
    assert.equal((await ask(BOARD, { authorization: `Bearer ${token}` })).statusCode, 404)
    if (value === null) await write.deleteFrom('setting').where('name', '=', 'modules').execute()
  })
})
