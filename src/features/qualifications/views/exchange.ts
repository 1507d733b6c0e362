import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { checkboxGroup, fileField, hiddenField, textareaField } from '#platform/ui/fields.ts'
import { type FormError, formView, linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { Line } from '../rules/exchange.ts'
import { QUALIFICATIONS } from './qualifications.ts'

export const IMPORT = `${QUALIFICATIONS}import/`
type Basis = { words: Words; csrfToken: string; errors: readonly FormError[]; catalogue: string }

export function importView({ words, csrfToken, errors, catalogue }: Basis): Html {
  return html`${pageHeadView({ title: words.t('qualification.import_title'), facts: words.t('qualification.import_intro') })}${formView(
    {
      words,
      csrfToken,
      errors,
      action: IMPORT,
      guard: false,
      submit: words.t('qualification.import_preview'),
      cancel: { href: QUALIFICATIONS },
      fields: html`${hiddenField('step', 'preview')}<div data-file-into="field-catalogue" hidden>${fileField({
        words,
        name: 'file',
        label: words.t('qualification.import_file'),
        accept: '.json,application/json',
      })}</div>${textareaField({
        words,
        name: 'catalogue',
        value: catalogue,
        rows: 10,
        required: true,
        label: words.t('qualification.import_text'),
        help: words.t('qualification.import_help'),
        error: errors.find(({ field }) => field === 'catalogue')?.text,
        attributes: { spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' },
      })}`,
    },
  )}`
}

export function previewView({
  words,
  csrfToken,
  errors,
  catalogue,
  lines,
  chosen,
}: Basis & { lines: readonly Line[]; chosen: ReadonlySet<string> }): Html {
  const help = ({ state, changes, entry }: Line) => {
    const told = changes.map(({ from, to }) => words.t('qualification.import_change', { from: from || '–', to: to || '–' }))
    return [entry.category.title, words.t(`qualification.import_${state}`), ...told].join(' · ')
  }
  return html`${pageHeadView({ title: words.t('qualification.import_title') })}${formView({
    words,
    csrfToken,
    errors,
    action: IMPORT,
    guard: false,
    submit: words.t('qualification.import_submit'),
    cancel: { href: QUALIFICATIONS },
    extra: linkButtonView({ href: IMPORT, label: words.t('qualification.import_back'), kind: 'quiet' }),
    fields: html`${hiddenField('step', 'import')}${hiddenField('catalogue', catalogue)}${checkboxGroup({
      words,
      name: 'chosen',
      label: words.t('qualification.import_choose'),
      help: words.t('qualification.import_choose_help'),
      values: lines.filter(({ entry, state }) => state !== 'new' || chosen.has(entry.uuid)).map(({ entry }) => entry.uuid),
      options: lines.map((line) => ({
        value: line.entry.uuid,
        label: line.entry.abbreviation ? `${line.entry.title} (${line.entry.abbreviation})` : line.entry.title,
        help: help(line),
        disabled: line.state !== 'new',
      })),
    })}`,
  })}`
}
