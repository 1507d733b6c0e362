import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  DEFAULT_LINK,
  joinLinkEnd,
  MAX_LINK_DAYS,
  MAX_LINK_USES,
  refusedUntil,
  refuseLink,
  registrationEnd,
  whyClosed,
} from './rules.ts'

const now = new Date('2031-05-01T10:00:00Z')
const link = (change: object) => ({ expiresAt: new Date(now.getTime() + 1), revokedAt: null, uses: 0, maxUses: 1, ...change })

test('a link is open until it is withdrawn, expired or used up', () => {
  const cases: [object, ReturnType<typeof whyClosed>][] = [
    [{}, undefined],
    [{ expiresAt: now }, 'expired'],
    [{ uses: 1 }, 'used_up'],
    [{ uses: 2, maxUses: 3 }, undefined],
    [{ revokedAt: now, uses: 1 }, 'revoked'],
  ]
  for (const [change, expected] of cases) assert.equal(whyClosed(link(change), now), expected, JSON.stringify(change))
})

test('links of groups with rights need approval, and an editor with these rights', () => {
  const group = (change: object) => ({ permissions: [], publishFor: [], decideHoursFor: [], ...change })
  const editor = { isStaff: false, permissions: new Set(['add_event']) }
  const cases: [object, { isStaff: boolean; permissions: Set<string> }, boolean, ReturnType<typeof refuseLink>][] = [
    [{}, editor, false, undefined],
    [{ permissions: ['add_event'] }, editor, true, undefined],
    [{ permissions: ['add_event'] }, editor, false, 'needs_approval'],
    [{ permissions: ['change_user'] }, editor, true, 'rights'],
    [{ permissions: ['change_user'] }, { ...editor, isStaff: true }, true, undefined],
    [{ permissions: ['change_user'] }, { ...editor, isStaff: true }, false, 'needs_approval'],
    [{ publishFor: [1] }, editor, false, 'needs_approval'],
    [{ decideHoursFor: [1] }, editor, false, 'needs_approval'],
  ]
  for (const [change, by, needsApproval, expected] of cases)
    assert.equal(refuseLink(group(change), by, needsApproval), expected, JSON.stringify(change))
})

test('a link ends after its days, an address is confirmed within two, and data of refused people stay for 30', () => {
  assert.equal(joinLinkEnd(now, 14).toISOString(), '2031-05-15T10:00:00.000Z')
  assert.equal(registrationEnd(now).toISOString(), '2031-05-03T10:00:00.000Z')
  assert.equal(refusedUntil(now).toISOString(), '2031-04-01T10:00:00.000Z')
})

test('a new link is limited, within what is allowed', () => {
  assert.deepEqual(DEFAULT_LINK, { days: 14, max_uses: 30, approval: 'yes' })
  assert.deepEqual([MAX_LINK_DAYS, MAX_LINK_USES], [365, 1000])
})
