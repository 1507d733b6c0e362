import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { transact } from '#platform/db/transaction.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { contextAs } from '#test/support/command-context.ts'
import { ANN, HELPERS, OLGA, PAUL, type Person } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import {
  allocateResources,
  changeResource,
  changeResourceCategory,
  copyResources,
  createResource,
  createResourceCategory,
  deleteResource,
  deleteResourceCategory,
  resourceTemplate,
} from './commands.ts'
import {
  type AllocatedShift,
  findCategories,
  findOverlaps,
  findResources,
  findResourcesOfEvent,
  findUses,
  getAllocatedShift,
} from './queries.ts'

const at = (hour: number) => new Date(Date.UTC(2031, 4, 6, hour))
const span = (from: number, until: number) => ({ start: at(from).toISOString(), end: at(until).toISOString() })

describe('commands and queries of resources', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person) => contextAs(world, person)
  const fair = await world.addEvent({
    title: 'Fair',
    seenBy: [HELPERS],
    responsible: [PAUL],
    shifts: [span(8, 12), span(12, 14)],
  })
  const drill = await world.addEvent({ title: 'Drill', responsible: [OLGA], shifts: [{ ...span(11, 13), label: 'Night' }] })
  const [morning, noon] = fair.shifts as [number, number]
  const hidden = drill.shifts[0]!
  const journal = async () =>
    (
      await write
        .selectFrom('journal')
        .select(['kind', 'subject_kind', 'subject_id', 'event_id', 'changes'])
        .where('kind', 'like', '%resource%')
        .orderBy('id')
        .execute()
    ).map(({ kind, subject_kind, subject_id, event_id, changes }) => [kind, subject_kind, subject_id, event_id, changes])
  const usesOf = async (shift: number) =>
    (
      await write.selectFrom('shift_resource').select('resource_id as id').where('shift_id', '=', shift).orderBy('id').execute()
    ).map(({ id }) => id)
  /** A category and two resources of it, without entries in the journal. */
  const add = async () => {
    const category = await write
      .insertInto('resource_category')
      .values({ name: 'Vehicles' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const made: number[] = []
    for (const title of ['Van', 'Engine'])
      made.push(
        (await write.insertInto('resource').values({ title, category_id: category.id }).returning('id').executeTakeFirstOrThrow())
          .id,
      )
    return { category: category.id, van: made[0]!, engine: made[1]! }
  }
  beforeEach(async () => {
    await write.deleteFrom('shift_resource').execute()
    await write.deleteFrom('resource').execute()
    await write.deleteFrom('resource_category').execute()
    await write.deleteFrom('journal').where('kind', 'like', '%resource%').execute()
  })

  test('people who are not administrators change nothing, also without the page', async () => {
    const { category, van } = await add()
    const form = { title: 'Mine', category, version: 1 }
    for (const command of [
      () => createResourceCategory(as(PAUL), { name: 'Rooms', version: 0 }),
      () => changeResourceCategory(as(PAUL), category, { name: 'Rooms', version: 1 }),
      () => deleteResourceCategory(as(PAUL), category),
      () => createResource(as(PAUL), form),
      () => changeResource(as(PAUL), van, form),
      () => deleteResource(as(PAUL), van),
    ])
      await assert.rejects(command, { code: 'permission_denied' })
    assert.deepEqual(
      (await findResources(write)).map(({ title }) => title),
      ['Engine', 'Van'],
    )
    assert.deepEqual(await findCategories(write), [{ id: category, name: 'Vehicles', version: 1, count: 2 }])
    assert.deepEqual(await journal(), [])
  })

  test('a category is created, renamed by a current form, and deleted once it is empty', async () => {
    const id = await createResourceCategory(as(OLGA), { name: 'Vans', version: 0 })
    assert.deepEqual(await changeResourceCategory(as(OLGA), id, { name: 'Vans', version: 1 }), { ok: true, isChanged: false })
    assert.deepEqual(await changeResourceCategory(as(OLGA), id, { name: 'Cars', version: 1 }), { ok: true, isChanged: true })
    assert.deepEqual(await changeResourceCategory(as(OLGA), id, { name: 'Vans', version: 1 }), { ok: false, reason: 'outdated' })
    assert.equal(await changeResourceCategory(as(OLGA), id + 99, { name: 'Vans', version: 1 }), undefined)
    assert.ok((await createResource(as(OLGA), { title: 'Van', category: id, version: 0 })).ok)
    assert.equal(await deleteResourceCategory(as(OLGA), id), 'in_use')
    const van = (await findResources(write))[0]!.id
    assert.deepEqual(await deleteResource(as(OLGA), van), { id: van, title: 'Van', category_id: id, version: 1 })
    assert.equal(await deleteResource(as(OLGA), van), undefined)
    assert.equal(await deleteResourceCategory(as(OLGA), id), 'deleted')
    assert.equal(await deleteResourceCategory(as(OLGA), id), 'gone')
    assert.deepEqual([await findCategories(write), await findResources(write)], [[], []])
    assert.deepEqual(await journal(), [
      ['resource_category.created', 'resource_category', id, null, { name: [null, 'Vans'] }],
      ['resource_category.changed', 'resource_category', id, null, { name: ['Vans', 'Cars'] }],
      ['resource.created', 'resource', van, null, { title: [null, 'Van'], category_id: [null, id] }],
      ['resource.deleted', 'resource', van, null, { title: ['Van', null] }],
      ['resource_category.deleted', 'resource_category', id, null, { name: ['Cars', null] }],
    ])
  })

  test('a resource changes its name, its category or both, by a current form', async () => {
    const { category, van, engine } = await add()
    const rooms = await createResourceCategory(as(OLGA), { name: 'Rooms', version: 0 })
    await write.deleteFrom('journal').where('kind', 'like', '%resource%').execute()
    const change = (values: object) => changeResource(as(OLGA), van, { title: 'Van', category, version: 1, ...values })
    assert.deepEqual(await change({}), { ok: true, isChanged: false })
    assert.deepEqual(await change({ category: 999 }), { ok: false, reason: 'category_unknown' })
    assert.deepEqual(await change({ category: rooms }), { ok: true, isChanged: true })
    assert.deepEqual(await change({ title: 'Bus' }), { ok: false, reason: 'outdated' })
    assert.deepEqual(await change({ title: 'Bus', category: rooms, version: 2 }), { ok: true, isChanged: true })
    assert.equal(await changeResource(as(OLGA), van + 99, { title: 'Bus', category, version: 1 }), undefined)
    assert.deepEqual(await createResource(as(OLGA), { title: 'Bus', category: 999, version: 0 }), {
      ok: false,
      reason: 'category_unknown',
    })
    assert.deepEqual(await findResources(write), [
      { id: van, title: 'Bus', category_id: rooms, version: 3 },
      { id: engine, title: 'Engine', category_id: category, version: 1 },
    ])
    assert.deepEqual(
      (await findCategories(write)).map(({ name, count }) => [name, count]),
      [
        ['Rooms', 1],
        ['Vehicles', 1],
      ],
    )
    assert.deepEqual(await journal(), [
      ['resource.changed', 'resource', van, null, { category_id: [category, rooms] }],
      ['resource.changed', 'resource', van, null, { title: ['Van', 'Bus'] }],
    ])
  })

  test('the resources of a shift are replaced by people who may change its event', async () => {
    const { van, engine } = await add()
    for (const [person, shift] of [
      [ANN, morning],
      [PAUL, hidden],
      [OLGA, 999_999],
    ] as const) {
      assert.equal(await allocateResources(as(person), shift, [van]), undefined, person.name)
      assert.equal(await getAllocatedShift(as(person), shift), undefined)
    }
    const changed = { ok: true, isChanged: true, eventId: fair.id }
    assert.deepEqual(await allocateResources(as(PAUL), morning, [engine, van, van]), changed)
    assert.deepEqual(await allocateResources(as(PAUL), morning, [van, engine]), { ...changed, isChanged: false })
    assert.deepEqual(await allocateResources(as(PAUL), morning, [van, 999_999]), { ok: false, reason: 'unknown' })
    assert.deepEqual(await allocateResources(as(PAUL), noon, [van]), changed)
    assert.deepEqual(await allocateResources(as(PAUL), morning, []), changed)
    assert.deepEqual([await usesOf(morning), await usesOf(noon)], [[], [van]], 'only those of the shift')
    assert.deepEqual(await journal(), [
      ['shift.resources_changed', 'shift', morning, fair.id, { resources: [[], [van, engine]] }],
      ['shift.resources_changed', 'shift', noon, fair.id, { resources: [[], [van]] }],
      ['shift.resources_changed', 'shift', morning, fair.id, { resources: [[van, engine], []] }],
    ])
    await write.updateTable('event').set({ deleted_at: world.now }).where('id', '=', fair.id).execute()
    assert.equal(await allocateResources(as(PAUL), morning, [van]), undefined, 'in the bin')
    await write.updateTable('event').set({ deleted_at: null }).where('id', '=', fair.id).execute()
  })

  test('a use at the same time is found, with its names only for those who may open the event', async () => {
    const { van, engine } = await add()
    await allocateResources(as(PAUL), morning, [van])
    await allocateResources(as(PAUL), noon, [van])
    await allocateResources(as(OLGA), hidden, [van, engine])
    const shift = (await getAllocatedShift(as(PAUL), morning)) as AllocatedShift
    const times = { start: at(8), end: at(12) }
    assert.deepEqual(shift, { id: morning, eventId: fair.id, eventTitle: 'Fair', label: '', ...times })
    const secret = { shiftId: hidden, eventId: drill.id, eventTitle: null, label: '', start: at(11), end: at(13) }
    const context = { ...as(PAUL), words: wordsFor('en', 'UTC') }
    // The shift at noon begins when this one ends.
    const byResource = <Use extends { resourceId: number }>(uses: Use[]) => uses.sort((a, b) => a.resourceId - b.resourceId)
    assert.deepEqual(byResource(await findOverlaps(context, shift)), [
      { resourceId: van, ...secret },
      { resourceId: engine, ...secret },
    ])
    const seen = { ...secret, eventTitle: 'Drill', label: 'Night' }
    assert.deepEqual(byResource(await findOverlaps({ ...context, actor: as(OLGA).actor }, shift)), [
      { resourceId: van, ...seen },
      { resourceId: engine, ...seen },
    ])
    const startsOf = async (from: number, until: number) =>
      (await findUses(context, at(from), at(until))).map(({ shiftId }) => shiftId)
    assert.deepEqual(await startsOf(6, 8), [], 'it begins when the time ends')
    assert.deepEqual(await startsOf(6, 9), [morning])
    assert.deepEqual(await startsOf(13, 20), [noon], 'it ended when the time began')
    const sharedOf = async () =>
      (await findResourcesOfEvent(context, fair.id)).map(({ shiftId, isShared }) => [shiftId, isShared])
    const inOrder = async () => (await sharedOf()).sort(([a], [b]) => Number(a) - Number(b))
    assert.deepEqual(await inOrder(), [
      [morning, true],
      [noon, true],
    ])
    const leaves = {
      deleted_at: { deleted_at: world.now },
      cancelled_at: { cancelled_at: world.now, cancellation_reason: 'Rain' },
    }
    for (const [column, values] of Object.entries(leaves)) {
      await write.updateTable('event').set(values).where('id', '=', drill.id).execute()
      assert.deepEqual(await findOverlaps(context, shift), [], column)
      assert.deepEqual(
        (await inOrder()).map(([, isShared]) => isShared),
        [false, false],
        column,
      )
      await write
        .updateTable('event')
        .set({ deleted_at: null, cancelled_at: null, cancellation_reason: null })
        .where('id', '=', drill.id)
        .execute()
    }
  })

  test('copies and templates use what the original uses, as far as it exists', async () => {
    const { van, engine } = await add()
    await allocateResources(as(PAUL), morning, [van, engine])
    await allocateResources(as(OLGA), hidden, [engine])
    const copy = await world.addEvent({ responsible: [PAUL], shifts: [span(8, 12), span(8, 12)] })
    const [first, second] = copy.shifts as [number, number]
    await transact(write, (tx) =>
      copyResources(
        tx,
        new Map([
          [morning, first],
          [noon, second],
        ]),
      ),
    )
    assert.deepEqual([await usesOf(first), await usesOf(second)], [[van, engine], []])
    const saved = await resourceTemplate.save(write, fair.id)
    assert.deepEqual(saved, [
      { shift: morning, resource: van },
      { shift: morning, resource: engine },
    ])
    await deleteResource(as(OLGA), engine)
    assert.deepEqual([await usesOf(morning), await usesOf(hidden)], [[van], []])
    await transact(write, (tx) =>
      resourceTemplate.restore(tx, copy.id, new Map([[morning, second]]), [...saved, { shift: noon, resource: van }]),
    )
    assert.deepEqual([await usesOf(first), await usesOf(second)], [[van], [van]])
  })
})
