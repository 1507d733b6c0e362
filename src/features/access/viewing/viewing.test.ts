import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { Browser } from '#test/support/http-browser.ts'
import { ANN, HELPERS, OLGA, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const MINUTE = 60_000

const CHANGES = ({ id, shifts: [shift] }: { id: number; shifts: readonly number[] }) => [
  `/shifts/${shift}/signup/`,
  `/shifts/${shift}/decline/`,
  `/shifts/${shift}/undo/`,
  '/settings/profile/',
  '/notifications/read/',
  `/events/${id}/edit/`,
]

describe('looking at pages as somebody else', async () => {
  const world = await openWorld()
  const event = await world.addEvent({ title: 'Harbour run', seenBy: [HELPERS], shifts: [{ start: '2031-06-01T08:00:00Z' }] })
  await world.addEvent({ title: 'Secret council', seenBy: [PLANNERS], shifts: [{ start: '2031-06-02T08:00:00Z' }] })
  const staff = await world.addPerson({ name: 'Stefan', isStaff: true })
  let olga: Browser
  beforeEach(async () => {
    await world.db.write.deleteFrom('viewing').execute()
    olga = await browserOf(world, OLGA)
  })

  const start = async (browser: Browser, person: Person) => {
    const url = `/manage/people/${person.id}/view/`
    await browser.get(url)
    return browser.post(url)
  }
  const openEvent = async (browser: Browser) => {
    const { headers } = await browser.get(`/events/${event.id}/`)
    assert.equal((await browser.get(String(headers.location))).statusCode, 200)
  }
  const startedFor = () =>
    world.db.read
      .selectFrom('journal')
      .select(['actor_id', 'subject_id'])
      .where('kind', '=', 'user.viewed_as')
      .orderBy('id')
      .execute()

  test('shows what the person sees, with a banner, and says so in the log', async () => {
    assert.match((await olga.get('/events/')).body, /Secret council/)
    const before = (await startedFor()).length
    const begun = await start(olga, ANN)
    assert.deepEqual([begun.statusCode, begun.headers.location], [303, '/'])
    const { body } = await olga.get('/events/')
    assert.match(body, /Harbour run/)
    assert.doesNotMatch(body, /Secret council|href="\/manage\/"/)
    assert.match(body, /You see what Ann sees, until \d\d:\d\d\. Nothing can be changed\./)
    assert.equal((await olga.get('/manage/people/')).statusCode, 403)
    assert.deepEqual((await startedFor()).slice(before), [{ actor_id: OLGA.id, subject_id: ANN.id }])
    const stopped = await olga.post('/viewing/stop/')
    assert.equal(stopped.headers.location, `/manage/people/${ANN.id}/`)
    assert.match((await olga.get('/events/')).body, /Secret council/)
    assert.match((await olga.get('/manage/log/')).body, /Olga<\/[a-z]+> looked at the pages as|looked at the pages as/)
  })

  test('refuses every change with the reason', async () => {
    await start(olga, ANN)
    await openEvent(olga)
    for (const action of CHANGES(event)) {
      const { statusCode, body } = await olga.post(action)
      assert.equal(statusCode, 403, action)
      assert.match(body, /Nothing can be changed meanwhile/, action)
    }
    const { count } = await world.db.read
      .selectFrom('participation')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('user_id', '=', ANN.id)
      .executeTakeFirstOrThrow()
    assert.equal(Number(count), 0)
  })

  test('the same change is made without the view', async () => {
    const ann = await browserOf(world, ANN)
    await openEvent(ann)
    const action = `/shifts/${event.shifts[0]}/signup/`
    assert.equal((await ann.post(action)).statusCode, 303)
    await world.db.write.deleteFrom('participation').where('user_id', '=', ANN.id).execute()
  })

  for (const path of ['/settings/profile/', '/settings/security/', '/settings/calendar/', '/settings/data/', '/notifications/'])
    test(`keeps ${path} closed`, async () => {
      assert.equal((await olga.get(path)).statusCode, 200)
      await start(olga, ANN)
      const { statusCode, body } = await olga.get(path)
      assert.equal(statusCode, 403)
      assert.match(body, /belongs to the person alone/)
    })

  test('does not reach the API, nor where applications ask for access', async () => {
    const hash = [...olga.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const api = () => world.with({ cookie: hash }).get('/api/users/me/')
    assert.equal((await api()).status, 200)
    await start(olga, ANN)
    assert.equal((await api()).status, 401)
  })

  test('leaves no copies in the browser', async () => {
    assert.ok((await olga.get('/my-shifts/')).headers['x-copies-of'])
    await start(olga, ANN)
    assert.equal((await olga.get('/my-shifts/')).headers['x-copies-of'], undefined)
  })

  test('ends by itself after 15 minutes', async () => {
    const began = world.now
    await start(olga, ANN)
    try {
      world.now = new Date(began.getTime() + 15 * MINUTE - 1)
      assert.match((await olga.get('/')).body, /You see what Ann sees/)
      world.now = new Date(began.getTime() + 15 * MINUTE)
      assert.doesNotMatch((await olga.get('/')).body, /You see what Ann sees/)
    } finally {
      world.now = began
    }
  })

  test('a form that was opened during the view is not accepted in the name of the administrator', async () => {
    await start(olga, ANN)
    await openEvent(olga)
    const opened = olga.token
    assert.equal((await olga.post('/viewing/stop/')).statusCode, 303)
    await olga.get('/settings/profile/')
    assert.notEqual(olga.token, opened)
    const url = `/shifts/${event.shifts[0]}/signup/`
    assert.equal((await olga.post(url, { token: opened })).statusCode, 403)
    assert.equal((await olga.post(url)).statusCode, 303)
  })

  test('ends when the administrator loses the right, and when the person gets more', async () => {
    const stefan = await browserOf(world, staff)
    const change = (id: number, values: { is_staff?: boolean; is_superuser?: boolean }) =>
      world.db.write.updateTable('user_profile').set(values).where('id', '=', id).execute()
    const isViewing = async () => /You see what Ann sees/.test((await stefan.get('/')).body)
    await start(stefan, ANN)
    assert.ok(await isViewing())
    await change(ANN.id, { is_superuser: true })
    assert.ok(!(await isViewing()))
    await change(ANN.id, { is_superuser: false })
    assert.ok(await isViewing())
    await change(staff.id, { is_staff: false })
    assert.ok(!(await isViewing()))
    await change(staff.id, { is_staff: true })
  })

  test('is refused for people with more rights, inactive people and oneself, and for everybody without the right', async () => {
    const before = (await startedFor()).length
    const stefan = await browserOf(world, staff)
    const gone = await world.addPerson({ name: 'Gina', isActive: false })
    for (const person of [OLGA, gone, staff]) {
      assert.equal((await start(stefan, person)).headers.location, `/manage/people/${person.id}/`, person.name)
      assert.doesNotMatch((await stefan.get('/')).body, /You see what/)
    }
    const vera = await browserOf(world, VERA)
    assert.equal((await start(vera, ANN)).statusCode, 403)
    assert.equal((await startedFor()).length, before)
  })

  test('is offered on the page of the person and, for members, on that of their group', async () => {
    const link = `href="/manage/people/${ANN.id}/view/"`
    assert.ok((await olga.get(`/manage/people/${ANN.id}/`)).body.includes(link))
    assert.ok((await olga.get(`/manage/groups/${HELPERS.id}/`)).body.includes(link))
    assert.ok(!(await olga.get(`/manage/people/${OLGA.id}/`)).body.includes('/view/"'))
  })
})
