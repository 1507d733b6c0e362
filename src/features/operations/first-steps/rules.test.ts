import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type InstanceState, STEPS, stepsOf } from './rules.ts'

const NOTHING: InstanceState = {
  hasName: false,
  hasTimeZone: false,
  hasModules: false,
  hasMail: false,
  hasGroups: false,
  hasQualifications: false,
  hasPeople: false,
  hasEvents: false,
  hasBackup: false,
}
const CASES: [done: Partial<InstanceState>, expected: string[]][] = [
  [{}, []],
  [{ hasName: true }, []],
  [{ hasTimeZone: true }, []],
  [{ hasName: true, hasTimeZone: true }, ['name']],
  [{ hasModules: true }, ['modules']],
  [{ hasMail: true }, ['mail']],
  [{ hasGroups: true }, ['groups']],
  [{ hasQualifications: true }, ['qualifications']],
  [{ hasPeople: true }, ['people']],
  [{ hasEvents: true }, ['event']],
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
