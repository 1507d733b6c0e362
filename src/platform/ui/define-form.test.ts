import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { type Child, html, renderHtml } from '#platform/html/html.ts'
import { formErrors } from '#platform/http/form-errors.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import {
  checkbox,
  checkboxes,
  date,
  dateTime,
  defineForm,
  hidden,
  number,
  password,
  radios,
  select,
  text,
  textarea,
} from './define-form.ts'
import { formId, formTexts } from './form-schemas.ts'

const words = wordsFor('en', 'Europe/Berlin')
const options = [
  { value: 1, label: 'One' },
  { value: 2, label: 'Two' },
]

const form = defineForm({
  name: text({ label: 'ui.search', help: 'ui.choose', required: 'form.missing', max: 5, tooLong: 'form.invalid' }),
  note: textarea({ label: 'ui.actions' }),
  rank: number({ label: 'ui.actions', schema: z.string().transform(Number) }),
  kind: select({ label: 'ui.actions', schema: formId() }),
  mode: radios({ label: 'ui.actions', options: () => options }),
  tags: checkboxes({ label: 'ui.actions', schema: formTexts }),
  groups: checkboxes({ label: 'ui.actions' }),
  isOpen: checkbox({ label: 'ui.actions' }),
  secret: password({ label: 'ui.actions', autocomplete: 'current-password' }),
  version: hidden(),
})

const show = (child: Child): string => renderHtml(html`${child}`)

describe('a defined form', () => {
  const submitted = {
    name: ' Ann ',
    rank: '3',
    kind: '2',
    mode: '1',
    tags: 'a',
    groups: ['4', '4', '5'],
    isOpen: 'on',
    secret: ' x ',
  }

  test('reads a submit with one schema', () => {
    assert.deepEqual(form.schema.parse(submitted), {
      name: 'Ann',
      note: '',
      rank: 3,
      kind: 2,
      mode: '1',
      tags: ['a'],
      groups: [4, 5],
      isOpen: true,
      secret: ' x ',
      version: '',
    })
  })

  const REFUSED: [what: string, change: object, field: string, error: string][] = [
    ['an empty required field', { name: ' ' }, 'name', words.t('form.missing')],
    ['a text that is too long', { name: 'Annabel' }, 'name', words.t('form.invalid')],
    ['a null character', { note: 'a\0' }, 'note', words.t('form.invalid')],
    ['an id that is none', { groups: ['4', 'x'] }, 'groups', words.t('form.invalid')],
    ['a choice that is missing', { kind: '' }, 'kind', words.t('form.missing')],
  ]
  for (const [what, change, field, error] of REFUSED) {
    test(`refuses ${what} at its field`, () => {
      const result = form.schema.safeParse({ ...submitted, ...change })
      assert.deepEqual(formErrors(result.error!, words), [{ field, text: error }])
    })
  }

  test('writes stored values as a submit would hold them', () => {
    const stored = { name: 'Ann', note: null, rank: 3, kind: 2, groups: [4, 5], isOpen: false, tags: [], other: 'ignored' }
    assert.deepEqual(form.state(stored).values, { name: 'Ann', note: '', rank: '3', kind: '2', groups: ['4', '5'], tags: [] })
    assert.deepEqual(form.state({ isOpen: true }), { values: { isOpen: 'on' }, errors: [] })
  })

  test('shows label, help, mark, value and error of a field', () => {
    const field = form.fields(words, { values: submitted, errors: [{ field: 'name', text: 'Too short' }] })
    const markup = show(field('name'))
    for (const part of ['for="field-name"', 'value=" Ann "', 'maxlength="5"', 'required', 'aria-invalid="true"', 'Too short'])
      assert.ok(markup.includes(part), part)
    assert.ok(markup.includes(words.t('ui.choose')))
    assert.match(show(field('isOpen')), / checked/)
    assert.doesNotMatch(show(field('secret')), /value=/)
    assert.match(show(field('kind', { options })), /<option value="2" selected>Two/)
    assert.match(show(field('groups', { options: [{ value: 4, label: 'Four' }] })), / checked/)
    assert.match(show(field('name', { help: 'Other help', attributes: { autofocus: true } })), /autofocus.*Other help/s)
  })

  test('reads dates as people type them, and shows them as browsers need them', () => {
    const schema = z.string().regex(/^(\d{4}-\d\d-\d\d)?$/, 'form.invalid')
    const dates = defineForm({ from: date({ label: 'ui.search', schema }), at: dateTime({ label: 'ui.search' }) })
    const typed = { from: '14.11.2026', at: 'Sa 14.11.2026, 8 Uhr' }
    assert.deepEqual(dates.schema.parse(typed), { from: '2026-11-14', at: '2026-11-14T08:00' })
    assert.equal(dates.schema.safeParse({ ...typed, from: '31.2.2026' }).success, false)
    assert.deepEqual(dates.schema.parse({ from: '', at: '' }), { from: '', at: '' })
    // Another field was wrong: a browser would show an empty field for a value that it cannot read.
    const shown = show(dates.view({ words, action: '/x/', csrfToken: 't', submit: 'Save', state: { values: typed, errors: [] } }))
    assert.match(shown, /type="date" value="2026-11-14"/)
    assert.match(shown, /type="datetime-local" value="2026-11-14T08:00"/)
  })

  test('shows all fields in order, or those of a layout, below a summary of the errors', () => {
    const shared = {
      words,
      action: '/x/',
      csrfToken: 't',
      submit: 'Save',
      state: { values: {}, errors: [{ field: 'note', text: 'No note' }] },
    }
    const names = (markup: string) => [...markup.matchAll(/ name="(\w+)"/g)].map(([, name]) => name)
    const all = show(form.view(shared))
    // Groups without options have no inputs.
    assert.deepEqual(names(all), ['csrf_token', 'name', 'note', 'rank', 'kind', 'mode', 'mode', 'isOpen', 'secret', 'version'])
    assert.match(all, /<a href="#field-note">Actions: No note<\/a>/)
    assert.deepEqual(names(show(form.view({ ...shared, layout: (field) => [field('rank'), field('name')] }))), [
      'csrf_token',
      'rank',
      'name',
    ])
  })
})
