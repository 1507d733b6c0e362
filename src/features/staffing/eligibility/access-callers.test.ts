import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTo, shownTo } from '#features/events/events/access.ts'
import { type Actor, ANONYMOUS } from '#platform/auth/actor.ts'
import { actorOf, GUEST, PARTNER, VISITOR } from '#test/support/command-context.ts'
import { dependenciesOf, textOf } from '#test/support/conditions.ts'
import { ANN, HELPERS } from '#test/support/people.ts'
import { openFor, reachableBy } from './access.ts'

const ann = actorOf(ANN, { groupIds: [HELPERS.id], permissions: new Set(['add_event']) })

test('people with an account reach what pages show them, and open drafts that they may see', () => {
  assert.equal(textOf(reachableBy(ann)), textOf(shownTo(ann)))
  assert.equal(textOf(openFor(ann)), textOf(openTo(ann)))
  assert.notEqual(textOf(openFor(ann)), textOf(reachableBy(ann)))
})

const CASES: [who: string, actor: Actor, expected: ReturnType<typeof dependenciesOf>][] = [
  ['visitors what is shared with their instance', VISITOR, { tables: ['event_share', 'visitor'], values: [72, 71] }],
  ['guests their own event', GUEST, { tables: ['guest', 'guest_share'], values: [82, 81] }],
  ['partners nothing', PARTNER, 'false'],
  ['callers without an account nothing', ANONYMOUS, 'false'],
]
for (const [who, actor, expected] of CASES)
  test(`${who}`, () => {
    for (const condition of [reachableBy, openFor]) assert.deepEqual(dependenciesOf(condition(actor)), expected)
  })

test('visitors and guests reach published events only', () => {
  for (const actor of [VISITOR, GUEST]) assert.match(textOf(reachableBy(actor)), /^e\.active and e\.deleted_at is null and /)
})
