import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NO_RIGHTS } from '#features/accounts/users/rules.ts'
import { decideGroups, listGroups, rightsState } from './groups.ts'

const group = (id: number, name: string, more = {}) => ({ id, name, ...NO_RIGHTS, isResponsible: false, ...more })
const HELPERS = group(1, 'Helpers')
const ADMINISTRATORS = group(2, 'Administrators', { permissions: ['change_user', 'view_user'] })
const PUBLISHERS = group(3, 'Publishers', { publishFor: [1] })
const APPROVERS = group(4, 'Approvers', { decideHoursFor: [1] })
const STEWARDS = group(5, 'Stewards', { isResponsible: true })
const GROUPS = [HELPERS, ADMINISTRATORS, PUBLISHERS, APPROVERS, STEWARDS]
const ALL = { permissions: ['change_user', 'view_user'], publishFor: [1], decideHoursFor: [1] }

const decide = (values: string[], more: Partial<Parameters<typeof decideGroups>[0]> = {}) =>
  decideGroups({ values, groups: GROUPS, mappings: [], defaults: [], keepsNamed: false, ...more })

describe('a value of the claim', () => {
  test('gives a group without rights by its name, without regard to case, and an exact match comes first', () => {
    const groups = [group(1, 'medics'), group(2, 'Medics'), group(3, 'Drivers')]
    assert.deepEqual(decide(['Medics', 'DRIVERS', 'cooks', 'Cooks', 'x'.repeat(151), 'y'.repeat(150)], { groups }), {
      joins: [2, 3],
      keeps: [],
      withheld: [],
      missing: ['cooks', 'y'.repeat(150)],
    })
  })

  for (const [name, groupId] of [
    ['administrators', 2],
    ['Administrators', 2],
    ['publishers', 3],
    ['approvers', 4],
  ] as const)
    test(`does not give a group with rights by its name: ${name}`, () =>
      assert.deepEqual(decide([name]), {
        joins: [],
        keeps: [],
        withheld: [{ value: name, groupId, reason: 'unmapped' }],
        missing: [],
      }))

  test('lets members stay in a group with rights by its name while nobody has chosen the values', () =>
    assert.deepEqual(decide(['administrators'], { keepsNamed: true }), {
      joins: [],
      keeps: [2],
      withheld: [{ value: 'administrators', groupId: 2, reason: 'unmapped' }],
      missing: [],
    }))

  test('neither gives nor takes a group that is only responsible for events', () =>
    assert.deepEqual(decide(['stewards']), {
      joins: [],
      keeps: [5],
      withheld: [{ value: 'stewards', groupId: 5, reason: 'responsible' }],
      missing: [],
    }))

  test('gives the groups that it is mapped to, exactly as it is written, and no group by its name', () => {
    const mappings = [
      { value: 'Helpers', groupId: 2, rights: ALL },
      { value: 'Helpers', groupId: 5, rights: NO_RIGHTS },
      { value: 'gone', groupId: 99, rights: ALL },
    ]
    assert.deepEqual(decide(['Helpers', 'gone'], { mappings }), { joins: [2, 5], keeps: [], withheld: [], missing: [] })
    assert.deepEqual(decide(['helpers'], { mappings }).joins, [1])
  })

  for (const [what, rights, groupId] of [
    ['a permission', { ...ALL, permissions: ['view_user'] }, 2],
    ['a group to publish for', { ...ALL, publishFor: [7] }, 3],
    ['a group to approve hours of', { ...ALL, decideHoursFor: [] }, 4],
  ] as const)
    test(`gives a group no longer to new people after it got ${what} that nobody confirmed`, () =>
      assert.deepEqual(decide(['x'], { mappings: [{ value: 'x', groupId, rights }] }), {
        joins: [],
        keeps: [groupId],
        withheld: [{ value: 'x', groupId, reason: 'widened' }],
        missing: [],
      }))

  test('is not withheld if another value gives the group', () => {
    const mappings = [{ value: 'x', groupId: 2, rights: ALL }]
    assert.deepEqual(decide(['administrators', 'x'], { mappings }), { joins: [2], keeps: [], withheld: [], missing: [] })
  })
})

test('a group for everybody with rights is given after somebody has confirmed them', () => {
  const withRights = (rights: typeof NO_RIGHTS) => decide([], { defaults: [{ groupId: 2, rights }] })
  assert.deepEqual(withRights(ALL).joins, [2])
  assert.deepEqual(withRights(NO_RIGHTS), {
    joins: [],
    keeps: [2],
    withheld: [{ value: undefined, groupId: 2, reason: 'widened' }],
    missing: [],
  })
  assert.deepEqual(decide([], { defaults: [{ groupId: 5, rights: NO_RIGHTS }] }).joins, [5])
})

test('the list shows what is confirmed, what grew, and groups with rights that no value gives', () => {
  const at = new Date('2031-05-01T12:00:00Z')
  const facts = {
    groups: GROUPS,
    mappings: [
      { id: 8, value: 'boss', groupId: 2, rights: ALL, confirmedAt: at },
      { id: 9, value: 'press', groupId: 3, rights: NO_RIGHTS, confirmedAt: at },
    ],
    defaults: [
      { groupId: 1, rights: NO_RIGHTS },
      { groupId: 4, rights: ALL },
    ],
    withheld: [{ groupId: 5, value: 'STEWARDS', seenAt: at }],
    hasClaim: true,
  }
  const short = (more = {}) =>
    listGroups({ ...facts, ...more }).map(({ value, group: { name }, state, mapping, seen }) => [
      value,
      name,
      state,
      mapping?.id,
      seen?.value,
    ])
  assert.deepEqual(short(), [
    ['boss', 'Administrators', 'given', 8, undefined],
    ['press', 'Publishers', 'widened', 9, undefined],
    [undefined, 'Approvers', 'given', undefined, undefined],
    ['STEWARDS', 'Stewards', 'responsible', undefined, 'STEWARDS'],
  ])
  assert.deepEqual(short({ mappings: [], defaults: [], withheld: [] }), [
    [undefined, 'Administrators', 'unmapped', undefined, undefined],
    [undefined, 'Publishers', 'unmapped', undefined, undefined],
    [undefined, 'Approvers', 'unmapped', undefined, undefined],
  ])
  assert.deepEqual(short({ mappings: [], defaults: [], hasClaim: false }), [])
})

test('rights are the same in any order', () => {
  const rights = { permissions: ['b', 'a'], publishFor: [10, 9], decideHoursFor: [2, 1] }
  assert.equal(rightsState(rights), rightsState({ permissions: ['a', 'b'], publishFor: [9, 10], decideHoursFor: [1, 2] }))
  assert.notEqual(rightsState(rights), rightsState({ ...rights, publishFor: [10] }))
})
