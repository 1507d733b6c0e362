import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import {
  checkboxField,
  checkboxGroup,
  dateField,
  dateTimeField,
  emailField,
  fileField,
  hiddenField,
  numberField,
  passwordField,
  radioGroup,
  selectField,
  textareaField,
  textField,
  timeField,
} from '#platform/ui/fields.ts'
import { buttonView, fieldRowView, fieldsetView, filterFormView, formView } from '#platform/ui/form.ts'

const TYPES = [
  { value: 1, label: 'First aid' },
  { value: 2, label: 'Training' },
]

/** A refused form with errors. */
export function formSample(words: Words): Html {
  return formView({
    words,
    action: '#',
    csrfToken: 'sample',
    submit: 'Publish event',
    cancel: { href: '#' },
    extra: buttonView({ label: 'Save draft', kind: 'secondary', name: 'draft', value: '1' }),
    guard: false,
    errors: [
      { field: 'title', text: 'The event needs a title.' },
      { field: 'end', text: 'The end is before the start.' },
      { text: 'Nothing was saved.' },
    ],
    fields: html`${hiddenField('id', 7)}${fieldsetView({
      legend: 'Event',
      help: 'What people see first.',
      fields: html`${textField({ words, name: 'title', label: 'Title', required: true, error: 'The event needs a title.', help: 'Short: it stands in calendars.' })}
${selectField({ words, name: 'type', label: 'Type', options: TYPES, value: 1, required: true })}
${fieldRowView(
  dateTimeField({ words, name: 'start', label: 'Start', value: '2026-11-14T08:00', required: true }),
  dateTimeField({
    words,
    name: 'end',
    label: 'End',
    value: '2026-11-14T07:00',
    error: 'The end is before the start.',
    required: true,
  }),
)}
${textareaField({ words, name: 'text', label: 'Description', value: 'Bring warm clothes & “water”.', help: 'Markdown is understood.' })}`,
    })}`,
  })
}

/** The other kinds of fields and their states. */
export function fieldsSample(words: Words): Html {
  return html`<div class="stack">${filterFormView({
    action: '#',
    submit: 'Filter',
    reset: { href: '#', label: 'Show all' },
    fields: html`${textField({ words, name: 'q', label: 'Search', type: 'search' })}${selectField({ words, id: 'filter-type', name: 'type', label: 'Type', options: TYPES, placeholder: 'All types' })}${dateField({ words, name: 'from', label: 'From', value: '2026-11-01' })}`,
  })}
<form class="form" action="#">${fieldRowView(
    emailField({ words, name: 'email', label: 'E-mail', value: 'ann@example.org' }),
    passwordField({ words, name: 'password', label: 'Password', autocomplete: 'new-password', help: 'At least 12 characters.' }),
  )}${fieldRowView(
    numberField({ words, name: 'places', label: 'Places', value: 8, min: 0 }),
    timeField({ words, name: 'meeting', label: 'Meeting time', value: '07:30' }),
    textField({ words, name: 'colour', label: 'Colour', type: 'color', value: '#0f6e6e' }),
  )}${textField({ words, name: 'locked', label: 'Identifier', value: 'set by the import', attributes: { disabled: true }, help: 'Cannot be changed: the import keeps it.' })}
${fileField({ words, name: 'file', label: 'File', accept: '.csv' })}
${radioGroup({
  words,
  name: 'flow',
  label: 'How people join',
  value: 'ask',
  required: true,
  options: [
    { value: 'instant', label: 'At once', help: 'Who fits is confirmed.' },
    { value: 'ask', label: 'By request', help: 'A planner decides.' },
    { value: 'closed', label: 'Planners only', disabled: true },
  ],
})}
${checkboxGroup({
  words,
  name: 'groups',
  label: 'Seen by',
  values: ['north'],
  error: 'Choose a group that you plan for.',
  options: [
    { value: 'north', label: 'North' },
    { value: 'south', label: 'South' },
  ],
})}
${checkboxField({ words, name: 'mail', label: 'Send a mail to everybody', checked: true, help: '24 people.' })}
${checkboxField({ words, name: 'terms', label: 'I have read the rules', required: true, error: 'Please read the rules first.' })}</form></div>`
}
