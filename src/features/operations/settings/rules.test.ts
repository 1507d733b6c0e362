import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ADDED } from '../../../features.ts'
import { settingsPage } from './points.ts'
import { completeSettings } from './rules.ts'
import { mergeSettings } from './schema/define-settings.ts'

const DEFAULTS = { name: '', hours: 24, isOn: true }
const STORED: [what: string, stored: Record<string, unknown>, expected: Partial<typeof DEFAULTS>][] = [
  ['nothing', {}, {}],
  ['values of each type', { name: 'A', hours: 1, isOn: false }, { name: 'A', hours: 1, isOn: false }],
  ['values of other types', { name: 1, hours: '1', isOn: null }, {}],
  ['a setting that has no default', { other: 1 }, {}],
]
for (const [what, stored, expected] of STORED)
  test(`settings with ${what} stored`, () => assert.deepEqual(completeSettings(stored, DEFAULTS), { ...DEFAULTS, ...expected }))

const sections = ADDED(settingsPage.section)
const { form, defaults } = mergeSettings(sections.map(({ settings }) => settings))

// Of two settings with one name, only one would be saved.
test('no setting has the name of another one', () => {
  const names = sections.flatMap(({ settings }) => Object.keys(settings.defaults))
  assert.ok(names.length > 15)
  assert.deepEqual(names.toSorted(), Object.keys(defaults).sort())
})

test('an empty form has the defaults, except that nothing is ticked', () =>
  assert.deepEqual(form.schema.parse({}), { ...defaults, waiting_list: false }))

const TYPED: [name: 'reminder_hours' | 'individual_times_tolerance_minutes', text: string, value: number | undefined][] = [
  ['reminder_hours', ' 1 ', 1],
  ['reminder_hours', '336', 336],
  ['reminder_hours', '0', undefined],
  ['reminder_hours', '337', undefined],
  ['reminder_hours', '', undefined],
  ['reminder_hours', '1.5', undefined],
  ['individual_times_tolerance_minutes', '', 0],
  ['individual_times_tolerance_minutes', '1441', undefined],
]
for (const [name, text, value] of TYPED)
  test(`“${text}” as ${name} is ${value ?? 'refused'}`, () => assert.equal(form.schema.shape[name]!.safeParse(text).data, value))
