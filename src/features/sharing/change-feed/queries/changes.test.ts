import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import type { UserActor } from '#platform/auth/actor.ts'
import { actorOf } from '#test/support/command-context.ts'
import { ANN, BEN, HELPERS, PAUL, PLANNERS } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import type { Change } from '../rules/visibility.ts'
import { type FeedCaller, findChangesAfter, readChanges, selectChanges } from './changes.ts'
import { findProfileViewers } from './marked.ts'

/** No other record of the tests has this id. */
const STEWARDS = 4711
const AT = '2031-05-01 10:00:00+00'
const change = (position: number, more: Partial<Change> = {}): Change => ({
  position,
  kind: 'event',
  recordId: 1,
  at: AT,
  cause: null,
  personId: null,
  beforeGroups: [HELPERS.id],
  afterGroups: [HELPERS.id],
  beforeState: null,
  afterState: null,
  users: [],
  lostUsers: [],
  gainedUsers: [],
  isPersonal: false,
  isNew: false,
  isParticipantShown: false,
  viewerUsers: [],
  viewerGroups: [],
  ...more,
})

describe('what a caller may see of changes', async () => {
  const world = await openWorld()
  const { write } = world.db
  const ann = actorOf(ANN, { groupIds: [HELPERS.id, STEWARDS], permissions: new Set(['view_user']) })
  const callerOf = (actor: UserActor, refreshed: UserActor | undefined = actor): FeedCaller => ({
    actor,
    refresh: async () => refreshed,
  })
  type Stored = { position: number; kind?: string; record_id?: number; person_id?: number | null }
  const store = (...rows: Stored[]) =>
    write
      .insertInto('change')
      .values(rows.map((row) => ({ kind: 'access', record_id: ANN.id, person_id: null, at: new Date(AT), ...row })))
      .execute()
  beforeEach(() => write.deleteFrom('change').execute())

  const ofAnn = { record_id: ANN.id, person_id: ANN.id }
  const ofGroup = { record_id: STEWARDS }
  const ACCESS: [what: string, stored: Stored[], isOlder: boolean][] = [
    ['nothing', [], false],
    ['the own access', [{ position: 20, ...ofAnn }], true],
    ['the own access, before the page', [{ position: 10, ...ofAnn }], false],
    ['the own access, before the change', [{ position: 11, ...ofAnn }], false],
    ['the access of somebody else', [{ position: 20, record_id: BEN.id, person_id: BEN.id }], false],
    ['another record of the caller', [{ position: 20, kind: 'participation', ...ofAnn }], false],
    ['an own group', [{ position: 20, ...ofGroup }], true],
    ['an own group, before the page', [{ position: 10, ...ofGroup }], false],
    ['another group', [{ position: 20, record_id: PLANNERS.id }], false],
    ['another record with the id of an own group', [{ position: 20, kind: 'qualification', ...ofGroup }], false],
    ['a person with the id of an own group', [{ position: 20, record_id: STEWARDS, person_id: BEN.id }], false],
    ['the own access before and after', [{ position: 11, ...ofAnn }, { position: 20, ...ofAnn }], true], // biome-ignore format: a table
    ['an own group before and after', [{ position: 11, ...ofGroup }, { position: 20, ...ofGroup }], true], // biome-ignore format: a table
    ['the own access before, an own group after', [{ position: 11, ...ofAnn }, { position: 20, ...ofGroup }], true], // biome-ignore format: a table
    ['an own group before, the own access after', [{ position: 11, ...ofGroup }, { position: 20, ...ofAnn }], true], // biome-ignore format: a table
  ]
  for (const [what, stored, isOlder] of ACCESS)
    test(`after a part of the changes, ${what}: access ${isOlder ? 'has' : 'has not'} changed since`, async () => {
      if (stored.length) await store(...stored)
      const gone = change(12, { afterGroups: null })
      const page = { changes: [gone], isComplete: false, after: 10, limit: 5 }
      const { seen, next, hasMore } = await selectChanges(write, callerOf(ann), page)
      assert.deepEqual(
        seen.map(({ position, what: told }) => [position, told]),
        isOlder ? [] : [[12, 'gone']],
      )
      assert.deepEqual([next, hasMore], [12, true])
    })

  test('nothing, if the account has no access any more, and the caller continues from there', async () => {
    const own = change(11, { kind: 'access', recordId: ANN.id, personId: ANN.id })
    const page = { changes: [change(12), own], isComplete: true, after: 10, limit: 5 }
    const caller: FeedCaller = { actor: ann, refresh: async () => undefined }
    assert.deepEqual(await selectChanges(write, caller, page), { seen: [], next: 10, hasMore: false })
  })

  test('records from before a change of the own access only as far as they are visible now', async () => {
    const shown = await world.addEvent({ seenBy: [HELPERS], shifts: [{}] })
    const hidden = await world.addEvent({ seenBy: [PLANNERS], shifts: [{}] })
    const [taken, elsewhere] = [
      await world.addParticipation({ who: BEN, shift: shown.shifts[0]!, state: 1 }),
      await world.addParticipation({ who: BEN, shift: hidden.shifts[0]!, state: 1 }),
    ]
    const unseen = await world.addPerson({ name: 'Unseen', isVisible: false })
    await write.updateTable('user_profile').set({ is_visible: false }).where('id', '=', ANN.id).execute()
    const participation = { kind: 'participation', beforeState: 1, afterState: 1, isParticipantShown: true }
    const changes = [
      change(11, { recordId: shown.id }),
      change(12, { recordId: hidden.id }),
      change(13, { kind: 'shift', recordId: shown.shifts[0]! }),
      change(14, { kind: 'shift', recordId: hidden.shifts[0]! }),
      change(15, { ...participation, recordId: taken, personId: BEN.id }),
      change(16, { ...participation, recordId: elsewhere, personId: BEN.id }),
      change(17, { kind: 'user', recordId: PAUL.id, personId: PAUL.id }),
      change(18, { kind: 'user', recordId: unseen.id, personId: unseen.id }),
      change(19, { kind: 'user', recordId: ANN.id, personId: ANN.id }),
      change(20, { kind: 'event_type', recordId: 999_999 }),
      change(20, { kind: 'event_type', recordId: 999_998, afterGroups: null }),
      change(21, { kind: 'access', recordId: ANN.id, personId: ANN.id }),
      change(22, { recordId: hidden.id }),
    ]
    const told = async (limit: number) => {
      const { seen, next, hasMore } = await selectChanges(write, callerOf(ann), { changes, isComplete: true, after: 10, limit })
      return [seen.map(({ position }) => position), next, hasMore]
    }
    assert.deepEqual(await told(50), [[11, 13, 15, 17, 19, 20, 21, 22], 22, false])
    assert.deepEqual(await told(12), [[11, 13, 15, 17, 19, 20, 21, 22], 22, false])
    assert.deepEqual(await told(11), [[11, 13, 15, 17, 19, 20, 21], 21, true])
    assert.deepEqual(await told(2), [[11], 12, true], 'the limit counts what was visible once')
    const own = change(21, { kind: 'access', recordId: ANN.id, personId: ANN.id })
    for (const each of changes.slice(0, 10)) {
      const page = { changes: [each, own], isComplete: true, after: 10, limit: 5 }
      const isTold = (await selectChanges(write, callerOf(ann), page)).seen.length === 2
      assert.equal(isTold, ![12, 14, 16, 18].includes(each.position), `${each.kind} ${each.position} alone`)
    }
    await write.updateTable('user_profile').set({ is_visible: true }).where('id', '=', ANN.id).execute()
  })

  test('the ids of records; of access, the own one, also if that of a group has changed', async () => {
    const changes = [
      change(11, { recordId: 7, isNew: true, beforeGroups: null, cause: 'event.created' }),
      change(12, { recordId: 8, afterGroups: null, cause: 'event.changed' }),
      change(13, { recordId: 9, afterGroups: null, cause: 'event.cancelled' }),
      change(14, { recordId: 10, afterGroups: null, cause: 'shift.cancelled' }),
    ]
    const page = { isComplete: true, after: 10, limit: 5 }
    const told = async (list: Change[]) =>
      (await selectChanges(write, callerOf(ann), { ...page, changes: list })).seen.map(({ recordId, what, cause, at }) => {
        assert.equal(at, AT)
        return [recordId, what, cause]
      })
    assert.deepEqual(await told(changes), [
      [7, 'created', 'event.created'],
      [8, 'gone', null],
      [9, 'gone', 'event.cancelled'],
      [10, 'gone', 'shift.cancelled'],
    ])
    const group = change(11, { kind: 'access', recordId: STEWARDS, cause: 'group.changed' })
    assert.deepEqual(await told([group]), [[ANN.id, 'updated', 'group.changed']])
  })

  test('read from the database after a position, in order, as many as are wanted', async () => {
    await store({ position: 12, ...ofAnn }, { position: 10, ...ofAnn }, { position: 11, ...ofAnn })
    const positions = async (after: number, limit: number) =>
      (await findChangesAfter(write, after, limit)).map(({ position }) => position)
    assert.deepEqual([await positions(10, 5), await positions(9, 2)], [[11, 12], [10, 11]]) // biome-ignore format: two lists
    const page = await readChanges(write, callerOf(ann), { after: 10, limit: 5 })
    assert.deepEqual(
      page.seen.map(({ position }) => position),
      [11, 12],
    )
    assert.deepEqual([page.next, page.hasMore], [12, false])
  })

  test('profiles are shown by grants for people and groups; hours are decided by groups for those of the person', async () => {
    const [crew, deciders, others] = [
      await world.addGroup('Crew', [ANN]),
      await world.addGroup('Deciders', [PAUL]),
      await world.addGroup('Others', [PAUL]),
    ]
    const grant = (group_id: number, target_group_id: number, permission: string) => ({ group_id, target_group_id, permission })
    await write
      .insertInto('group_grant')
      .values([
        grant(deciders.id, crew.id, 'decide_working_hours_for_group'),
        grant(others.id, crew.id, 'publish_event_for_group'),
        grant(others.id, deciders.id, 'decide_working_hours_for_group'),
      ])
      .execute()
    await write.insertInto('profile_user_grant').values({ user_id: ANN.id, viewer_id: PAUL.id }).execute()
    await write.insertInto('profile_group_grant').values({ user_id: ANN.id, group_id: others.id }).execute()
    await write.updateTable('user_profile').set({ is_visible: false }).where('id', '=', BEN.id).execute()
    const found = await findProfileViewers(write, [ANN.id, BEN.id])
    assert.deepEqual(
      found,
      new Map([
        [ANN.id, { user_id: ANN.id, isVisible: true, users: [PAUL.id], groups: [others.id], hoursGroups: [deciders.id] }],
        [BEN.id, { user_id: BEN.id, isVisible: false, users: [], groups: [], hoursGroups: [] }],
      ]),
    )
    assert.deepEqual(await findProfileViewers(write, []), new Map())
  })
})
