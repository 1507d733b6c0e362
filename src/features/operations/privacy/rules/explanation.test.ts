import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AccessFacts, explainAccess } from './explanation.ts'

const STRANGER: AccessFacts = {
  isAccountActive: true,
  isDraft: false,
  isDeleted: false,
  isCancelled: false,
  mayAddEvents: false,
  seesAll: false,
  isAdministrator: false,
  groups: [],
  isInAudience: false,
  isGranted: false,
  isResponsible: false,
  takesPart: false,
}
const CASES: [what: string, facts: Partial<AccessFacts>, reasons: object[], obstacles: string[]][] = [
  ['a stranger', {}, [], ['not_meant']],
  ['an administrator', { seesAll: true, isAdministrator: true }, [{ kind: 'administrator' }], []],
  ['a person with the permission', { seesAll: true }, [{ kind: 'permission' }], []],
  ['a member', { isInAudience: true, groups: [{ name: 'A', isResponsible: false }] }, [{ kind: 'group', name: 'A' }], []],
  [
    'a member of a responsible group',
    { isInAudience: true, groups: [{ name: 'A', isResponsible: true }] },
    [{ kind: 'responsible_group', name: 'A' }],
    [],
  ],
  ['a person with a grant', { isGranted: true }, [{ kind: 'granted' }], []],
  ['a responsible person', { isGranted: true, isResponsible: true }, [{ kind: 'responsible' }], []],
  ['a participant', { takesPart: true }, [{ kind: 'participation' }], []],
  ['a participant without an account', { takesPart: true, isAccountActive: false }, [{ kind: 'participation' }], ['inactive']],
  ['a participant of a deleted event', { takesPart: true, isDeleted: true }, [{ kind: 'participation' }], ['deleted']],
  ['a participant of a draft', { takesPart: true, isDraft: true }, [{ kind: 'participation' }], ['draft']],
  ['a planner and a draft', { takesPart: true, isDraft: true, mayAddEvents: true }, [{ kind: 'participation' }], []],
]
for (const [what, facts, reasons, obstacles] of CASES) {
  test(`${what} ${obstacles.length ? 'does not see' : 'sees'} the event`, () =>
    assert.deepEqual(explainAccess({ ...STRANGER, ...facts }), { sees: obstacles.length === 0, reasons, obstacles }))
}
