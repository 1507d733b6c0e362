import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RawBuilder } from 'kysely'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import type { Permission } from '#platform/auth/permissions.ts'
import { actorOf, GUEST, PARTNER, VISITOR } from '#test/support/command-context.ts'
import { dependenciesOf, textOf } from '#test/support/conditions.ts'
import { ANN, HELPERS, PAUL } from '#test/support/people.ts'
import { identityShownTo, ownedBy, profileViewableBy, visibleAmongAll, visibleParticipations } from './access.ts'

const ann = actorOf(ANN, { groupIds: [HELPERS.id] })
const having = (...permissions: Permission[]) => actorOf(PAUL, { permissions: new Set(permissions) })

const PROFILES = ['profile_group_grant', 'profile_user_grant']
const GRANTS = ['event_group_grant', 'event_user_grant']
const AUDIENCE = ['audience', 'event_user_grant', 'participation']
/** No account has this id. */
const NO_ID = 0
const sorted = (...lists: string[][]) => [...new Set(lists.flat())].sort()

type Case = [who: string, actor: Actor, expected: ReturnType<typeof dependenciesOf>]
const TABLES: [condition: (actor: Actor) => RawBuilder<unknown>, cases: Case[]][] = [
  [
    profileViewableBy,
    [
      ['Ann and her groups', ann, { tables: PROFILES, values: [ANN.id, [HELPERS.id]] }],
      ['who views people', having('view_user'), 'p.user_id is not null'],
      ['who changes people', having('change_user'), { tables: PROFILES, values: [PAUL.id, []] }],
      ['a visitor', VISITOR, { tables: PROFILES, values: [NO_ID, []] }],
      ['a caller without an account', ANONYMOUS, { tables: PROFILES, values: [NO_ID, []] }],
    ],
  ],
  [
    ownedBy,
    [
      ['Ann', ann, { tables: [], values: [ANN.id] }],
      ['a visitor', VISITOR, { tables: [], values: [71] }],
      ['a guest', GUEST, { tables: [], values: [81] }],
      ['a partner', PARTNER, { tables: [], values: [NO_ID] }],
    ],
  ],
  [
    identityShownTo,
    [
      ['a visitor', VISITOR, { tables: [], values: [71] }],
      ['a guest', GUEST, { tables: [], values: [81] }],
      ['Ann and her groups', ann, { tables: sorted(PROFILES, GRANTS, ['participation']), values: [ANN.id, [HELPERS.id]] }],
      ['who views people', having('view_user'), { tables: sorted(GRANTS, ['participation']), values: [PAUL.id, []] }],
      ['who changes all events', having('change_event'), { tables: sorted(PROFILES, ['participation']), values: [PAUL.id, []] }],
      ['a partner', PARTNER, { tables: sorted(PROFILES, GRANTS, ['participation']), values: [NO_ID, []] }],
    ],
  ],
  ...[visibleParticipations, visibleAmongAll].map((condition): (typeof TABLES)[number] => [
    condition,
    [
      ['Ann and her groups', ann, { tables: sorted(AUDIENCE, PROFILES, GRANTS), values: [[HELPERS.id], ANN.id] }],
      ['who views people', having('view_user'), { tables: sorted(AUDIENCE, GRANTS), values: [[], PAUL.id] }],
      [
        'who views people and events',
        having('view_user', 'view_event'),
        { tables: sorted(GRANTS, ['participation']), values: [PAUL.id, []] },
      ],
      ['a visitor', VISITOR, { tables: AUDIENCE, values: [[], NO_ID, 71] }],
    ],
  ]),
]
for (const [condition, cases] of TABLES)
  describe(condition.name, () => {
    for (const [who, actor, expected] of cases)
      test(`asks about ${who}`, () => assert.deepEqual(dependenciesOf(condition(actor)), expected))
  })

test('own participations are found by the column of the kind of person', () => {
  const columnOf = (actor: Actor) => /^p\.(\w+) /.exec(textOf(ownedBy(actor)))?.[1]
  assert.deepEqual([ann, VISITOR, GUEST, PARTNER].map(columnOf), ['user_id', 'visitor_id', 'guest_id', 'user_id'])
})

test('queries over all rows ask once per query for accounts, and per row for others', () => {
  assert.notEqual(textOf(visibleAmongAll(ann)), textOf(visibleParticipations(ann)))
  assert.equal(textOf(visibleAmongAll(GUEST)), textOf(visibleParticipations(GUEST)))
})
