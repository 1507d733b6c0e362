import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { findSeriesEvents } from '#features/planning/series/queries/series.ts'
import { changesOf } from '#features/planning/series/rules/linking.ts'
import type { ChosenDates } from '#features/planning/series/rules/recurrence.ts'
import { transact } from '#platform/db/transaction.ts'
import { ANN, BEN, HELPERS, PAUL } from '#test/support/people.ts'
import { openPlanning } from '#test/support/planning.ts'
import { input, times } from '#test/support/shift-input.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { getTemplate } from '../queries.ts'
import type { TemplatePart } from '../rules/content.ts'
import { binTemplate, emptyTemplateBin, renameTemplate, saveTemplate, useTemplate } from './templates.ts'

const single = (dates: string[]): ChosenDates => ({ dates, faults: [], rule: undefined, singles: dates, skipped: [] })
const ALL: TemplatePart[] = ['people', 'resources', 'files']

describe('templates', async () => {
  const { world, write, contextOf, create, eventRow, shiftsOf, kinds } = await openPlanning()
  const paul = contextOf(PAUL)
  await world.grants(PAUL, 'add_event')

  /** An event over daylight saving on 26 October 2031, with a coupled shift. */
  async function open(parts: TemplatePart[] = ALL) {
    const { eventId, shiftIds } = await create([
      input({ label: 'Desk', times: times('2031-10-25T20:00+02:00', '2031-10-26T04:00+01:00') }),
    ])
    await write
      .updateTable('shift')
      .set({ signup_flow_configuration: JSON.stringify({ signup_until: '2031-10-24T18:00:00+02:00' }) })
      .where('id', '=', shiftIds[0]!)
      .execute()
    const resource = await write
      .insertInto('resource')
      .values({ title: `Van ${eventId}`, category_id: await category() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await write.insertInto('shift_resource').values({ shift_id: shiftIds[0]!, resource_id: resource.id }).execute()
    await write.insertInto('event_user_grant').values({ event_id: eventId, user_id: BEN.id, permission: 'change' }).execute()
    const text = { name: 'Night', description: 'At the pier' }
    const { id } = await saveTemplate(paul, { eventId, text, parts })
    return { eventId, id, resource: resource.id }
  }
  const category = async () => {
    const found = await write.selectFrom('resource_category').select('id').executeTakeFirst()
    return (
      found ?? (await write.insertInto('resource_category').values({ name: 'Vans' }).returning('id').executeTakeFirstOrThrow())
    ).id
  }
  const make = (id: number, dates: string[], isLinked = false) =>
    useTemplate(paul, { id, title: 'Made', typeId: 1, chosen: single(dates), isLinked })
  const responsible = async (id: number) =>
    (await write.selectFrom('event_user_grant').select('user_id').where('event_id', '=', id).orderBy('user_id').execute()).map(
      ({ user_id }) => user_id,
    )

  test('make drafts with shifts at the same local times, people, groups and resources', async () => {
    const { id, resource } = await open()
    const { events, seriesId } = await make(id, ['2031-11-08', '2032-06-05'])
    assert.equal(seriesId, undefined)
    const [winter, summer] = await Promise.all(events.map(shiftsOf))
    assert.deepEqual(
      [winter, summer].map((shifts) => [shifts![0]!.start_time.toISOString(), shifts![0]!.end_time.toISOString()]),
      [
        ['2031-11-08T19:00:00.000Z', '2031-11-09T03:00:00.000Z'],
        ['2032-06-05T18:00:00.000Z', '2032-06-06T02:00:00.000Z'],
      ],
    )
    assert.deepEqual(winter![0]!.signup_flow_configuration, { signup_until: '2031-11-07T18:00:00+01:00' })
    const event = await eventRow(events[0]!)
    assert.deepEqual([event.title, event.location, event.active], ['Made', 'Pier 3', false])
    assert.deepEqual(
      await responsible(event.id),
      [PAUL.id, BEN.id].sort((a, b) => a - b),
    )
    const groups = await write.selectFrom('event_group_grant').select('group_id').where('event_id', '=', event.id).execute()
    assert.deepEqual(groups, [{ group_id: HELPERS.id }])
    const used = await write.selectFrom('shift_resource').select('resource_id').where('shift_id', '=', winter![0]!.id).execute()
    assert.deepEqual(used, [{ resource_id: resource }])
    assert.deepEqual(await kinds(event.id), ['event.made_from_template'])
  })

  test('leave out what was not chosen, and what does not exist any more', async () => {
    const { id } = await open(['people'])
    const { id: other, resource } = await open(['resources'])
    await write.deleteFrom('resource').where('id', '=', resource).execute()
    const [first] = (await make(id, ['2031-11-08'])).events
    const [second] = (await make(other, ['2031-11-08'])).events
    const resources = async (eventId: number) =>
      (
        await write
          .selectFrom('shift_resource')
          .selectAll()
          .where('shift_id', '=', (await shiftsOf(eventId))[0]!.id)
          .execute()
      ).length
    assert.deepEqual([await resources(first!), await resources(second!)], [0, 0])
    assert.ok((await responsible(first!)).includes(BEN.id))
    assert.deepEqual(await responsible(second!), [PAUL.id])
  })

  test('several events can become a series', async () => {
    const { id } = await open()
    const { events, seriesId } = await make(id, ['2031-11-08', '2031-11-15'], true)
    const members = await findSeriesEvents(write, paul.actor, seriesId!)
    assert.deepEqual(
      members.map(({ event, date }) => [event.id, date]),
      [
        [events[0], '2031-11-08'],
        [events[1], '2031-11-15'],
      ],
    )
    for (const member of members) assert.deepEqual(changesOf(member, 'Europe/Berlin'), [])
  })

  test('changes of the template and of the event do not reach each other', async () => {
    const { id, eventId } = await open()
    const [made] = (await make(id, ['2031-11-08'])).events
    await write.updateTable('event').set({ location: 'Elsewhere' }).where('id', '=', eventId).execute()
    assert.equal((await getTemplate(write, paul.actor, id))!.content.location, 'Pier 3')
    await saveTemplate(paul, { eventId, text: { name: 'Night', description: '' }, parts: [], replaces: id })
    const template = (await getTemplate(write, paul.actor, id))!
    assert.deepEqual([template.content.location, template.users, template.content.resources], ['Elsewhere', [], []])
    assert.equal((await eventRow(made!)).location, 'Pier 3')
  })

  test('are renamed, deleted, restored, and gone after 30 days', async () => {
    const { id } = await open()
    await renameTemplate(paul, { id, text: { name: 'Evening', description: '' } })
    assert.equal((await getTemplate(write, paul.actor, id))!.name, 'Evening')
    await binTemplate(paul, { id, isBinned: true })
    await assert.rejects(make(id, ['2031-11-08']), { code: 'not_found' })
    await binTemplate(paul, { id, isBinned: false })
    await binTemplate(paul, { id, isBinned: true })
    await emptyTemplateBin(write, new Date(world.now.getTime() + 29 * 86_400_000))
    await binTemplate(paul, { id, isBinned: false })
    await binTemplate(paul, { id, isBinned: true })
    await emptyTemplateBin(write, new Date(world.now.getTime() + 31 * 86_400_000))
    await assert.rejects(binTemplate(paul, { id, isBinned: false }), { code: 'not_found' })
  })

  test('are deleted once if two planners delete them at the same time', async () => {
    const { id } = await open()
    const waiting = async () => {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        world.db.read,
      )
      return rows[0]!.count
    }
    const twice = await transact(write, async (tx) => {
      await tx.selectFrom('event_template').select('id').where('id', '=', id).forUpdate().execute()
      const results = Promise.allSettled([1, 2].map(() => binTemplate(paul, { id, isBinned: true })))
      while ((await waiting()) < 2);
      // In an object, because the transaction must end before the results are there.
      return { results }
    })
    const results = await twice.results
    assert.deepEqual(results.map((result) => (result.status === 'rejected' ? result.reason.code : 'deleted')).sort(), [
      'deleted',
      'not_found',
    ])
    const entries = write.selectFrom('journal').select('id').where('kind', '=', 'event_template.deleted')
    assert.equal((await entries.where('subject_id', '=', id).execute()).length, 1)
  })

  test('are for those who may publish for one of the groups', async () => {
    const { id, eventId } = await open()
    assert.equal(await getTemplate(write, contextOf(ANN).actor, id), undefined)
    assert.equal(await getTemplate(write, contextOf(ANN, ['add_event']).actor, id), undefined)
    assert.ok(await getTemplate(write, contextOf(ANN, ['add_event', 'publish_event_for_group']).actor, id))
    assert.ok(await getTemplate(write, paul.actor, id))
    const text = { name: 'x', description: '' }
    await assert.rejects(async () => saveTemplate(contextOf(ANN), { eventId, text, parts: [] }), { code: 'permission_denied' })
    await assert.rejects(
      useTemplate(contextOf(ANN, ['add_event']), { id, title: 'x', typeId: 1, chosen: single(['2031-11-08']), isLinked: false }),
      { code: 'not_found' },
    )
  })

  test('pages save, list, use and delete a template', async () => {
    const { eventId } = await open()
    const browser = await browserOf(world, PAUL)
    assert.equal((await browser.get(`/events/${eventId}/template/`)).statusCode, 200)
    const bad = await browser.post(`/events/${eventId}/template/`, { form: { name: ' ', parts: ['people'] } })
    assert.equal(bad.statusCode, 422)
    const saved = await browser.post(`/events/${eventId}/template/`, { form: { name: 'By page', parts: ['people', 'files'] } })
    assert.equal(saved.headers.location, '/planning/templates/')
    const list = (await browser.get('/planning/templates/')).body
    const id = /templates\/(\d+)\/use\/">By page/.exec(list)?.[1]
    assert.ok(id)
    const use = `/planning/templates/${id}/use/`
    const rule = {
      title: 'From page',
      location: 'Pier 4',
      type: '1',
      first: '2031-12-01',
      every: 'day',
      interval: '1',
      ends: 'times',
      times: '2',
      linked: 'on',
    }
    assert.ok((await browser.post(use, { form: { ...rule, do: 'look' } })).body.includes('Daily, 2 times'))
    assert.equal((await browser.post(use, { form: { ...rule, title: '', do: 'make' } })).statusCode, 422)
    assert.match((await browser.post(use, { form: { ...rule, do: 'make' } })).headers.location as string, /^\/series\/\d+\/$/)
    assert.equal((await browser.post(`/planning/templates/${id}/`, { form: { name: 'Renamed' } })).statusCode, 303)
    assert.equal((await browser.post(`/planning/templates/${id}/delete/`)).statusCode, 303)
    assert.equal((await browser.get(use)).statusCode, 404)
    assert.equal((await browser.post(`/planning/templates/${id}/restore/`)).statusCode, 303)
  })
})
