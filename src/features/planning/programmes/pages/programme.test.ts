import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { makeOutbound } from '#platform/outbound/outbound.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { NotificationOutbox } from '#test/support/notification-outbox.ts'
import { ANN, HELPERS, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { postFile } from '#test/support/upload.ts'
import { openWorld } from '#test/support/world.ts'
import { programmeTasks } from '../jobs.ts'

const talk = (id: string, start: string, more = '') =>
  `<event guid="${id}"><date>2031-06-07T${start}:00+02:00</date><duration>01:00</duration><title>Talk ${id}</title>${more}</event>`
const schedule = (...events: string[]) =>
  `<?xml version="1.0"?><schedule><conference><title>Deich</title></conference><day date="2031-06-07"><room name="Hall">${events.join('')}</room><room name="Cellar">${talk('z', '20:00')}</room></day></schedule>`

const world = await openWorld({ outboundAllow: '127.0.0.1' })
const paul = await browserOf(world, PAUL)

/** A server whose file a test replaces. */
const served = { body: '', status: 200, requests: [] as (string | undefined)[] }
const etagOf = (body: string) => `"${hash('sha256', body, 'hex').slice(0, 12)}"`
const server = createServer((request, response) => {
  served.requests.push(request.headers['if-none-match'])
  const etag = etagOf(served.body)
  if (request.headers['if-none-match'] === etag) response.writeHead(304).end()
  else response.writeHead(served.status, { etag }).end(served.body)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})
const ADDRESS = `http://127.0.0.1:${(server.address() as { port: number }).port}/schedule.xml`

const addEvent = async () => {
  const { id } = await world.addEvent({
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [{ start: '2031-06-07T06:00Z', end: '2031-06-07T07:00Z' }],
  })
  return { id, page: `/events/${id}/programme/` }
}
const give = (page: string, content: string | Buffer, name = 'schedule.xml') =>
  postFile(paul, `${page}source/`, { name, content: Buffer.from(content as string) })
const seenIn = (body: string) => /name="seen" value="([^"]+)"/.exec(body)?.[1] ?? ''
const apply = async (page: string, form: Record<string, string | string[]> = {}) =>
  paul.post(page, { form: { seen: seenIn((await paul.get(page)).body), ...form } })
const labels = async (id: number) =>
  (await world.db.read.selectFrom('shift').select('label').where('event_id', '=', id).orderBy('start_time').execute()).map(
    ({ label }) => label,
  )
const OPTIONS = {
  room: ['Hall'],
  split: 'session',
  gap: '30',
  lead: '0',
  follow_up: '0',
  label: '{title}',
  from: '',
  until: '',
  pattern: '',
}

describe('the page of a programme', () => {
  test('is reached from the event, reads a file, shows the preview and applies it', async () => {
    const { id, page } = await addEvent()
    assert.match(
      (await paul.get((await paul.get(`/events/${id}/`)).headers.location as string)).body,
      new RegExp(`href="${page}"`),
    )
    const empty = await paul.get(page)
    checkMarkup(empty.body)
    assert.match(empty.body, /Names of speakers and descriptions are not stored/)
    assert.equal((await give(page, schedule(talk('a', '10:00'), talk('b', '12:00')), 'anything.txt')).statusCode, 303)
    const preview = await paul.get(page)
    checkMarkup(preview.body)
    assert.match(preview.body, /3 new/)
    assert.match(preview.body, /Talk a \(Hall\)/)
    assert.equal((await apply(page)).statusCode, 303)
    assert.deepEqual(await labels(id), ['', 'Talk a (Hall)', 'Talk b (Hall)', 'Talk z (Cellar)'])
    const applied = await paul.get(page)
    assert.match(applied.body, /The shifts are as the programme says/)
    const step = /name="step" value="(\d+)"/.exec(applied.body)![1]!
    assert.equal((await paul.post(`${page}undo/`, { form: { step } })).statusCode, 303)
    assert.deepEqual(await labels(id), [''])
  })

  test('refuses files at their field with the reason and the line', async () => {
    const { page } = await addEvent()
    const REFUSED: [content: string, reason: RegExp][] = [
      [
        '<?xml version="1.0"?>\n<!DOCTYPE schedule [<!ENTITY x SYSTEM "file:///etc/passwd">]><schedule>&x;</schedule>',
        /document type \(line 2\)/,
      ],
      ['<schedule>\n<day>\n</schedule>', /damaged in line 3/],
      ['hello', /neither schedule\.xml, nor JSON/],
      ['BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n', /contains no sessions/],
    ]
    for (const [content, reason] of REFUSED) {
      const answer = await give(page, content)
      assert.equal(answer.statusCode, 422)
      assert.match(answer.body, reason)
      assert.match(answer.body, /id="field-file-error"|aria-invalid="true"/)
      checkMarkup(answer.body)
    }
    assert.equal((await postFile(paul, `${page}source/`, { name: 'x', content: Buffer.alloc(0) })).statusCode, 422)
  })

  test('refuses addresses of private networks and keeps what was typed', async () => {
    const { id, page } = await addEvent()
    const ADDRESSES: [url: string, reason: RegExp][] = [
      ['', /Choose a file or enter an address/],
      ['nonsense', /not an address/],
      ['file:///etc/passwd', /not an address/],
      // A name that nobody knows and an internal one read alike.
      ['http://programme.example/', /must start with https|its name is not known, or it leads to a private network/],
      ['https://10.0.0.1/schedule.xml', /not on the public internet/],
      ['https://localhost/schedule.xml', /not on the public internet/],
      ['http://169.254.169.254/latest/meta-data/', /not on the public internet/],
      ['https://[::1]/', /not on the public internet/],
    ]
    for (const [url, reason] of ADDRESSES) {
      const answer = await paul.post(`${page}source/`, { form: { url } })
      assert.equal(answer.statusCode, 422, url)
      assert.match(answer.body, reason, url)
      if (url) assert.ok(answer.body.includes(`value="${url}"`), url)
    }
    assert.equal(
      await world.db.read.selectFrom('programme').select('event_id').where('event_id', '=', id).executeTakeFirst(),
      undefined,
    )
  })

  test('the options choose rooms, refuse mistakes at their fields, and change the preview', async () => {
    const { id, page } = await addEvent()
    await give(page, schedule(talk('a', '10:00')))
    const options = await paul.get(`${page}options/`)
    checkMarkup(options.body)
    assert.match(options.body, /Cellar \(1\)/)
    const WRONG: [form: Record<string, string | string[]>, reason: RegExp][] = [
      [{ room: [] }, /Choose at least one/],
      [{ lead: '-5' }, /from 0 to 480/],
      [{ gap: '900' }, /from 0 to 480/],
      [{ label: '' }, /Enter a name/],
      [{ from: '2031-06-08', until: '2031-06-07' }, /before the first/],
      [{ pattern: '999999' }, /id="field-pattern"/],
    ]
    for (const [form, reason] of WRONG) {
      const answer = await paul.post(`${page}options/`, { form: { ...OPTIONS, ...form } })
      assert.equal(answer.statusCode, 422, JSON.stringify(form))
      assert.match(answer.body, reason)
    }
    assert.equal((await paul.post(`${page}options/`, { form: OPTIONS })).statusCode, 303)
    assert.match((await paul.get(page)).body, /1 left out/)
    await apply(page)
    assert.deepEqual(await labels(id), ['', 'Talk a'])
  })

  test('a preview that is out of date is shown again with 409', async () => {
    const { id, page } = await addEvent()
    await give(page, schedule(talk('a', '10:00')))
    const seen = seenIn((await paul.get(page)).body)
    await give(page, schedule(talk('a', '11:00')))
    const answer = await paul.post(page, { form: { seen } })
    assert.equal(answer.statusCode, 409)
    assert.match(answer.body, /have changed in the meantime/)
    checkMarkup(answer.body)
    assert.deepEqual(await labels(id), [''])
  })

  test('is forgotten after a question, and the shifts stay', async () => {
    const { id, page } = await addEvent()
    await give(page, schedule(talk('a', '10:00')))
    await apply(page)
    assert.match((await paul.get(`${page}remove/`)).body, /All shifts stay as they are/)
    assert.equal((await paul.post(`${page}remove/`)).statusCode, 303)
    assert.equal((await labels(id)).length, 3)
    assert.equal((await paul.get(`${page}options/`)).statusCode, 404)
  })
})

describe('an address', () => {
  const options = {
    db: world.db,
    clock: { now: () => world.now },
    site: world.app.site,
    outbound: makeOutbound({ allow: ['127.0.0.1'] }),
  }
  const work = async () => {
    const [task] = programmeTasks(options)
    await task!.run({})
  }
  const due = (id: number) =>
    world.db.write.updateTable('programme').set({ next_at: world.now }).where('event_id', '=', id).execute()
  const stop = () => world.db.write.deleteFrom('programme').execute()

  test('is followed every hour; planners are notified with a link to the preview', async () => {
    await stop()
    const { id, page } = await addEvent()
    served.body = schedule(talk('a', '10:00'))
    assert.equal((await paul.post(`${page}source/`, { form: { url: ADDRESS } })).statusCode, 303)
    await apply(page)
    served.requests = []
    await work()
    assert.deepEqual(served.requests, [], 'not due yet')
    await due(id)
    await work()
    assert.deepEqual(served.requests, [etagOf(served.body)], 'asks whether it has changed')
    const told = () =>
      world.db.read
        .selectFrom('journal')
        .select('id')
        .where('event_id', '=', id)
        .where('kind', '=', 'event.programme_differs')
        .execute()
    assert.equal((await told()).length, 0)
    served.body = schedule(talk('a', '10:30'), talk('b', '15:00'))
    await due(id)
    await work()
    const outbox = new NotificationOutbox(world)
    await outbox.readJournal()
    const { rows } = await world.db.readPool.query<{ kind: string; user_id: number }>(
      `select kind, user_id from notification where event_id = $1 and kind = 'programme_changed'`,
      [id],
    )
    assert.deepEqual(rows, [{ kind: 'programme_changed', user_id: PAUL.id }])
    const list = (await paul.get('/notifications/')).body
    assert.match(list, /1 new, 1 changed, 0 no longer/)
    assert.ok(list.includes(`href="${page}"`))
    assert.match((await paul.get(page)).body, /10:30/)
  })

  test('that fails shows the reason and the last success, and is fetched on request', async () => {
    await stop()
    const { id, page } = await addEvent()
    served.body = schedule(talk('a', '10:00'))
    await paul.post(`${page}source/`, { form: { url: ADDRESS } })
    served.status = 500
    served.body = 'broken'
    await due(id)
    await work()
    const failing = await paul.get(page)
    checkMarkup(failing.body)
    assert.match(failing.body, /status 500\. Last success/)
    served.status = 200
    assert.equal((await paul.post(`${page}fetch/`)).statusCode, 303)
    assert.match((await paul.get(page)).body, /neither schedule\.xml/)
    served.body = schedule(talk('a', '10:00'), talk('c', '16:00'))
    await paul.post(`${page}fetch/`)
    const fetched = (await paul.get(page)).body
    assert.doesNotMatch(fetched, /could not be fetched/)
    assert.match(fetched, /Talk c/)
  })

  test('moves shifts automatically if the planner allows it', async () => {
    await stop()
    const { id, page } = await addEvent()
    served.body = schedule(talk('a', '10:00'))
    await paul.post(`${page}source/`, { form: { url: ADDRESS } })
    assert.equal((await paul.post(`${page}options/`, { form: { ...OPTIONS, automatic: 'on' } })).statusCode, 303)
    await apply(page)
    served.body = schedule(talk('a', '13:00'))
    await due(id)
    await work()
    const { start_time } = await world.db.read
      .selectFrom('shift')
      .select('start_time')
      .where('event_id', '=', id)
      .where('label', '=', 'Talk a')
      .executeTakeFirstOrThrow()
    assert.equal(start_time.toISOString(), '2031-06-07T11:00:00.000Z')
  })

  test('of an event that is over or cancelled is not requested', async () => {
    await stop()
    const { id, page } = await addEvent()
    served.body = schedule(talk('a', '10:00'))
    await paul.post(`${page}source/`, { form: { url: ADDRESS } })
    await due(id)
    await world.db.write
      .updateTable('event')
      .set({ cancelled_at: world.now, cancellation_reason: '' })
      .where('id', '=', id)
      .execute()
    served.requests = []
    await work()
    assert.deepEqual(served.requests, [])
  })

  test('that leads to a private network later is not requested', async () => {
    await stop()
    const { id, page } = await addEvent()
    served.body = schedule(talk('a', '10:00'))
    await paul.post(`${page}source/`, { form: { url: ADDRESS } })
    await due(id)
    served.requests = []
    const [task] = programmeTasks({ ...options, outbound: makeOutbound({ allow: [] }) })
    await task!.run({})
    assert.deepEqual(served.requests, [])
    assert.match((await paul.get(page)).body, /leads to a private network/)
  })
})

test('people who only see the event cannot open the page', async () => {
  const { page } = await addEvent()
  const ann = await browserOf(world, ANN)
  assert.equal((await ann.get(page)).statusCode, 403)
})
