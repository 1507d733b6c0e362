import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { NotificationKind } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { chooseKinds, groupKinds } from './rules.ts'

type Kind = Pick<NotificationKind, 'name' | 'role' | 'topic' | 'mail'>
const kind = (name: Kind['name'], more: Partial<Kind> = {}): Kind => ({ name, role: 'participant', mail: 'default', ...more })
const KINDS = [
  kind('reminder'),
  kind('shift_moved'),
  kind('event_message', { topic: 'news', mail: 'always' }),
  kind('event_published', { topic: 'news', mail: 'opt-in' }),
  kind('place_lapsed', { role: 'responsible', topic: 'asked' }),
  kind('swap_report', { role: 'responsible' }),
]

test('kinds are grouped by topic, those for responsibles together, without those that always come', () =>
  assert.deepEqual(
    groupKinds(KINDS).map(({ topic, kinds }) => [topic, ...kinds.map(({ name }) => name)]),
    [
      ['shifts', 'reminder', 'shift_moved'],
      ['news', 'event_published'],
      ['planning', 'place_lapsed', 'swap_report'],
    ],
  ))

describe('the wanted kinds', () => {
  const CASES: [what: string, shown: string[], former: string[], on: string[], ticked: string[], wanted: string[]][] = [
    ['of a group that is on: those that are ticked', ['shifts'], ['shifts'], ['shifts'], ['reminder'], ['reminder']],
    ['of a group that is on, without a tick: none', ['shifts'], ['shifts'], ['shifts'], [], []],
    ['of a group that is off: none, whatever is ticked', ['shifts'], ['shifts'], [], ['reminder'], []],
    ['of a group that was switched on: all', ['shifts'], [], ['shifts'], [], ['reminder', 'shift_moved']],
    ['of a group that was switched on with a choice: the choice', ['shifts'], [], ['shifts'], ['shift_moved'], ['shift_moved']],
    ['of a group of one kind that stays on: that kind', ['news'], ['news'], ['news'], ['event_published'], ['event_published']],
    ['of a group of one kind that comes by another channel: none', ['news'], ['news'], ['news'], [], []],
    ['of a group of one kind that was switched on: that kind', ['news'], [], ['news'], [], ['event_published']],
    ['of a group of one kind that is off: none', ['news'], ['news'], [], ['event_published'], []],
    ['unknown names count for nothing', ['shifts', 'x'], ['shifts'], ['shifts', 'x'], ['y'], []],
  ]
  for (const [what, shown, former, on, ticked, wanted] of CASES)
    test(what, () => {
      const choice = { shown: new Set(shown), former: new Set(former), on: new Set(on), hidden: new Set<string>() }
      assert.deepEqual([...chooseKinds(KINDS, choice, new Set(ticked), () => false)], wanted)
    })

  test('of groups that the form did not show stay as they were', () => {
    const choice = { shown: new Set(['shifts']), former: new Set<string>(), on: new Set<string>(), hidden: new Set<string>() }
    const wanted = chooseKinds(KINDS, choice, new Set(), ({ name }) => name !== 'place_lapsed')
    assert.deepEqual([...wanted], ['event_published', 'swap_report'])
  })

  for (const on of [['shifts'], []])
    for (const wasWanted of [true, false])
      test(`of kinds that the form did not show stay as they were: ${wasWanted}, in a group that is ${on.length ? 'on' : 'off'}`, () => {
        const choice = { shown: new Set(['shifts']), former: new Set(['shifts']), on: new Set(on), hidden: new Set(['reminder']) }
        const wanted = chooseKinds(KINDS, choice, new Set(), ({ name }) => name === 'reminder' && wasWanted)
        assert.deepEqual([...wanted], wasWanted ? ['reminder'] : [])
      })

  test('of a group that was switched on are all that the form showed', () => {
    const choice = {
      shown: new Set(['shifts']),
      former: new Set<string>(),
      on: new Set(['shifts']),
      hidden: new Set(['reminder']),
    }
    assert.deepEqual([...chooseKinds(KINDS, choice, new Set(), () => false)], ['shift_moved'])
  })
})
