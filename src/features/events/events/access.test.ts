import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type RawBuilder, sql } from 'kysely'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import type { EventOptions } from '#test/support/fixtures.ts'
import { ANN, BEN, HELPERS, PAUL, PLANNERS } from '#test/support/people.ts'
import { openRecords } from '#test/support/records.ts'
import {
  changeableBy,
  eventsBesideAudiences,
  openTo,
  plannedAudiences,
  plannedBy,
  publishableBy,
  seenAudiences,
  shownTo,
  visibleTo,
} from './access.ts'

const withPermission = (permission: Permission) => actorOf(PAUL, { permissions: new Set([permission]) })
/** In the group of helpers. */
const ann = actorOf(ANN, { groupIds: [HELPERS.id] })
const planningAnn = actorOf(ANN, { groupIds: [HELPERS.id], permissions: new Set(['add_event']) })
const ben = actorOf(BEN)
const viewer = withPermission('view_event')
const viewingPlanner = actorOf(PAUL, { permissions: new Set(['view_event', 'add_event']) })
const adder = withPermission('add_event')
const changer = withPermission('change_event')
const publisher = withPermission('publish_event_for_group')

describe('access to events', async () => {
  const records = await openRecords()
  const { write } = records.db
  const add = (title: string, wish: EventOptions = {}) => records.addEvent({ title, shifts: [{}], ...wish })
  await add('for nobody')
  await add('for Ann', { seenBy: [ANN] })
  await add('for helpers', { seenBy: [HELPERS] })
  await add('led by Ann', { responsible: [ANN] })
  await add('led by helpers', { responsible: [HELPERS] })
  for (const [title, state, wish] of [
    ['Ann confirmed', 1, {}],
    ['Ann in dispatch', 4, {}],
    ['cancelled, Ann confirmed', 1, { cancelled: true }],
    ['for helpers, Ann confirmed', 1, { seenBy: [HELPERS] }],
  ] as const)
    await records.addParticipation({ who: ANN, shift: (await add(title, wish as EventOptions)).shifts[0]!, state })
  await add('draft for Ann', { seenBy: [ANN], draft: true })
  await add('draft for nobody', { draft: true })
  await add('cancelled for helpers', { seenBy: [HELPERS], cancelled: true })
  await add('deleted for Ann', { seenBy: [ANN], deleted: true })
  const third = await records.addGroup('Drivers', [])
  await add('for drivers', { seenBy: [third] })
  await write
    .insertInto('group_grant')
    .values({ group_id: HELPERS.id, target_group_id: PLANNERS.id, permission: 'publish_event_for_group' })
    .execute()
  await write
    .insertInto('group_grant')
    .values({ group_id: HELPERS.id, target_group_id: third.id, permission: 'decide_working_hours_for_group' })
    .execute()

  const textsOf = async (query: RawBuilder<{ text: string }>) => (await query.execute(write)).rows.map(({ text }) => text).sort()
  const where = (condition: RawBuilder<unknown>) => textsOf(sql`select e.title as text from event e where ${condition}`)

  const LED = ['led by Ann', 'led by helpers']
  const SEEN = ['Ann confirmed', 'for Ann', 'for helpers', 'for helpers, Ann confirmed', ...LED]
  const CANCELLED = ['cancelled for helpers', 'cancelled, Ann confirmed']
  const LISTED = [...SEEN, 'Ann in dispatch', 'for drivers', 'for nobody']
  const DRAFTS = ['draft for Ann', 'draft for nobody']
  const EVERY = [...LISTED, ...CANCELLED, ...DRAFTS, 'deleted for Ann']
  type Case = [who: string, actor: Actor, events: string[]]
  const TABLES: [what: string, condition: (actor: Actor) => RawBuilder<unknown>, cases: Case[]][] = [
    [
      'lists',
      visibleTo,
      [
        ['Ann', ann, SEEN],
        ['Ben without a group', ben, []],
        ['a person who sees all events', viewer, LISTED],
        ['a person who changes all events', changer, []],
        ['nobody', ANONYMOUS, []],
      ],
    ],
    [
      'pages',
      shownTo,
      [
        ['Ann', ann, [...SEEN, ...CANCELLED]],
        ['Ben without a group', ben, []],
        ['a person who sees all events', viewer, [...LISTED, ...CANCELLED]],
        ['nobody', ANONYMOUS, []],
      ],
    ],
    [
      'pages with drafts',
      openTo,
      [
        ['Ann', ann, [...SEEN, ...CANCELLED]],
        ['Ann, who may add events', planningAnn, [...SEEN, ...CANCELLED, 'draft for Ann']],
        ['a person who may add events', adder, []],
        ['a person who sees all events', viewer, [...LISTED, ...CANCELLED]],
        ['a person who sees all events and may add some', viewingPlanner, [...LISTED, ...CANCELLED, ...DRAFTS]],
        ['nobody', ANONYMOUS, []],
      ],
    ],
    ...[changeableBy, plannedBy].map((condition): (typeof TABLES)[number] => [
      `changes (${condition.name})`,
      condition,
      [
        ['Ann', ann, LED],
        ['Ann without her group', actorOf(ANN), ['led by Ann']],
        ['Ben in her group', actorOf(BEN, { groupIds: [HELPERS.id] }), ['led by helpers']],
        ['a person who sees all events', viewer, []],
        ['a person who changes all events', changer, EVERY],
        ['nobody', ANONYMOUS, []],
      ],
    ]),
  ]
  for (const [what, condition, cases] of TABLES)
    describe(what, () => {
      for (const [who, actor, events] of cases)
        test(`give ${events.length} events to ${who}`, async () => {
          assert.deepEqual(await where(condition(actor)), [...events].sort())
        })
    })

  const beside = (actor: Actor, options?: { unlisted: boolean }) =>
    textsOf(sql`with ${seenAudiences(actor)} select e.title as text from event e
      where e.id in (${eventsBesideAudiences(actor, options)})`)
  test('events beside the audiences are those of grants and participations', async () => {
    const granted = ['for Ann', 'led by Ann', 'draft for Ann', 'deleted for Ann']
    assert.deepEqual(await beside(ann), [...granted, 'Ann confirmed'].sort())
    assert.deepEqual(await beside(ann, { unlisted: true }), [...granted, 'Ann confirmed', 'cancelled, Ann confirmed'].sort())
    assert.deepEqual(await beside(actorOf(ANN)), [...granted, 'Ann confirmed', 'for helpers, Ann confirmed'].sort())
    assert.deepEqual(await beside(ANONYMOUS), [])
  })

  const audiences = async (table: RawBuilder<unknown>) =>
    textsOf(sql`with ${table} select e.title as text from event e where e.listed and e.audience_id in (select id from seen)`)
  test('audiences are those with groups of the person', async () => {
    const ofHelpers = ['for helpers', 'for helpers, Ann confirmed', 'led by helpers']
    assert.deepEqual(await audiences(seenAudiences(ann)), ofHelpers)
    assert.deepEqual(await audiences(seenAudiences(ben)), [])
    assert.deepEqual(await audiences(seenAudiences(viewer)), [], 'they are not needed by people who see all events')
    assert.deepEqual(await audiences(plannedAudiences(ann)), ofHelpers)
    assert.deepEqual(await audiences(plannedAudiences(ben)), [])
    const driver = actorOf(BEN, { groupIds: [third.id] })
    assert.deepEqual(await audiences(seenAudiences(driver)), ['for drivers'])
    assert.deepEqual(await audiences(plannedAudiences(driver)), [], 'the group is responsible for no event')
  })

  const groups = (actor: Actor) =>
    textsOf(
      sql`select g.name as text from user_group g where g.name in ('Helpers', 'Planners', 'Drivers') and ${publishableBy(actor)}`,
    )
  test('events are published for groups of a grant, or by permission for all groups', async () => {
    assert.deepEqual(await groups(ann), ['Planners'])
    assert.deepEqual(await groups(ben), [])
    assert.deepEqual(await groups(publisher), ['Drivers', 'Helpers', 'Planners'])
    assert.deepEqual(await groups(changer), [])
    assert.deepEqual(await groups(ANONYMOUS), [])
  })
})
