import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, OLGA, PAUL, PLANNERS, VERA } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'

const LOG = '/manage/log/'

describe('the log', async () => {
  const world = await openWorld()
  const stella = await world.addPerson({ name: 'Stella', isStaff: true })
  const staff = await browserOf(world, stella)
  const event = await world.addEvent({ title: 'Parade', seenBy: [HELPERS], responsible: [PLANNERS], shifts: [{}] })
  const other = await world.addEvent({ title: 'Secret meeting', shifts: [{}] })
  const at = (day: number) => new Date(Date.UTC(2031, 3, day, 22, 30))
  const entry = (values: Record<string, unknown>) =>
    world.db.write
      .insertInto('journal')
      .values({
        at: at(1),
        kind: 'event.changed',
        actor_kind: 'user',
        actor_id: PAUL.id,
        subject_kind: 'event',
        subject_id: event.id,
        event_id: event.id,
        request_id: null,
        changes: '{}',
        ...values,
      })
      .execute()
  await entry({ changes: JSON.stringify({ title: ['March', 'Parade <b>'], groups: [[HELPERS.id], [PLANNERS.id, HELPERS.id]] }) })
  await entry({ subject_id: other.id, event_id: other.id, at: at(10) })
  await entry({
    kind: 'odd.happening',
    subject_kind: 'oddity',
    subject_id: 7,
    event_id: null,
    actor_kind: 'system',
    actor_id: null,
  })
  const request = { request_id: 'one request', at: at(20) }
  await entry({ ...request, kind: 'shift.changed', subject_kind: 'shift', subject_id: event.shifts[0] })
  await entry({ ...request, kind: 'event.published' })
  const read = async (path: string, browser = staff) => {
    const { statusCode, body } = await browser.get(path)
    assert.equal(statusCode, 200, path)
    assert.deepEqual(checkMarkup(body), [], path)
    return (/<ol class="log".*?<\/ol>/s.exec(body)?.[0] ?? '').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')
  }

  test('of everything is for those who may read it, of an event for its responsibles', async () => {
    const TABLE = [
      [ANN, 403, 403, 404],
      [VERA, 403, 404, 404],
      [PAUL, 403, 200, 404],
      [stella, 200, 200, 200],
      [OLGA, 200, 200, 200],
    ] as const
    for (const [person, all, own, foreign] of TABLE) {
      const browser = await browserOf(world, person)
      const statuses = [LOG, `/events/${event.id}/log/`, `/events/${other.id}/log/`].map(
        async (path) => (await browser.get(path)).statusCode,
      )
      assert.deepEqual(await Promise.all(statuses), [all, own, foreign], person.name)
    }
    for (const id of ['0', 'x', '99999', '1-parade']) assert.equal((await staff.get(`/events/${id}/log/`)).statusCode, 404, id)
  })

  test('has a sentence for each entry, old and new values, and groups entries of one request', async () => {
    const text = await read(LOG)
    assert.match(text, /Paul published Parade Event Paul changed the shift Parade on 4 May 2031 Shift/)
    assert.match(text, /Paul changed Parade Event Title: March → to Parade &lt;b&gt; Groups: Helpers → to Planners and Helpers/)
    const { body } = await staff.get(LOG)
    assert.match(
      body,
      new RegExp(`<a href="/manage/people/${PAUL.id}/">Paul</a> published <a href="/events/${event.id}/">Parade</a>`),
    )
    assert.match(body, new RegExp(`<a href="/events/${event.id}/#shift-${event.shifts[0]}">`))
    const own = (await (await browserOf(world, PAUL)).get(`/events/${event.id}/log/`)).body
    assert.match(
      own,
      new RegExp(`Paul published <a href="/events/${event.id}/">Parade</a>`),
      'only pages that the reader may open',
    )
    assert.match(text, /The system: odd happening oddity \(deleted\)/)
    const groups = (await staff.get(LOG)).body.split('<li class="log-group">').length - 1
    assert.equal(groups, 4)
  })

  test('of an event contains no entries of other events', async () => {
    const text = await read(`/events/${event.id}/log/`, await browserOf(world, PAUL))
    assert.match(text, /Paul published Parade/)
    assert.doesNotMatch(text, /Secret|odd/)
  })

  test('can be filtered by kind, person, day in the time zone of the instance and text', async () => {
    assert.doesNotMatch(await read(`${LOG}?what=shift`), /published|Secret/)
    assert.match(await read(`${LOG}?who=PAUL%40`), /published/)
    assert.equal(await read(`${LOG}?who=nobody`), '')
    assert.doesNotMatch(await read(`${LOG}?q=march`), /published/)
    assert.match(await read(`${LOG}?q=march`), /March/)
    // 22:30 UTC is already the next day in the time zone of the instance.
    assert.match(await read(`${LOG}?from=2031-04-11&to=2031-04-11`), /Secret meeting/)
    assert.match(await read(`${LOG}?from=11.4.2031&to=11.4.2031`), /Secret meeting/)
    assert.equal(await read(`${LOG}?from=2031-04-10&to=2031-04-10`), '')
    for (const odd of ['?what=%27', '?before=x', '?from=2031-02-30', '?q=%00%25_', '?who=%25']) await read(LOG + odd)
  })

  test('goes on where a page ends', async () => {
    for (let n = 0; n < 60; n++) await entry({ kind: 'event.message_sent', request_id: `r${n}` })
    const first = (await staff.get(LOG)).body
    const next = /href="(\/manage\/log\/\?before=\d+)"/.exec(first)![1]!
    assert.equal(first.split('sent a message').length - 1, 50)
    const second = await read(next)
    assert.equal(second.split('sent a message').length - 1, 10)
    assert.match(second, /March/)
  })
})
