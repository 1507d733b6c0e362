import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { convertWhenShown, type ImportedAction, readImportedEntry } from './imported-entries.ts'

const PEOPLE_TYPE = 4
const people = { isPersonType: (type: unknown) => type === PEOPLE_TYPE, isKnown: (id: number) => id < 100 }
const read = (data: Record<string, unknown>, action: ImportedAction = 'changed') => readImportedEntry(data, action, people)

const field = (slug: string, data: object) => ({ slug, data })
const model = (field_name: string, old_value: unknown, new_value: unknown, verbose_name = `Label of ${field_name}`) =>
  field('modelfield', { field_name, verbose_name, old_value, new_value })
const one = (pk: number, str: string, contenttype_id = 1) => ({ __model__: '__instance__', pk, str, contenttype_id })
const many = (names: Record<number, string>, contenttype_id = 1) => ({
  __model__: '__queryset__',
  pks: Object.keys(names).map(Number),
  strs: Object.values(names),
  contenttype_id,
})

describe('an entry of the log of ephios', () => {
  const CASES: [what: string, action: ImportedAction, data: Record<string, unknown>, changes: Record<string, unknown>][] = [
    ['names its record', 'changed', { __str__: ' Fair ' }, { subject_name: 'Fair' }],
    ['says before and after', 'changed', { title: model('title', 'Old', 'New') }, { title: ['Old', 'New'] }],
    ['has only an after when it was created', 'created', { title: model('title', 'New', 'New') }, { title: [null, 'New'] }],
    ['has only a before when it was deleted', 'deleted', { title: model('title', 'Old', 'Old') }, { title: ['Old', null] }],
    ['says nothing about empty fields', 'created', { a: model('title', '', ''), b: model('phone', null, null) }, {}],
    ['has the label of fields that do not exist here', 'changed', { x: model('mood', 1, 2, 'Laune') }, { Laune: [1, 2] }],
    ['has the name of a field without a label', 'changed', { x: model('mood', 1, 2, '') }, { mood: [1, 2] }],
    ['calls fields as we do', 'changed', { x: model('type', one(1, 'A'), one(2, 'B')) }, { type_id: ['A', 'B'] }],
    [
      'has times in one form',
      'changed',
      { x: model('start_time', '2026-05-04T08:00:00+02:00', '2026-05-04T07:00:00Z') },
      { start_time: ['2026-05-04T06:00:00.000Z', '2026-05-04T07:00:00.000Z'] },
    ],
    ['keeps days and numbers', 'changed', { x: model('date', '2026-05-04', 7) }, { date: ['2026-05-04', 7] }],
    [
      'refers to people who exist, and names others',
      'changed',
      { x: model('user', one(7, 'Maria', PEOPLE_TYPE), one(700, 'Gone', PEOPLE_TYPE)) },
      { user: [{ user: 7 }, 'Gone'] },
    ],
    [
      'hides secrets',
      'changed',
      { x: field('redactedmodelfield', { field_name: 'secret', verbose_name: 'Key' }) },
      { Key: '***' },
    ],
    [
      'says what a list lost and got',
      'changed',
      { x: field('m2mfield', { field_name: 'groups', verbose_name: 'G', added: many({ 1: 'A' }), removed: many({ 2: 'B' }) }) },
      { groups: { added: ['A'], removed: ['B'] } },
    ],
    [
      'says what a new list has',
      'created',
      { x: field('m2mfield', { field_name: 'groups', verbose_name: 'G', current: many({ 1: 'A', 2: 'B' }) }) },
      { groups: [null, ['A', 'B']] },
    ],
    [
      'says nothing about a list that stayed',
      'changed',
      { x: field('m2mfield', { field_name: 'groups', current: many({ 1: 'A' }) }) },
      {},
    ],
    [
      'says who got a permission',
      'changed',
      {
        x: field('permission-recorder', {
          label: 'Responsible',
          codename: 'change_event',
          users: { added: many({ 7: 'Maria' }, PEOPLE_TYPE), removed: many({}) },
          removed_groups: many({ 3: 'Planners' }),
        }),
      },
      { Responsible: { added: [{ user: 7 }], removed: ['Planners'] } },
    ],
    [
      'says what was derived',
      'changed',
      { x: field('derived-fields', { changes: { Teams: ['one', 'two'], Size: [1, null] } }) },
      { Teams: ['one', 'two'], Size: [1, null] },
    ],
    ['keeps plain pairs', 'changed', { title: ['Old', 'New'] }, { title: ['Old', 'New'] }],
  ]
  for (const [what, action, data, changes] of CASES) test(what, () => assert.deepEqual(read(data, action), changes))

  const UNREADABLE: [what: string, part: unknown][] = [
    ['a part of an extension', field('medals', { count: 1 })],
    ['a value that is an object', model('structure_configuration', { a: 1 }, { a: 2 })],
    ['a value with an object in it', model('choices', [], [{ a: 1 }])],
    ['derived fields without a pair', field('derived-fields', { changes: { Teams: 'two' } })],
    ['derived fields without changes', field('derived-fields', {})],
    ['a list with something else in it', field('m2mfield', { field_name: 'groups', added: 'A' })],
    ['a field without any name', model('', 1, 2, '')],
    ['plain text', 'text'],
    ['nothing', null],
  ]
  for (const [what, part] of UNREADABLE)
    test(`keeps ${what} as it is`, () =>
      assert.deepEqual(read({ x: part, title: model('title', 'Old', 'New') }), { title: ['Old', 'New'], unread: { x: part } }))
})

describe('entries of an earlier import', () => {
  const entry = { kind: 'imported.changed', changes: { __str__: 'Fair', title: model('title', 'Old', 'New') }, personal: null }

  test('are converted when they are shown', () => {
    assert.deepEqual(convertWhenShown(entry).changes, { subject_name: 'Fair', title: ['Old', 'New'] })
    const personal = { phone: model('phone', '1', '2') }
    assert.deepEqual(convertWhenShown({ ...entry, changes: {}, personal }).personal, { phone: ['1', '2'] })
  })

  test('stay as they are if they are converted, or of another kind', () => {
    const converted = { ...entry, changes: { title: ['Old', 'New'], unread: { x: 1 } } }
    assert.deepEqual(convertWhenShown(converted), converted)
    assert.deepEqual(convertWhenShown({ ...entry, kind: 'event.changed' }).changes, entry.changes)
  })
})
