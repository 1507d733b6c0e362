import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Candidate, chooseRecipients, isInGroup, type RecipientGroup } from './rules.ts'

test('a candidate who is chosen for several reasons gets one message', () => {
  const participations = [
    { shiftId: 1, state: 1 },
    { shiftId: 2, state: 0 },
  ]
  const ann: Candidate = { key: 'u1', name: 'Ann', noMail: null, isInvited: true, participations }
  const groups = new Set(['confirmed', 'requested', 'unanswered'] as const)
  const all = chooseRecipients([ann], { groups, shiftId: undefined, people: new Set(['u1']) })
  assert.deepEqual(all, { recipients: [ann], unreachable: [] })
  const ofThirdShift = { groups: new Set(['unanswered'] as const), shiftId: 3, people: new Set<string>() }
  assert.deepEqual(chooseRecipients([ann], ofThirdShift).recipients, [ann])
})

describe('recipients', () => {
  const candidate = (name: string, ...states: [shiftId: number, state: number][]): Candidate => ({
    key: name,
    name,
    noMail: null,
    isInvited: true,
    participations: states.map(([shiftId, state]) => ({ shiftId, state })),
  })
  const ALL: Candidate[] = [
    candidate('requested', [1, 0]),
    candidate('confirmed', [1, 1]),
    candidate('declined', [1, 2]),
    candidate('elsewhere', [2, 1]),
    candidate('silent'),
    { ...candidate('uninvited'), isInvited: false },
    { ...candidate('placeholder', [1, 1]), noMail: 'placeholder' },
  ]
  const CASES: [
    groups: RecipientGroup[],
    shiftId: number | undefined,
    people: string[],
    names: string[],
    unreachable: string[],
  ][] = [
    [[], undefined, [], [], []],
    [['confirmed'], undefined, [], ['confirmed', 'elsewhere'], ['placeholder']],
    [['confirmed'], 1, [], ['confirmed'], ['placeholder']],
    [['requested'], undefined, [], ['requested'], []],
    [['requested', 'confirmed'], 1, [], ['requested', 'confirmed'], ['placeholder']],
    [['unanswered'], undefined, [], ['silent'], []],
    [['unanswered'], 1, [], ['elsewhere', 'silent'], []],
    [[], undefined, ['declined', 'placeholder'], ['declined'], ['placeholder']],
    [['requested'], undefined, ['uninvited'], ['requested', 'uninvited'], []],
  ]
  for (const [groups, shiftId, people, names, unreachable] of CASES)
    test(`${[...groups, ...people].join(', ') || 'nobody'} of ${shiftId ? 'one shift' : 'all shifts'}`, () => {
      const chosen = chooseRecipients(ALL, { groups: new Set(groups), shiftId, people: new Set(people) })
      assert.deepEqual(
        [chosen.recipients.map(({ name }) => name), chosen.unreachable.map(({ name }) => name)],
        [names, unreachable],
      )
    })
})

describe('groups of recipients', () => {
  const candidate = (isInvited: boolean, ...participations: Candidate['participations']): Candidate => ({
    key: 'u1',
    name: 'Ann',
    noMail: null,
    isInvited,
    participations,
  })
  const confirmed = { shiftId: 1, state: 1 }
  const TABLE: [
    what: string,
    group: 'confirmed' | 'requested' | 'unanswered',
    who: Candidate,
    shift: number | undefined,
    is: boolean,
  ][] = [
    ['a confirmed person of any shift', 'confirmed', candidate(true, confirmed), undefined, true],
    ['a confirmed person of this shift', 'confirmed', candidate(true, confirmed), 1, true],
    ['a confirmed person of another shift', 'confirmed', candidate(true, confirmed), 2, false],
    ['a confirmed person', 'requested', candidate(true, confirmed), undefined, false],
    ['an invited person without an answer', 'unanswered', candidate(true), undefined, true],
    ['an invited person with an answer', 'unanswered', candidate(true, confirmed), undefined, false],
    ['a person without an invitation', 'unanswered', candidate(false), undefined, false],
  ]
  for (const [what, group, who, shiftId, is] of TABLE)
    test(`${what} is ${is ? '' : 'not '}among ${group}${shiftId ? ` of shift ${shiftId}` : ''}`, () =>
      assert.equal(isInGroup(group, who, shiftId), is))
})
