import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RawBuilder } from 'kysely'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf } from '#test/support/command-context.ts'
import { type Dependencies, dependenciesOf, textOf, valuesOf } from '#test/support/conditions.ts'
import { ANN, HELPERS, PAUL } from '#test/support/people.ts'
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

const ann = actorOf(ANN, { groupIds: [HELPERS.id] })
const having = (...permissions: Permission[]) => actorOf(PAUL, { permissions: new Set(permissions) })

const AUDIENCE = ['audience', 'event_user_grant', 'participation']
const GRANTS = ['event_group_grant', 'event_user_grant']
/** No account has this id. */
const NO_ID = 0
const PUBLISHED = 'e.active and e.deleted_at is null'

type Case = [who: string, actor: Actor, expected: Dependencies | string]
const ofAudience: Case[] = [
  ['Ann and her groups', ann, { tables: AUDIENCE, values: [[HELPERS.id], ANN.id] }],
  ['a caller without an account', ANONYMOUS, { tables: AUDIENCE, values: [[], NO_ID] }],
  ['who changes all events', having('change_event'), { tables: AUDIENCE, values: [[], PAUL.id] }],
]
const ofResponsible: Case[] = [
  ['Ann and her groups', ann, { tables: GRANTS, values: [ANN.id, [HELPERS.id]] }],
  ['a caller without an account', ANONYMOUS, { tables: GRANTS, values: [NO_ID, []] }],
  ['who sees all events', having('view_event'), { tables: GRANTS, values: [PAUL.id, []] }],
  ['who changes all events', having('change_event'), 'true'],
]
const TABLES: [condition: (actor: Actor) => RawBuilder<unknown>, cases: Case[]][] = [
  [visibleTo, [...ofAudience, ['who sees all events', having('view_event'), 'e.listed']]],
  [shownTo, [...ofAudience, ['who sees all events', having('view_event'), PUBLISHED]]],
  [
    openTo,
    [
      ...ofAudience,
      ['who adds events', having('add_event'), { tables: AUDIENCE, values: [[], PAUL.id] }],
      ['who sees all events', having('view_event'), PUBLISHED],
      ['who sees all events and adds some', having('view_event', 'add_event'), 'e.deleted_at is null'],
    ],
  ],
  [changeableBy, ofResponsible],
  [plannedBy, ofResponsible],
  [
    publishableBy,
    [
      ['the groups of Ann', ann, { tables: ['group_grant'], values: [[HELPERS.id]] }],
      ['a caller without an account', ANONYMOUS, { tables: ['group_grant'], values: [[]] }],
      ['who changes all events', having('change_event'), { tables: ['group_grant'], values: [[]] }],
      ['who publishes for all groups', having('publish_event_for_group'), 'true'],
    ],
  ],
  [
    seenAudiences,
    [
      ['the groups of Ann', ann, { tables: ['audience'], values: [[HELPERS.id]] }],
      ['a caller without an account', ANONYMOUS, { tables: ['audience'], values: [[]] }],
      ['who sees all events and needs none', having('view_event'), { tables: ['audience'], values: [] }],
    ],
  ],
]
for (const [condition, cases] of TABLES)
  describe(condition.name, () => {
    for (const [who, actor, expected] of cases)
      test(`asks about ${who}`, () => assert.deepEqual(dependenciesOf(condition(actor)), expected))
  })

test('drafts are open to those in the audience who may add events', () => {
  assert.ok(!textOf(openTo(having('add_event'))).includes('e.active'))
  assert.ok(textOf(openTo(ann)).includes('e.active'))
})

test('audiences of planners are those of their groups', () => {
  assert.deepEqual(valuesOf(plannedAudiences(ann)), [[HELPERS.id]])
  assert.deepEqual(valuesOf(plannedAudiences(ANONYMOUS)), [[]])
})

test('events that are not listed are added on request', () => {
  const texts = [
    eventsBesideAudiences(ann),
    eventsBesideAudiences(ann, { unlisted: false }),
    eventsBesideAudiences(ann, { unlisted: true }),
  ]
  assert.deepEqual(
    texts.map((query) => /listed_audience_id is (not null and|null or)/.exec(textOf(query))?.[1]),
    ['not null and', 'not null and', 'null or'],
  )
})
