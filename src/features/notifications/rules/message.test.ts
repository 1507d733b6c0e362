import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Candidate, chooseRecipients } from './message.ts'

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
