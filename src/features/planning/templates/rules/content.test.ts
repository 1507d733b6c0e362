import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { contentOf, shiftsOf, TEMPLATE_PARTS } from './content.ts'

const at = (hour: number) => new Date(Date.UTC(2031, 4, 4, hour))
const event = { title: 'Fair', location: 'Pier', description: null, groups: [1], responsibleGroups: [2] }
const shift = {
  ...shiftFields.defaults,
  id: 7,
  label: 'Early',
  times: { meeting: at(7), start: at(8), end: at(12) },
  flowSlug: 'manual',
  flowConfiguration: { a: 1 },
  structureSlug: 'uniform',
  structureConfiguration: { b: 2 },
  questions: [3, 4],
}
const more = { date: '2031-05-04', resources: [], files: [], hasPeople: true }
const save = (change: Partial<typeof more> = {}) => contentOf(event as never, [shift as never], { ...more, ...change })

test('shifts of a template are those that were saved, without questions that were deleted', () => {
  assert.deepEqual(shiftsOf(save(), new Set([3, 4])), [shift])
  assert.deepEqual(shiftsOf(save(), new Set([4]))[0]!.questions, [4])
})

test('planners can leave out people, resources and files; groups that see the event stay', () => {
  assert.deepEqual(TEMPLATE_PARTS, ['people', 'resources', 'files'])
  assert.deepEqual([save().groups, save().responsibleGroups], [[1], [2]])
  assert.deepEqual([save({ hasPeople: false }).groups, save({ hasPeople: false }).responsibleGroups], [[1], []])
})
