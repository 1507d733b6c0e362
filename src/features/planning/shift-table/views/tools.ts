import { makeFields, moreView, stepView } from '#features/planning/shift-forms/views/fields.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Option } from '#platform/ui/fields.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { CELLS } from '../rules/columns.ts'
import type { StepNote } from '../rules/steps.ts'
import { flowOptions } from './table.ts'

type ToolsData = {
  words: Words
  values: FormValues
  note: StepNote | undefined
  /** Shifts that new rows can be like. */
  patterns: readonly Option[]
}

const noteView = ({ note }: ToolsData, field: StepNote['field']): Html | false =>
  note?.field === field &&
  html`<p class="${note.kind === 'bad' ? 'field-error' : 'side-note'}" role="${note.kind === 'bad' ? 'alert' : 'status'}">${note.text}</p>`

/** Rows from a spreadsheet. Open while the event has no shifts. */
export function pasteView(data: ToolsData & { isOpen: boolean }): Html {
  const { words, patterns } = data
  const { area, select } = makeFields({ ...data, errors: [] })
  const pattern =
    patterns.length > 0 &&
    select('pattern', words.t('table.pattern'), patterns, {
      help: words.t('table.pattern_help'),
      placeholder: words.t('table.pattern_default'),
    })
  return html`${moreView({
    title: words.t('table.paste'),
    isOpen: data.isOpen || (data.note?.field === 'paste' && data.note.kind === 'bad'),
    body: html`${area('paste', words.t('table.paste_label'), { help: words.t('table.paste_help'), rows: 5, attributes: { 'data-paste': true, spellcheck: 'false' } })}
${pattern}<div class="plan-row-foot">${stepView({ label: words.t('table.paste_do'), step: 'paste', icon: 'plus' })}</div>`,
  })}${noteView(data, 'paste')}`
}

/** What can be done with the chosen rows. */
export function changeView(data: ToolsData): Html {
  const { words } = data
  const { text, number, select } = makeFields({ ...data, errors: [] })
  const signs = (['later', 'earlier'] as const).map((value) => ({ value, label: words.t(`table.by_${value}`) }))
  const units = (['minutes', 'hours', 'days'] as const).map((value) => ({ value, label: words.t(`table.by_${value}`) }))
  const columns = CELLS.map((value) => ({ value, label: words.t(`table.col.${value}`) }))
  return html`${moreView({
    title: words.t('table.change'),
    isOpen: data.note?.field === 'change',
    body: html`<p class="help">${words.t('table.change_help')}</p>
<div class="field-row table-by">${number('by_count', words.t('table.by'), { min: 0 })}${select('by_unit', words.t('table.by_unit'), units)}${select('by_sign', words.t('table.by_sign'), signs)}</div>
<div class="field-row table-set">${number('set_min', words.t('plan.min'), { min: 0 })}${number('set_max', words.t('plan.max'), { min: 1 })}${select('set_flow', words.t('table.col.flow'), flowOptions(words), { placeholder: words.t('table.set_flow_keep') })}${text('set_until', words.t('table.col.until'), { help: words.t('table.set_until_help') })}</div>
<div class="button-row">${stepView({ label: words.t('table.do_change'), step: 'change' })}${stepView({ label: words.t('table.do_copy'), step: 'copy', icon: 'copy' })}${stepView({ label: words.t('table.do_remove'), step: 'remove', icon: 'trash-2', kind: 'quiet' })}${stepView({ label: words.t('table.do_restore'), step: 'restore', kind: 'quiet' })}</div>
<div class="plan-choice">${select('column', words.t('table.column'), columns, { help: words.t('table.fill_help') })}${stepView({ label: words.t('table.do_fill'), step: 'fill' })}</div>`,
  })}${noteView(data, 'change')}`
}
