import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ANN, HELPERS, PAUL } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input } from '#test/support/shift-input.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { createSeries } from '../commands/link.ts'
import type { ChosenDates } from '../rules/recurrence.ts'

const DATES = ['2031-06-08', '2031-06-15', '2031-06-22']
const CHOSEN: ChosenDates = { dates: DATES, faults: [], rule: undefined, singles: DATES, skipped: [] }

/** Fails with a short message instead of the whole page. */
const shows = (body: string, text: RegExp) => assert.ok(text.test(body), `${text} is missing`)

describe('pages of a series', async () => {
  const { world, contextOf, create, eventRow, shiftsOf, write } = await openPlanning()
  await world.grants(PAUL, 'add_event')
  await world.grants(PAUL, 'delete_event')
  const browser = await browserOf(world, PAUL)
  const paul = {
    get: (url: string) => browser.get(url),
    post: (url: string, form: Record<string, string | string[]> = {}) => browser.post(url, { form }),
  }

  async function open() {
    const { eventId } = await create([input({ label: 'Desk' })])
    const { seriesId, copies } = await createSeries(contextOf(PAUL), { eventId, chosen: CHOSEN })
    return { eventId, seriesId, copies }
  }
  /** The values of the hidden fields of a page. */
  const hidden = (body: string, name: string) =>
    (new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(body)?.[1] ?? '').replaceAll('&quot;', '"')

  test('a rule with exceptions makes a series of drafts', async () => {
    const { eventId } = await create([input()])
    const rule = {
      first: '2031-07-01',
      every: 'week',
      interval: '1',
      weekdays: ['2', '4'],
      ends: 'times',
      times: '4',
      skips: '2031-07-03',
      linked: 'on',
    }
    const preview = await paul.post(`/events/${eventId}/duplicate/`, { ...rule, do: 'look' })
    shows(preview.body, /Weekly on Tuesday and Thursday, 4 times/)
    const made = await paul.post(`/events/${eventId}/duplicate/`, { ...rule, do: 'copy' })
    const page = await paul.get(made.headers.location as string)
    shows(page.body, /Weekly on Tuesday and Thursday, 4 times; except Thu 3 Jul 2031/)
    shows(page.body, /Publish all 3 events/)
    assert.match((await paul.get(`/events/${eventId}/`)).headers.location as string, /./)
  })

  test('saving asks about the other events, shows what happens, and applies it', async () => {
    const { eventId, seriesId, copies } = await open()
    const form = await paul.get(`/events/${copies[0]}/edit/`)
    const event = {
      title: 'Harbour run',
      location: 'Pier 4',
      description: '',
      type: '1',
      groups: [String(HELPERS.id)],
      responsible_users: [String(PAUL.id)],
    }
    const saved = await paul.post(`/events/${copies[0]}/edit/`, { ...event, seen: hidden(form.body, 'seen'), do: 'save' })
    assert.equal(saved.headers.location, `/events/${copies[0]}/series/apply/?changes=event-location`)
    const ask = await paul.get(saved.headers.location as string)
    shows(ask.body, /2 other events change\./)
    shows(ask.body, /Place: Pier 3 .*Pier 4/)
    const values = {
      scope: 'following',
      changes: ['event-location'],
      seen: hidden(ask.body, 'seen'),
      shown: hidden(ask.body, 'shown'),
    }
    const other = await paul.post(`/events/${copies[0]}/series/apply/`, { ...values, scope: 'all', do: 'apply' })
    assert.equal(other.statusCode, 200)
    shows(other.body, /The preview shows your new choice/)
    const done = await paul.post(`/events/${copies[0]}/series/apply/`, { ...values, do: 'apply' })
    assert.equal(done.headers.location, `/series/${seriesId}/`)
    const places = async () => Promise.all([eventId, ...copies].map(async (id) => (await eventRow(id)).location))
    assert.deepEqual(await places(), ['Pier 3', 'Pier 4', 'Pier 4', 'Pier 4'])
    const step = await write
      .selectFrom('journal')
      .select('id')
      .where('kind', '=', 'event.series_changed')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal((await paul.post('/series/undo/', { step: String(step.id) })).headers.location, `/series/${seriesId}/`)
    assert.deepEqual(await places(), ['Pier 3', 'Pier 4', 'Pier 3', 'Pier 3'])
    const stale = await paul.post(`/events/${copies[0]}/series/apply/`, { ...values, seen: '{}', do: 'apply' })
    assert.equal(stale.statusCode, 409)
  })

  test('the event page links to the series, for those who may change it', async () => {
    const { eventId, seriesId, copies } = await open()
    const path = (await paul.get(`/events/${eventId}/`)).headers.location as string
    const page = (await paul.get(path)).body
    shows(page, /Event 1 of 4/)
    shows(page, new RegExp(`/series/${seriesId}/`))
    const ann = await browserOf(world, ANN)
    assert.doesNotMatch((await ann.get(path)).body, /Event 1 of 4/)
    assert.equal((await ann.get(`/series/${seriesId}/`)).statusCode, 404)
    assert.equal((await paul.post(`/series/${seriesId}/publish/`)).statusCode, 303)
    assert.equal((await eventRow(copies[2]!)).active, true)
  })

  test('an event whose shift changed by hand is listed with its value', async () => {
    const { eventId, copies } = await open()
    const [shift] = await shiftsOf(copies[0]!)
    await write.updateTable('shift').set({ label: 'Own' }).where('id', '=', shift!.id).execute()
    const [own] = await shiftsOf(eventId)
    await write.updateTable('shift').set({ label: 'New' }).where('id', '=', own!.id).execute()
    const ask = await paul.get(`/events/${eventId}/series/apply/`)
    shows(ask.body, /was changed here by hand and stays: Own/)
    shows(ask.body, new RegExp(`name="overwrite" value="${copies[0]}"`))
  })

  test('the rule page shows what is added and removed', async () => {
    const { eventId } = await open()
    const page = await paul.get(`/events/${eventId}/series/rule/`)
    shows(page.body, /2031-06-08/)
    const values = {
      first: '',
      every: 'once',
      singles: '2031-06-01\n2031-06-08\n2031-07-01',
      ends: 'times',
      times: '4',
      interval: '1',
    }
    const look = await paul.post(`/events/${eventId}/series/rule/`, { ...values, do: 'look' })
    shows(look.body, /New: Tue 1 Jul 2031/)
    shows(look.body, /2 to the bin/)
    assert.equal((await paul.post(`/events/${eventId}/series/rule/`, { ...values, do: 'save' })).statusCode, 303)
  })

  test('this and following events are cancelled with a reason, or deleted', async () => {
    const { copies } = await open()
    shows((await paul.get(`/events/${copies[1]}/series/cancel/`)).body, /2 events are cancelled/)
    assert.equal((await paul.post(`/events/${copies[1]}/series/cancel/`, { reason: '' })).statusCode, 422)
    assert.equal((await paul.post(`/events/${copies[1]}/series/cancel/`, { reason: 'Storm' })).statusCode, 303)
    assert.equal((await paul.post(`/events/${copies[1]}/series/delete/`)).statusCode, 303)
    assert.notEqual((await eventRow(copies[2]!)).deleted_at, null)
    assert.equal((await eventRow(copies[0]!)).deleted_at, null)
  })
})
