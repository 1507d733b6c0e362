import assert from 'node:assert/strict'
import { test } from 'node:test'
import { input } from '#test/support/shift-input.ts'
import {
  apiNameOf,
  COPIED_EVENT_PARTS,
  type EventApiName,
  type EventColumn,
  type EventPart,
  eventFields,
  eventSnapshot,
  inputNameOf,
} from './event-fields.ts'
import { makePlainFields } from './plain-fields.ts'
import {
  COPIED_PARTS,
  factsOf,
  SHIFT_PARTS,
  type ShiftColumn,
  type ShiftFact,
  type ShiftPart,
  shiftFields,
} from './shift-fields.ts'

const sample = makePlainFields({
  name: { type: 'text', default: '', maxLength: 5, isRequired: true, isCopied: true, shown: [] },
  notes: { type: 'lines', default: null, maxLength: 10, isCopied: true, shown: ['roster'] },
  minutes: { type: 'number', default: 15, min: 0, max: 60, isCopied: false, shown: ['card', 'csv'] },
  open: { type: 'flag', default: false, isCopied: true, shown: [] },
  other: { type: 'compound' },
})
const stored = { name: 'Gate', notes: 'a\nb', minutes: 30, open: true }

test('fields with parts of their own are not plain', () => {
  assert.deepEqual(sample.names, ['name', 'notes', 'minutes', 'open'])
  assert.deepEqual(sample.defaults, { name: '', notes: null, minutes: 15, open: false })
})

test('copies take over what is copied, and the defaults of the rest', () => {
  assert.deepEqual(sample.pick({ ...stored, more: 1 } as typeof stored), stored)
  assert.deepEqual(sample.copy(stored), { name: 'Gate', notes: 'a\nb', minutes: 15, open: true })
})

const TYPED: [name: 'name' | 'notes' | 'minutes' | 'open', text: string, value: unknown][] = [
  ['name', ' Gate\n1 ', 'Gate 1'],
  ['name', '', ''],
  ['notes', ' a\r\nb ', 'a\nb'],
  ['notes', ' ', null],
  ['minutes', ' 20 ', 20],
  ['minutes', '', 15],
  ['minutes', '2.5', Number.NaN],
  ['minutes', 'x', Number.NaN],
  ['open', 'on', true],
  ['open', '', false],
]
for (const [field, text, value] of TYPED)
  test(`“${text}” in the field ${field} means ${value}`, () => {
    assert.deepEqual(sample.readForm((name) => (name === field ? text : ''))[field], value)
  })

test('forms show values as they are typed', () => {
  assert.deepEqual(sample.print(stored), { name: 'Gate', notes: 'a\nb', minutes: '30', open: 'on' })
  assert.deepEqual(sample.print(sample.defaults), { name: '', notes: '', minutes: '15', open: '' })
})

test('keys that a body leaves out keep their values', () => {
  assert.deepEqual(sample.readBody({}, stored), stored)
  assert.deepEqual(sample.readBody({ name: ' Pier ', notes: null, minutes: 0, open: false }, stored), {
    name: 'Pier',
    notes: null,
    minutes: 0,
    open: false,
  })
  assert.deepEqual(sample.readBody({ notes: ' \r\n' }, stored).notes, null)
})

const FAULTS: [name: string, values: Partial<typeof stored> & { notes?: string }, code: string | undefined][] = [
  ['a missing text', { name: '' }, 'missing'],
  ['a text of five characters', { name: '🚒'.repeat(5) }, undefined],
  ['a text of six characters', { name: '🚒'.repeat(6) }, 'too_long'],
  ['lines of eleven characters', { notes: 'x'.repeat(11) }, 'too_long'],
  ['the smallest number', { minutes: 0 }, undefined],
  ['the largest number', { minutes: 60 }, undefined],
  ['a number below', { minutes: -1 }, 'unreadable'],
  ['a number above', { minutes: 61 }, 'unreadable'],
  ['an unreadable number', { minutes: Number.NaN }, 'not_a_number'],
]
for (const [name, values, code] of FAULTS)
  test(`${name}: ${code ?? 'no fault'}`, () => {
    const field = Object.keys(values)[0]
    assert.deepEqual(sample.findFaults({ ...stored, ...values }), code ? [{ field, code }] : [])
  })

test('pages name the fields of the list that differ from the default', () => {
  assert.deepEqual(sample.findShown(stored, 'card'), ['minutes'])
  assert.deepEqual(sample.findShown({ ...stored, minutes: 15 }, 'card'), [])
  assert.deepEqual(sample.findShown({ ...stored, minutes: Number.NaN }, 'card'), [])
  assert.deepEqual(sample.namesShownIn('card'), ['minutes'])
  assert.deepEqual(sample.namesShownIn('roster'), ['notes'])
})

test('the label of a shift has up to 255 characters', () => {
  assert.deepEqual(shiftFields.findFaults(input({ label: '🚒'.repeat(255) })), [])
  assert.deepEqual(shiftFields.findFaults(input({ label: 'x'.repeat(256) })), [{ field: 'label', code: 'too_long' }])
})

test('the parts of a shift name its values in the journal', () => {
  assert.deepEqual(SHIFT_PARTS.flatMap(factsOf), [
    ...shiftFields.names,
    ...['meeting_time', 'start_time', 'end_time', 'signup_flow_slug', 'signup_flow_configuration'],
    ...['structure_slug', 'structure_configuration', 'questions'],
  ])
  assert.deepEqual(COPIED_PARTS, SHIFT_PARTS)
})

test('a forgotten value does not compile', () => {
  const { label: _label, ...values } = { ...shiftFields.defaults, times: 0, flow: 0, structure: 0, questions: 0 }
  // @ts-expect-error: the series compares every part
  const parts: Record<ShiftPart, unknown> = values
  // @ts-expect-error: every column is stored
  const columns: Record<ShiftColumn, unknown> = values
  // @ts-expect-error: every value is in the journal
  const snapshot: Record<ShiftFact, unknown> = values
  // @ts-expect-error: every field has a default
  const defaults: typeof shiftFields.defaults = {}
  assert.ok(parts && columns && snapshot && defaults)
})

test('an event is described by its fields', () => {
  const event = {
    ...eventFields.defaults,
    title: 'Run',
    typeId: 2,
    groups: [3, 1, 3],
    responsibleGroups: [],
    responsibleUsers: [9, 8],
  }
  const snapshot = { type_id: 2, groups: [1, 3], responsible_groups: [], responsible_users: [8, 9] }
  assert.deepEqual(eventSnapshot(event), { ...eventFields.defaults, title: 'Run', ...snapshot })
  assert.deepEqual(COPIED_EVENT_PARTS, Object.keys(eventSnapshot(event)))
  assert.deepEqual([apiNameOf('type_id'), inputNameOf('type_id')], ['type', 'typeId'])
  assert.deepEqual([apiNameOf('title'), inputNameOf('title')], ['title', 'title'])
})

test('a forgotten value of an event does not compile', () => {
  const { title: _title, ...values } = {
    ...eventFields.defaults,
    type_id: 0,
    groups: 0,
    responsible_groups: 0,
    responsible_users: 0,
  }
  // @ts-expect-error: every value is in the journal and compared by series
  const parts: Record<EventPart, unknown> = values
  // @ts-expect-error: every column is stored
  const columns: Record<EventColumn, unknown> = values
  // @ts-expect-error: every field has a name in the API
  const sent: Record<EventApiName, unknown> = { ...values, type: 0 }
  assert.ok(parts && columns && sent)
})
