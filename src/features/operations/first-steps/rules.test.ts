import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type InstanceState, STEPS, stepsOf } from './rules.ts'

const NOTHING: InstanceState = {
  hasName: false,
  hasTimeZone: false,
  hasLanguage: false,
  hasModules: false,
  hasMail: false,
  hasSentMail: false,
  hasGroups: false,
  hasQualifications: false,
  hasEventTypes: false,
  hasPeople: false,
  hasEvents: false,
  hasBackupFolder: false,
  hasBackup: false,
}
const CASES: [done: Partial<InstanceState>, expected: string[]][] = [
  [{}, []],
  [{ hasName: true }, ['name']],
  [{ hasTimeZone: true }, []],
  [{ hasLanguage: true }, []],
  [{ hasTimeZone: true, hasLanguage: true }, ['region']],
  [{ hasModules: true }, ['modules']],
  [{ hasMail: true }, []],
  [{ hasSentMail: true }, []],
  [{ hasMail: true, hasSentMail: true }, ['mail']],
  [{ hasGroups: true }, ['groups']],
  [{ hasQualifications: true }, ['qualifications']],
  [{ hasEventTypes: true }, ['event_types']],
  [{ hasPeople: true }, ['people']],
  [{ hasEvents: true }, ['event']],
  [{ hasBackupFolder: true }, []],
  [{ hasBackup: true }, ['backup']],
]
for (const [done, expected] of CASES) {
  test(`after ${Object.keys(done).join(', ') || 'nothing'}, done are: ${expected.join(', ') || 'none'}`, () => {
    const steps = stepsOf({ ...NOTHING, ...done })
    assert.deepEqual(
      STEPS.filter((step) => steps[step]),
      expected,
    )
  })
}
