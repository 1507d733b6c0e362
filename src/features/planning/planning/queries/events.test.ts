import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { actorOf, contextOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, NORD, OLGA, PAUL, type Person, PLANNERS, VERA } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import {
  countAffected,
  countNotified,
  countNotifiedOf,
  countReaders,
  findBin,
  findDrafts,
  findGroupChoices,
  findPersonChoices,
  findPlannedEvents,
  findTypeChoices,
  getCopiedEvent,
  getLastEditor,
  getPlannedEvent,
  getTypeDefaults,
} from './events.ts'

type Facts = { permissions?: Permission[]; groups?: { id: number }[] }
const idsOf = (found: readonly { id: number }[]) => found.map(({ id }) => id)

describe('forms for events', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person, { permissions = [], groups = [] }: Facts = {}): RequestContext => ({
    ...contextOf(world, actorOf(person, { permissions: new Set(permissions), groupIds: groups.map(({ id }) => id) })),
    words: wordsFor('en', world.app.site.timeZone),
  })
  const hide = (person: Person, change: object) =>
    write.updateTable('user_profile').set(change).where('id', '=', person.id).execute()

  test('offer types in use, by their titles, and the one that the event has', async () => {
    const [beach, old, area] = [
      await world.addType({ title: 'beach' }),
      await world.addType({ title: 'Archived' }),
      await world.addType({ title: 'Area' }),
    ]
    await write.updateTable('event_type').set({ archived_at: world.now }).where('id', '=', old).execute()
    const isMade = (id: number) => [beach, old, area].includes(id)
    assert.deepEqual(idsOf(await findTypeChoices(as(PAUL))).filter(isMade), [area, beach])
    assert.deepEqual(idsOf(await findTypeChoices(as(PAUL), old)).filter(isMade), [old, area, beach])
    assert.deepEqual(
      [await getTypeDefaults(as(PAUL), old), (await getTypeDefaults(as(PAUL), beach))?.title],
      [undefined, 'beach'],
    )
  })

  test('begin with the groups and people of the type, as far as the planner may publish for them', async () => {
    const [type, other] = [await world.addType({ title: 'Training' }), await world.addType()]
    const isForAll = (visible_for_all_groups: boolean) =>
      write.updateTable('event_type').set({ visible_for_all_groups }).where('id', '=', type).execute()
    await isForAll(false)
    const group = (group_id: number, role: string, event_type_id = type) => ({ event_type_id, group_id, role })
    await write
      .insertInto('event_type_default_group')
      .values([group(HELPERS.id, 'audience'), group(PLANNERS.id, 'responsible'), group(PLANNERS.id, 'audience', other)])
      .execute()
    await write.insertInto('event_type_default_user').values({ event_type_id: type, user_id: BEN.id }).execute()
    const publishes: Facts = { permissions: ['publish_event_for_group'] }
    const defaults = await getTypeDefaults(as(PAUL, publishes), type)
    assert.deepEqual(
      [defaults?.groups, defaults?.responsibleGroups, defaults?.responsibleUsers],
      [[HELPERS.id], [PLANNERS.id], [PAUL.id, BEN.id].sort((a, b) => a - b)],
    )
    assert.deepEqual((await getTypeDefaults(as(PAUL), type))?.groups, [])
    await write
      .insertInto('group_grant')
      .values({ group_id: PLANNERS.id, target_group_id: PLANNERS.id, permission: 'publish_event_for_group' })
      .execute()
    // Not for the helpers: all groups for which the planner may publish.
    assert.deepEqual((await getTypeDefaults(as(PAUL, { groups: [PLANNERS] }), type))?.groups, [PLANNERS.id])
    await isForAll(true)
    const all = idsOf(await findGroupChoices(as(PAUL, publishes)))
    assert.deepEqual((await getTypeDefaults(as(PAUL, publishes), type))?.groups, all)
  })

  test('tell how many people groups have: active ones, no programs', async () => {
    const [left, program] = [await world.addPerson({ name: 'Left' }), await world.addPerson({ name: 'Program' })]
    const away = await world.addPerson({ name: 'Away' })
    const crew = await world.addGroup('Crew', [ANN, left, program, away])
    const nobody = await world.addGroup('all away', [left])
    await hide(left, { is_active: false })
    await hide(program, { is_service_account: true, is_visible: false, email_invalid: true })
    const found = (await findGroupChoices(as(PAUL))).filter(({ id }) => [crew.id, nobody.id, HELPERS.id].includes(id))
    assert.deepEqual(
      found.map(({ name, members }) => [name, members]),
      [
        ['all away', 0],
        ['Crew', 2],
        ['Helpers', 2],
      ],
    )
  })

  test('count everybody once who would see the event, without closed and hidden accounts', async () => {
    const [closed, hidden] = [await world.addPerson({ name: 'Closed' }), await world.addPerson({ name: 'Hidden' })]
    await hide(closed, { is_active: false })
    await hide(hidden, { is_visible: false })
    const group = await world.addGroup('Readers', [ANN, closed, hidden, VERA])
    const count = (groups: number[], users: number[]) => countReaders(as(PAUL), groups, users)
    assert.deepEqual(
      [
        await count([], []),
        await count([group.id], []),
        await count([group.id, HELPERS.id], []),
        await count([group.id], [ANN.id, PAUL.id]),
        await count([], [closed.id, hidden.id, OLGA.id]),
      ],
      [0, 2, 3, 3, 1],
    )
  })

  test('give the event to people who may change it, and its copy to those who see it', async () => {
    const shown = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], shifts: [{}] })
    const deleted = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], deleted: true, shifts: [{}] })
    const draft = await world.addEvent({ seenBy: [HELPERS], responsible: [PAUL], draft: true, shifts: [{}] })
    const ids = [deleted.id, draft.id, shown.id]
    const planned = async (context: RequestContext) => [
      idsOf(await findPlannedEvents(write, context.actor, ids)).sort((a, b) => a - b),
      await Promise.all(ids.map(async (id) => (await getPlannedEvent(write, context.actor, id))?.id)),
      await Promise.all(ids.map(async (id) => (await getCopiedEvent(write, context.actor, id))?.id)),
    ]
    const theirs = [[shown.id, draft.id].sort((a, b) => a - b), [undefined, draft.id, shown.id]]
    assert.deepEqual(await planned(as(PAUL)), [...theirs, [undefined, undefined, shown.id]])
    assert.deepEqual(await planned(as(PAUL, { permissions: ['add_event'] })), [...theirs, [undefined, draft.id, shown.id]])
    const others = [[], [undefined, undefined, undefined]]
    assert.deepEqual(await planned(as(ANN, { groups: [HELPERS] })), [...others, [undefined, undefined, shown.id]])
    assert.deepEqual(await planned(as(VERA)), [...others, [undefined, undefined, undefined]])
    const { groups, responsibleUsers, responsibleGroups } = (await getPlannedEvent(write, as(PAUL).actor, shown.id))!
    assert.deepEqual([groups, responsibleUsers, responsibleGroups], [[HELPERS.id], [PAUL.id], []])
  })
})

describe('lists of planners', async () => {
  const world = await openWorld()
  const { write } = world.db
  const as = (person: Person, ...permissions: Permission[]): RequestContext => ({
    ...contextOf(world, actorOf(person, { permissions: new Set(permissions) })),
    words: wordsFor('en', world.app.site.timeZone),
  })
  const createdBy = async (person: Person | null, wish: Parameters<typeof world.addEvent>[0]) => {
    const { id } = await world.addEvent({ responsible: person ? [person] : [], shifts: [{}, {}], ...wish })
    await write
      .updateTable('event')
      .set({ created_by_id: person?.id ?? null })
      .where('id', '=', id)
      .execute()
    return id
  }

  test('show own drafts first, and those of others to people who may change all events', async () => {
    const first = await createdBy(PAUL, { title: 'First', draft: true })
    const imported = await createdBy(null, { title: 'Imported', draft: true })
    const second = await createdBy(PAUL, { title: 'Second', draft: true })
    await createdBy(PAUL, { title: 'Deleted', draft: true, deleted: true })
    await createdBy(PAUL, { title: 'Published' })
    const bens = await createdBy(BEN, { title: 'Of Ben', draft: true })
    assert.deepEqual(
      (await findDrafts(as(PAUL, 'add_event'))).map(({ id, isOwn, creator, shifts }) => [id, isOwn, creator, shifts]),
      [
        [second, true, 'Paul', 2],
        [first, true, 'Paul', 2],
      ],
    )
    assert.deepEqual(
      (await findDrafts(as(PAUL, 'add_event', 'change_event', 'view_event'))).map(({ id, isOwn }) => [id, isOwn]),
      [
        [second, true],
        [first, true],
        [bens, false],
        [imported, false],
      ],
    )
    const abroad = await createdBy(PAUL, { title: 'Given away', draft: true, responsible: [BEN] })
    assert.equal(idsOf(await findDrafts(as(PAUL, 'add_event'))).includes(abroad), false, 'Paul may not open it any more')
    assert.equal(idsOf(await findDrafts(as(PAUL, 'add_event', 'view_event'))).includes(abroad), true)
    assert.deepEqual(await findDrafts(as(PAUL)), [], 'without the permission to make events')
    assert.deepEqual(await findDrafts({ ...as(PAUL), actor: ANONYMOUS }), [])
    assert.deepEqual(await findDrafts(as(ANN, 'add_event')), [])
  })

  test('show deleted events to those who may restore them, the last one first', async () => {
    const bin = async (person: Person, ...permissions: Permission[]) => idsOf(await findBin(as(person, ...permissions)))
    await write.deleteFrom('event').execute()
    const { id, shifts } = await world.addEvent({ deleted: true, responsible: [PAUL], shifts: [{}] })
    for (const [who, state] of [[ANN, 0], [BEN, 1], [VERA, 2], [OLGA, 3]] as const) // biome-ignore format: a table
      await world.addParticipation({ who, shift: shifts[0]!, state })
    world.now = new Date(world.now.getTime() + 1000)
    const later = await world.addEvent({ deleted: true, responsible: [PAUL] })
    const others = await world.addEvent({ deleted: true, responsible: [BEN] })
    await world.addEvent({ responsible: [PAUL], shifts: [{}] })
    assert.deepEqual(await bin(PAUL, 'delete_event'), [later.id, id])
    assert.deepEqual(await bin(PAUL), [])
    assert.deepEqual(await bin(PAUL, 'delete_event', 'change_event'), [others.id, later.id, id])
    const line = (await findBin(as(PAUL, 'delete_event'))).at(-1)!
    assert.deepEqual([line.shifts, line.participations], [1, 2])
  })

  test('show the first 50 drafts and the last 200 deleted events', async () => {
    await write.deleteFrom('event').execute()
    const addMany = (count: number, active: boolean) =>
      sql`
      insert into event (title, location, type_id, active, created_by_id, deleted_at)
      select 'Many ' || n, '', 1, ${active}, ${OLGA.id}, case when ${active} then now() end
      from generate_series(1, ${count}::int) n`.execute(write)
    await addMany(51, false)
    await addMany(201, true)
    const olga = { ...as(OLGA), actor: actorOf(OLGA) }
    assert.deepEqual([(await findDrafts(olga)).length, (await findBin(olga)).length], [50, 200])
  })

  test('name who changed an event or its shifts last, and nobody for other entries', async () => {
    const [{ id }, other] = [await world.addEvent({ shifts: [{}] }), await world.addEvent({ shifts: [{}] })]
    const log = (kind: string, actor_id: number | null, more: object = {}) =>
      write
        .insertInto('journal')
        .values({
          kind,
          subject_kind: 'event',
          subject_id: id,
          event_id: id,
          at: world.now,
          changes: '{}',
          actor_kind: actor_id === null ? 'system' : 'user',
          actor_id,
          ...more,
        })
        .execute()
    const last = () => getLastEditor({ db: write }, id)
    await log('event.changed', OLGA.id, { event_id: other.id, subject_id: other.id })
    assert.equal(await last(), undefined)
    await log('event.changed', BEN.id)
    assert.equal(await last(), 'Ben')
    await log('shift.changed', ANN.id)
    assert.equal(await last(), 'Ann')
    for (const [kind, actor, more] of [
      ['event.published', OLGA.id, {}],
      ['shift.created', OLGA.id, {}],
      ['shift.changed', null, {}],
      ['event.changed', OLGA.id, { event_id: other.id, subject_id: other.id }],
      ['event.changed', VERA.id, { actor_kind: 'guest' }],
    ] as const) {
      await log(kind, actor, more)
      assert.equal(await last(), 'Ann', kind)
    }
    await log('event.changed', PAUL.id)
    assert.equal(await last(), 'Paul')
  })

  test('count people, not participations, who are affected by the end of an event', async () => {
    const { id, shifts } = await world.addEvent({ shifts: [{}, {}] })
    const other = await world.addEvent({ shifts: [{}] })
    const [one, two] = shifts as [number, number]
    const guest = { guest: { name: 'Gus' } }
    for (const [who, shift, state] of [
      [ANN, one, 1],
      [ANN, two, 1],
      [BEN, one, 0],
      [BEN, two, 1],
      [VERA, one, 2],
      [PAUL, two, 3],
      [{ placeholder: 'Somebody' }, one, 1],
      [{ placeholder: 'Somebody' }, two, 1],
      [guest, one, 0],
      [{ visitor: { name: 'Vic' }, of: NORD }, one, 1],
      [OLGA, other.shifts[0]!, 1],
    ] as const)
      await world.addParticipation({ who, shift, state })
    assert.deepEqual(await countAffected(as(PAUL), id), { confirmed: 4, requested: 2 })
  })

  test('count who gets a notification of a change: everybody once, without oneself, closed accounts and names without a person', async () => {
    const gone = await world.addPerson({ name: 'Gone' })
    await write.updateTable('user_profile').set({ is_active: false }).where('id', '=', gone.id).execute()
    const { id, shifts } = await world.addEvent({ shifts: [{}, {}, {}] })
    const [one, two, three] = shifts as [number, number, number]
    for (const [who, shift, state] of [
      [ANN, one, 1],
      [ANN, two, 0],
      [BEN, two, 1],
      [VERA, one, 2],
      [OLGA, one, 3],
      [PAUL, one, 1],
      [gone, one, 1],
      [{ placeholder: 'Somebody' }, one, 1],
      [{ guest: { name: 'Gus' } }, two, 0],
      [{ visitor: { name: 'Vic' }, of: NORD }, three, 1],
    ] as const)
      await world.addParticipation({ who, shift, state })
    const { actor } = as(PAUL)
    const count = async () => [
      await countNotified(write, actor, { eventId: id }),
      await countNotified(write, actor, { shiftId: one }),
      await countNotified(write, actor, { shiftId: two }),
      await countNotifiedOf(write, actor, [one, two]),
      await countNotifiedOf(write, actor, [one, three]),
      await countNotifiedOf(write, actor, []),
    ]
    assert.deepEqual(await count(), [4, 1, 3, 3, 2, 0])
    assert.equal(await countNotified(write, as(OLGA).actor, { shiftId: one }), 2, 'Paul, too')
    for (const unlisted of [
      { active: false },
      { active: true, cancelled_at: world.now, cancellation_reason: 'storm' },
      { cancelled_at: null, cancellation_reason: null, deleted_at: world.now },
    ]) {
      await write.updateTable('event').set(unlisted).where('id', '=', id).execute()
      assert.deepEqual(await count(), [0, 0, 0, 0, 0, 0], JSON.stringify(unlisted))
    }
  })
})

describe('people who can be made responsible', async () => {
  const world = await openWorld()
  const { write } = world.db
  const find = async (chosen: number[], typed?: string) =>
    (await findPersonChoices({ db: write }, chosen, typed)).map(({ name }) => name)
  const SAMPLE = ['Ann', 'Ben', 'Olga', 'Paul', 'Vera']
  const hidden = await world.addPerson({ name: 'Hidden' })
  const closed = await world.addPerson({ name: 'Closed' })
  await write.updateTable('user_profile').set({ is_visible: false }).where('id', '=', hidden.id).execute()
  await write.updateTable('user_profile').set({ is_active: false }).where('id', '=', closed.id).execute()

  test('are all, by name; hidden and closed accounts only if they were chosen before', async () => {
    assert.deepEqual(await find([]), SAMPLE)
    assert.deepEqual(await find([], 'Ann'), SAMPLE)
    assert.deepEqual(await find([hidden.id, ANN.id]), ['Ann', 'Ben', 'Hidden', 'Olga', 'Paul', 'Vera'])
    assert.deepEqual(await find([closed.id]), ['Ann', 'Ben', 'Closed', 'Olga', 'Paul', 'Vera'])
  })

  test('have their address beside the name, or the name they sign in with', async () => {
    await write
      .updateTable('user_profile')
      .set({ email: 'x@no-address.invalid', username: 'ben7' })
      .where('id', '=', BEN.id)
      .execute()
    const [ann, ben] = await findPersonChoices({ db: write }, [])
    assert.deepEqual([ann!.email, ben!.email], [ANN.email, 'ben7'])
  })

  test('are found by typing if there are more than 200', async () => {
    const addMany = (from: number, until: number) =>
      sql`
      insert into user_profile (display_name, email)
      select 'Xaver ' || n, 'xaver' || n || '@a.example' from generate_series(${from}::int, ${until}::int) n`.execute(write)
    await addMany(1, 195)
    assert.equal((await find([])).length, 200)
    await addMany(196, 196)
    assert.deepEqual(await find([]), [])
    // Those who were chosen do not count.
    assert.equal((await find([ANN.id])).length, 201)
    assert.deepEqual(await find([], 'ann'), ['Ann'])
    assert.deepEqual(await find([hidden.id], 'Ben (ben7)'), ['Ben', 'Hidden'])
    assert.deepEqual(await find([], 'hidden'), [])
    assert.deepEqual(await find([], 'xaver 17').then((names) => names.includes('Xaver 17')), true)
    await addMany(197, 230)
    assert.equal((await find([], 'xaver')).length, 200)
    assert.equal((await find([ANN.id], 'xaver')).length, 201)
  })
})
