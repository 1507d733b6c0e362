import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { textField } from '#platform/ui/fields.ts'
import { filterFormView, linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { mergeForm } from '../schema.ts'
import { sectionTitle } from './document.ts'

export const mergePath = (id: number): string => `/manage/people/${id}/merge/`

type Named = { id: number; name: string; email: string }
type SearchData = { words: Words; person: Named; query: string; found: readonly Named[] }

export function mergeSearchView({ words, person, query, found }: SearchData): Html {
  const list = found.length
    ? tableView<Named>({
        caption: words.t('privacy.merge_find'),
        rows: found,
        columns: [
          { label: words.t('privacy.person'), main: true, cell: ({ name }) => name },
          { label: words.t('privacy.merge_email'), cell: ({ email }) => email },
          {
            label: words.t('privacy.actions'),
            actions: true,
            cell: ({ id, name }) =>
              linkButtonView({
                href: `${mergePath(person.id)}?other=${id}`,
                label: words.t('privacy.merge_choose'),
                small: true,
                attributes: { 'aria-label': `${words.t('privacy.merge_choose')}: ${name}` },
              }),
          },
        ],
      })
    : query !== '' && html`<p class="muted">${words.t('privacy.found_none')}</p>`
  return html`${pageHeadView({ title: words.t('privacy.merge_title', { name: person.name }), facts: words.t('privacy.merge_help') })}
<div class="stack">${cardView({ title: words.t('privacy.merge_find'), body: html`${searchView({ words, action: mergePath(person.id), query, help: words.t('privacy.merge_find_help') })}${list}` })}</div>`
}

export const searchView = ({ words, action, query, help }: { words: Words; action: string; query: string; help: string }): Html =>
  filterFormView({
    action,
    fields: textField({ words, name: 'q', label: help, value: query, attributes: { type: 'search', autocomplete: 'off' } }),
    submit: words.t('privacy.search'),
  })

export type FieldRow = {
  field: 'name' | 'email' | 'phone' | 'birth_date'
  remaining: string | null
  other: string | null
  result: string | null
}
type ShiftRow = { title: string; label: string; start: Date; remainingState: number; otherState: number; isOtherBetter: boolean }
type TableRow = { section: string; rows: number; duplicates: number; rule: 'move' | 'move_missing' | 'delete' | 'step' }

type PreviewData = {
  words: Words
  now: Date
  csrfToken: string
  state: FormState
  remaining: Named
  other: Named
  fields: readonly FieldRow[]
  shifts: readonly ShiftRow[]
  tables: readonly TableRow[]
}

const stateText = (words: Words, state: number): string => words.t(`log.state_${state as 0 | 1 | 2 | 3 | 4}`)

export function mergePreviewView(data: PreviewData): Html {
  const { words, csrfToken, state, remaining, other } = data
  const field = mergeForm.fields(words, state)
  const swap = linkButtonView({
    href: `${mergePath(other.id)}?other=${remaining.id}`,
    label: words.t('privacy.merge_swap'),
    kind: 'quiet',
    icon: 'repeat',
  })
  return confirmView({
    words,
    title: words.t('privacy.merge_preview', { other: other.name, name: remaining.name }),
    text: words.t('privacy.merge_intro', {
      name: remaining.name,
      email: remaining.email,
      other: other.name,
      otherEmail: other.email,
    }),
    consequences: [
      words.t('privacy.merge_first'),
      words.t('privacy.merge_second'),
      words.t('privacy.merge_third'),
      words.t('privacy.merge_fourth'),
      words.t('privacy.merge_final'),
    ],
    details: html`<p>${swap}</p>${fieldsTable(data)}${shiftsTable(data)}${tablesTable(data)}`,
    action: `${mergePath(remaining.id)}?other=${other.id}`,
    csrfToken,
    submit: words.t('privacy.merge_submit'),
    cancel: { href: `/manage/people/${remaining.id}/` },
    inputs: field('confirm', { help: other.email }),
  })
}

const fieldsTable = ({ words, fields }: PreviewData): Html =>
  html`<h2>${words.t('privacy.merge_fields')}</h2>${tableView<FieldRow>({
    caption: words.t('privacy.merge_fields'),
    rows: fields,
    columns: [
      { label: words.t('privacy.merge_field'), main: true, cell: ({ field }) => words.t(`privacy.merge_${field}`) },
      { label: words.t('privacy.merge_remaining'), cell: ({ remaining }) => remaining ?? '–' },
      { label: words.t('privacy.merge_other'), cell: ({ other }) => other ?? '–' },
      { label: words.t('privacy.merge_result'), cell: ({ result }) => html`<b>${result ?? '–'}</b>` },
    ],
  })}`

const shiftsTable = ({ words, now, shifts }: PreviewData): Html | false =>
  shifts.length > 0 &&
  html`<h2>${words.t('privacy.merge_shifts')}</h2>${tableView<ShiftRow>({
    caption: words.t('privacy.merge_shifts'),
    rows: shifts,
    columns: [
      {
        label: words.t('privacy.merge_shift'),
        main: true,
        cell: ({ title, label, start }) =>
          html`${[title, label].filter(Boolean).join(', ')} <small class="muted">${words.day(start, now)}</small>`,
      },
      { label: words.t('privacy.merge_remaining'), cell: ({ remainingState }) => stateText(words, remainingState) },
      { label: words.t('privacy.merge_other'), cell: ({ otherState }) => stateText(words, otherState) },
      {
        label: words.t('privacy.merge_result'),
        cell: ({ remainingState, otherState, isOtherBetter }) =>
          html`<b>${stateText(words, isOtherBetter ? otherState : remainingState)}</b>`,
      },
    ],
  })}`

const tablesTable = ({ words, tables }: PreviewData): Html =>
  html`<h2>${words.t('privacy.merge_tables')}</h2>${
    tables.length
      ? tableView<TableRow>({
          caption: words.t('privacy.merge_tables'),
          rows: tables,
          columns: [
            { label: words.t('privacy.merge_table'), main: true, cell: ({ section }) => sectionTitle(words, section) },
            { label: words.t('privacy.merge_count'), numeric: true, cell: ({ rows }) => words.number(rows) },
            { label: words.t('privacy.merge_duplicates'), numeric: true, cell: ({ duplicates }) => words.number(duplicates) },
            { label: words.t('privacy.merge_happens'), cell: ({ rule }) => words.t(`privacy.merge_do_${rule}`) },
          ],
        })
      : html`<p class="muted">${words.t('privacy.merge_nothing')}</p>`
  }`
