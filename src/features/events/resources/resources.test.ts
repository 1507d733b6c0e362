import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { duplicateEvent } from '#features/planning/series/commands/copies.ts'
import { mondayOf } from '#platform/i18n/days.ts'
import { contextAs } from '#test/support/command-context.ts'
import { checkMarkup } from '#test/support/markup.ts'
import { ANN, HELPERS, OLGA, PAUL } from '#test/support/people.ts'
import { browserOf } from '#test/support/signed-in-browser.ts'
import { openWorld } from '#test/support/world.ts'
import {
  changeResource,
  changeResourceCategory,
  copyResources,
  createResource,
  createResourceCategory,
  deleteResource,
  deleteResourceCategory,
} from './commands.ts'

const RESOURCES = '/manage/resources/'

for (const [day, monday] of [
  ['2031-05-01', '2031-04-28'],
  ['2031-04-28', '2031-04-28'],
  ['2031-05-04', '2031-04-28'],
  ['2031-01-01', '2030-12-30'],
] as const)
  test(`the week of ${day} starts on ${monday}`, () => assert.equal(mondayOf(day), monday))

describe('resources', async () => {
  const world = await openWorld()
  const { read } = world.db
  const olga = await browserOf(world, OLGA)
  const paul = await browserOf(world, PAUL)
  const ann = await browserOf(world, ANN)
  const shift = { start: '2031-05-06T08:00:00+02:00', end: '2031-05-06T12:00:00+02:00' }
  const fair = await world.addEvent({ title: 'Fair', seenBy: [HELPERS], responsible: [PAUL], shifts: [shift] })
  const drill = await world.addEvent({ title: 'Secret drill', responsible: [OLGA], shifts: [shift] })
  // Begins when the others end: no overlap.
  const later = await world.addEvent({
    title: 'Clean up',
    responsible: [PAUL],
    shifts: [{ start: '2031-05-06T12:00:00+02:00', end: '2031-05-06T14:00:00+02:00' }],
  })
  const idOf = async (title: string) =>
    (await read.selectFrom('resource').select('id').where('title', '=', title).executeTakeFirstOrThrow()).id
  const usedBy = async (shiftId: number) =>
    (
      await read
        .selectFrom('shift_resource')
        .select('resource_id')
        .where('shift_id', '=', shiftId)
        .orderBy('resource_id')
        .execute()
    ).map(({ resource_id }) => resource_id)
  const choose = (browser: typeof paul, shiftId: number, ids: number[]) =>
    browser.post(`/shifts/${shiftId}/resources/`, { form: { resources: ids.map(String) } })

  test('are not managed by planners', async () => {
    for (const path of ['', 'new/', 'categories/new/']) assert.equal((await paul.get(RESOURCES + path)).statusCode, 403)
    const page = await olga.get(RESOURCES)
    assert.deepEqual(checkMarkup(page.body), [])
    assert.match(page.body, /There are no resources yet/)
  })

  test('have a name and a category', async () => {
    assert.match((await olga.post(`${RESOURCES}categories/new/`, { form: { name: ' ' } })).body, /Please enter a name/)
    await olga.post(`${RESOURCES}categories/new/`, { form: { name: 'Vehicles' } })
    const category = await read.selectFrom('resource_category').selectAll().executeTakeFirstOrThrow()
    const refused = await olga.post(`${RESOURCES}new/`, { form: { title: '' } })
    assert.match(refused.body, /Please enter a name/)
    assert.match(refused.body, /Please choose a category/)
    assert.match((await olga.post(`${RESOURCES}new/`, { form: { title: 'x', category: '999' } })).body, /choose a category/)
    for (const title of ['Engine 1', 'Van'])
      assert.equal((await olga.post(`${RESOURCES}new/`, { form: { title, category: String(category.id) } })).statusCode, 303)
    const inUse = await olga.post(`${RESOURCES}categories/${category.id}/delete/`)
    assert.equal(inUse.statusCode, 409)
    assert.match((await olga.get(RESOURCES)).body, /Vehicles[\s\S]*Engine 1[\s\S]*Van/)
  })

  test('are chosen for a shift by people who may change the event', async () => {
    const [shiftId] = fair.shifts
    const engine = await idOf('Engine 1')
    assert.equal((await choose(ann, shiftId!, [engine])).statusCode, 403)
    assert.equal((await choose(paul, drill.shifts[0]!, [engine])).statusCode, 404)
    assert.deepEqual(await usedBy(shiftId!), [])
    assert.equal((await choose(paul, shiftId!, [engine])).statusCode, 303)
    assert.deepEqual(await usedBy(shiftId!), [engine])
    assert.match((await ann.get(`/events/${fair.id}-fair/`)).body, /Engine 1/)
    assert.equal((await choose(paul, shiftId!, [engine, 999_999])).statusCode, 409)
    assert.deepEqual(await usedBy(shiftId!), [engine])
    const journal = await read.selectFrom('journal').selectAll().where('kind', '=', 'shift.resources_changed').execute()
    assert.deepEqual(
      journal.map(({ changes, event_id }) => [changes, event_id]),
      [[{ resources: [[], [engine]] }, fair.id]],
    )
  })

  test('warn where another shift uses them at the same time, without the title of a hidden event', async () => {
    const engine = await idOf('Engine 1')
    assert.match((await olga.get(`/shifts/${drill.shifts[0]}/resources/`)).body, /at the same time: Fair, Tue 6 May 08:00–12:00/)
    await choose(olga, drill.shifts[0]!, [engine])
    await choose(paul, later.shifts[0]!, [engine])
    const form = await paul.get(`/shifts/${fair.shifts[0]}/resources/`)
    assert.deepEqual(checkMarkup(form.body), [])
    assert.match(form.body, /in use at the same time, Tue 6 May 08:00–12:00/)
    assert.doesNotMatch(form.body, /Secret drill|Clean up/)
    assert.match((await paul.get(`/events/${fair.id}-fair/`)).body, /Also used elsewhere at this time: Engine 1/)
    assert.doesNotMatch((await ann.get(`/events/${fair.id}-fair/`)).body, /Also used elsewhere/)
    assert.doesNotMatch((await paul.get(`/events/${later.id}-clean-up/`)).body, /Also used elsewhere/)
  })

  test('of cancelled events are free', async () => {
    const set = (cancelled_at: Date | null) =>
      world.db.write
        .updateTable('event')
        .set({ cancelled_at, cancellation_reason: cancelled_at && 'Rain' })
        .where('id', '=', drill.id)
        .execute()
    await set(world.now)
    assert.doesNotMatch((await paul.get(`/shifts/${fair.shifts[0]}/resources/`)).body, /in use at the same time/)
    await set(null)
  })

  test('are shown by week, with double use marked', async () => {
    assert.equal((await ann.get(`${RESOURCES}week/`)).statusCode, 403)
    const week = await paul.get(`${RESOURCES}week/?from=2031-05-07`)
    assert.deepEqual(checkMarkup(week.body), [])
    assert.match(week.body, /08:00–12:00 <a [^>]*>Fair<\/a> <span class="badge tone-bad">used twice/)
    assert.match(week.body, /08:00–12:00 in use/)
    assert.doesNotMatch(week.body, /Secret drill/)
    assert.match(week.body, /from=2031-05-12/)
    assert.doesNotMatch((await paul.get(`${RESOURCES}week/?from=2031-05-12`)).body, /Fair/)
  })

  test('are copied with an event', async () => {
    const copyHooks = [
      (tx: never, _context: unknown, _ids: unknown, shifts: ReadonlyMap<number, number>) => copyResources(tx, shifts),
    ]
    const [copy] = await duplicateEvent(contextAs(world, OLGA), { eventId: fair.id, dates: ['2031-06-01'], copyHooks } as never)
    const shifts = await read.selectFrom('shift').select('id').where('event_id', '=', copy!).execute()
    assert.deepEqual(await usedBy(shifts[0]!.id), [await idOf('Engine 1')])
  })

  test('are renamed, not by an outdated form, and deleted from all shifts', async () => {
    const van = await read.selectFrom('resource').selectAll().where('title', '=', 'Van').executeTakeFirstOrThrow()
    const path = `${RESOURCES}${van.id}/`
    const form = { title: 'Van 1', category: String(van.category_id), version: '1' }
    assert.equal((await olga.post(path, { form })).statusCode, 303)
    assert.equal((await olga.post(path, { form: { ...form, title: 'Van 2' } })).statusCode, 409)
    const engine = await idOf('Engine 1')
    assert.match((await olga.get(`${RESOURCES}${engine}/delete/`)).body, /All shifts lose this resource/)
    assert.equal((await olga.post(`${RESOURCES}${engine}/delete/`)).statusCode, 303)
    assert.deepEqual(await usedBy(fair.shifts[0]!), [])
  })

  test('are managed by permission, each for its own step', async () => {
    const viewer = await world.addPerson({ name: 'Vito', permissions: ['view_resource'] })
    const all = await world.addPerson({
      name: 'Mara',
      permissions: ['view_resource', 'add_resource', 'change_resource', 'delete_resource'],
    })
    const [vito, mara] = [await browserOf(world, viewer), await browserOf(world, all)]
    assert.equal((await mara.post(`${RESOURCES}categories/new/`, { form: { name: 'Tents' } })).statusCode, 303)
    const { id: category } = await read
      .selectFrom('resource_category')
      .select('id')
      .where('name', '=', 'Tents')
      .executeTakeFirstOrThrow()
    assert.equal((await mara.post(`${RESOURCES}new/`, { form: { title: 'Tent 1', category: String(category) } })).statusCode, 303)
    const id = await idOf('Tent 1')
    const shown = await vito.get(RESOURCES)
    assert.deepEqual(checkMarkup(shown.body), [])
    assert.match(shown.body, /Tent 1/)
    assert.doesNotMatch(shown.body, /resources\/(new|categories|\d+)\//)
    assert.equal((await vito.get(`${RESOURCES}week/`)).statusCode, 200)
    assert.equal((await ann.get(`${RESOURCES}week/`)).statusCode, 403)
    for (const path of [
      'new/',
      `${id}/`,
      `${id}/delete/`,
      'categories/new/',
      `categories/${category}/`,
      `categories/${category}/delete/`,
    ]) {
      assert.equal((await vito.get(RESOURCES + path)).statusCode, 403, path)
      assert.equal((await mara.get(RESOURCES + path)).statusCode, 200, path)
    }
    const denied = { code: 'permission_denied' }
    const context = contextAs(world, viewer)
    const form = { title: 'Tent', category, version: 1 }
    for (const attempt of [
      () => createResource(context, form),
      () => changeResource(context, id, form),
      () => deleteResource(context, id),
      () => createResourceCategory(context, { name: 'x', version: 1 }),
      () => changeResourceCategory(context, category, { name: 'x', version: 1 }),
      () => deleteResourceCategory(context, category),
    ])
      await assert.rejects(attempt, denied)
    assert.equal((await mara.post(`${RESOURCES}${id}/delete/`)).statusCode, 303)
    assert.equal((await mara.post(`${RESOURCES}categories/${category}/delete/`)).statusCode, 303)
  })
})
