import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { languageOptions } from '#platform/i18n/offered.ts'
import type { Words } from '#platform/i18n/words.ts'
import { numberField, type Option, radioGroup, selectField } from '#platform/ui/fields.ts'
import { type FormError, fieldsetView, formView } from '#platform/ui/form.ts'
import { errorOf } from '#platform/ui/form-values.ts'
import { type ColumnUse, columnName, FIELDS, type Field, type NamedQualification } from '../rules/columns.ts'
import type { ImportSettings, ImportSummary, SheetInfo } from '../rules/import.ts'
import type { NameChoice } from '../rules/judgement.ts'
import type { UnknownName } from '../rules/verdict.ts'
import { importPath } from './start.ts'

export type SettingsData = {
  words: Words
  csrfToken: string
  importId: number
  settings: ImportSettings
  summary: Pick<ImportSummary, 'unknown' | 'orders'> | null
  sheets: readonly SheetInfo[]
  headings: readonly string[]
  /** Some values of each column. */
  samples: readonly (readonly string[])[]
  /** What columns that are left out look like. */
  guesses: readonly ColumnUse[]
  languages: readonly Language[]
  defaultLanguage: Language
  groups: readonly { id: number; name: string }[]
  qualifications: readonly NamedQualification[]
  mayCreateGroups: boolean
  mayCreateQualifications: boolean
  errors: readonly FormError[]
  /** Columns cannot be used as they are. */
  isOpen: boolean
}

/** Each has a list of all groups or qualifications, so a page shows so many; the others follow when these are decided. */
const MOST_UNKNOWN = 40

export function settingsView(data: SettingsData): Html {
  const { words, csrfToken, importId, errors } = data
  const questions = questionsView(data)
  return formView({
    words,
    csrfToken,
    action: importPath(importId),
    errors,
    guard: false,
    submit: { label: words.t('people_import.settings_save'), kind: 'secondary', icon: 'refresh-cw' },
    fields: html`${questions && fieldsetView({ legend: words.t('people_import.questions'), fields: questions })}${unusedView(data)}${forNewView(data)}<details ${attrs({ open: data.isOpen })}><summary>${words.t('people_import.settings')}</summary><div class="stack">${columnsView(data)}</div></details>`,
  })
}

function questionsView(data: SettingsData): Child[] | false {
  const { words, settings, summary } = data
  const asked = (summary?.orders ?? []).filter(({ found }) => found === 'ambiguous' || found === 'mixed')
  const unknown = openNames(settings, summary?.unknown ?? [])
  const orders = asked.map(({ column, found }) =>
    radioGroup({
      words,
      name: `order_${column}`,
      label: words.t(found === 'mixed' ? 'people_import.order_mixed' : 'people_import.order_ask', {
        name: labelOf(data, column),
      }),
      value: settings.orders[column],
      options: (['dmy', 'mdy'] as const).map((value) => ({ value, label: words.t(`people_import.order_${value}`) })),
    }),
  )
  const names = unknown.slice(0, MOST_UNKNOWN).map((each) => unknownView(data, each))
  const more = unknown.length - MOST_UNKNOWN
  if (!orders.length && !names.length) return false
  return [...orders, ...names, more > 0 && html`<p class="help">${words.t('people_import.unknown_more', { count: more })}</p>`]
}

const choicesOf = (settings: ImportSettings, kind: UnknownName['kind']) =>
  kind === 'group' ? settings.groupChoices : settings.qualificationChoices

/** Undecided names first. */
function openNames(settings: ImportSettings, unknown: readonly UnknownName[]): UnknownName[] {
  const isDecided = ({ kind, key }: UnknownName) => choicesOf(settings, kind)[key] !== undefined
  return unknown.toSorted((a, b) => Number(isDecided(a)) - Number(isDecided(b)))
}

function unknownView(data: SettingsData, { kind, key, name, count }: UnknownName): Html {
  const { words, settings } = data
  const all = kind === 'group' ? data.groups : data.qualifications
  const mayCreate = kind === 'group' ? data.mayCreateGroups : data.mayCreateQualifications
  const chosen: NameChoice | undefined = choicesOf(settings, kind)[key]
  const options: Option[] = [
    ...(mayCreate ? [{ value: 'create', label: words.t('people_import.choice_create') }] : []),
    { value: 'skip', label: words.t('people_import.choice_skip') },
    ...all.map((each) => ({ value: each.id, label: words.t('people_import.choice_use', { name: each.name }) })),
  ]
  return selectField({
    words,
    name: `${kind}_${key}`,
    label: words.t(kind === 'group' ? 'people_import.unknown_group' : 'people_import.unknown_qualification', { name }),
    help: words.t('people_import.unknown_count', { count }),
    value: chosen,
    options,
  })
}

/** What the import does not take, before anybody looks for it: in a line, and with a list where the cells tell what it could be. */
function unusedView(data: SettingsData): Child {
  const { words, settings, headings, samples, guesses } = data
  const unused = settings.uses.flatMap((use, column) =>
    use === '' && (headings[column] || samples[column]?.length) ? [column] : [],
  )
  if (!unused.length) return false
  const names = unused.map((column) => labelOf(data, column)).join(', ')
  const guessed = unused.filter((column) => guesses[column])
  return html`<p>${words.t('people_import.unused', { count: unused.length, names })}</p>
${guessed.length > 0 && html`<div class="grid">${guessed.map((column) => columnView(data, column, words.t('people_import.guess', { use: words.t(`people_import.use_${guesses[column] as Field}`) })))}</div>`}`
}

/** What a list does not say, and everybody needs. */
function forNewView({ words, settings: { forNew }, groups, languages, defaultLanguage }: SettingsData): Html {
  return fieldsetView({
    legend: words.t('people_import.for_new'),
    fields: html`<div class="grid">${
      languages.length > 1 &&
      selectField({
        words,
        name: 'new_language',
        label: words.t('people_import.new_language'),
        help: words.t('people_import.new_language_help'),
        value: forNew?.language ?? defaultLanguage,
        placeholder: false,
        options: languageOptions(languages),
      })
    }${
      groups.length > 0 &&
      selectField({
        words,
        name: 'new_group',
        label: words.t('people_import.new_group'),
        help: words.t('people_import.new_group_help'),
        value: forNew?.group ?? '',
        placeholder: false,
        options: [
          { value: '', label: words.t('people_import.new_group_none') },
          ...groups.map(({ id, name }) => ({ value: id, label: name })),
        ],
      })
    }</div>`,
  })
}

const labelOf = ({ headings }: Pick<SettingsData, 'headings'>, column: number): string => headings[column] || columnName(column)

function columnView(
  { words, settings, samples, qualifications, errors, ...data }: SettingsData,
  column: number,
  guess = '',
): Html {
  const uses: Option[] = [
    { value: '', label: words.t('people_import.use_none') },
    ...FIELDS.map((field) => ({ value: field, label: words.t(`people_import.use_${field}`) })),
    ...qualifications.map(({ id, name }) => ({
      value: `qualification:${id}`,
      label: words.t('people_import.use_qualification', { title: name }),
    })),
  ]
  const sample = samples[column]?.length ? words.t('people_import.column_sample', { values: samples[column].join(' · ') }) : ''
  return selectField({
    words,
    name: `column_${column}`,
    label: words.t('people_import.column', { name: labelOf(data, column) }),
    help: [guess, sample].filter(Boolean).join(' ') || undefined,
    value: settings.uses[column],
    placeholder: false,
    options: uses,
    error: errorOf(errors, `column_${column}`),
  })
}

/** A column that is left out and looks like something has its list above. */
const isShownAbove = ({ settings, guesses }: SettingsData, column: number): boolean =>
  settings.uses[column] === '' && Boolean(guesses[column])

function columnsView(data: SettingsData): Html {
  const { words, settings, sheets, summary, errors } = data
  const found = (summary?.orders ?? []).flatMap(({ column, found: order }) =>
    order === 'dmy' || order === 'mdy'
      ? [html`<p class="help">${words.t(`people_import.order_found_${order}`, { name: labelOf(data, column) })}</p>`]
      : [],
  )
  return html`${
    sheets.length > 1 &&
    selectField({
      words,
      name: 'sheet',
      label: words.t('people_import.sheet'),
      value: settings.sheet,
      placeholder: false,
      options: sheets.map(({ name, isTooLong }, index) => ({
        value: index,
        label: isTooLong ? words.t('people_import.sheet_too_long', { name }) : name,
        disabled: isTooLong,
      })),
    })
  }${numberField({
    words,
    name: 'heading_row',
    label: words.t('people_import.heading_row'),
    help: words.t('people_import.heading_row_help'),
    value: settings.headingRow,
    min: 0,
    error: errorOf(errors, 'heading_row'),
  })}${found}<div class="grid">${settings.uses.map((_, column) => !isShownAbove(data, column) && columnView(data, column))}</div>`
}
