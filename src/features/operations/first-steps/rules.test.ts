import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type InstanceState, PLACES, STEPS, type Step, stepAfter, stepAt, stepsOf } from './rules.ts'

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

test('the page of each step belongs to it, and so does where it ends', () => {
  for (const step of STEPS) assert.equal(stepAt(PLACES[step]), step)
  for (const [path, step] of [
    ['/manage/instance/logo/', 'name'],
    ['/manage/modules/', 'modules'],
    ['/manage/groups/', 'groups'],
    ['/manage/event-types/1/', 'event_types'],
    ['/manage/people/import/1/', 'people'],
    ['/manage/people/', 'people'],
    ['/manage/', undefined],
    ['/events/1/', undefined],
    ['/', undefined],
  ] as const)
    assert.equal(stepAt(path), step, path)
})

test('the next step is the next open one of the list', () => {
  const done = (...steps: Step[]) =>
    Object.fromEntries(STEPS.map((step) => [step, steps.includes(step)])) as Record<Step, boolean>
  assert.equal(stepAfter('name', done()), 'region')
  assert.equal(stepAfter('name', done('name', 'region', 'modules')), 'mail')
  assert.equal(stepAfter('groups', done('name')), 'qualifications')
  assert.equal(stepAfter('backup', done()), undefined)
})
