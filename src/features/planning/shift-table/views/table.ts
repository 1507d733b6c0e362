import { faultText } from '#features/planning/shift-forms/rules/form-rows.ts'
import { stepView } from '#features/planning/shift-forms/views/fields.ts'
import { nameOfOtherFlow } from '#features/planning/shift-forms/views/shift-form.ts'
import { isSelfService } from '#features/staffing/staffing/flows/registry.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { mapInTurns } from '#platform/thread.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { hiddenField, whichTimeField } from '#platform/ui/fields.ts'
import { fieldId } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { CELLS, type Cell } from '../rules/columns.ts'
import type { RowFault } from '../rules/plan.ts'
import { rowField, type TableRow, WHICH, writeSeen } from '../rules/rows.ts'

/** A stored shift of a row. */
type RowShift = { flowSlug: string; isUniform: boolean; people: number }
type RowState = 'new' | 'changed' | 'gone' | 'same'
export type ShownRow = TableRow & {
  /** As the planner counts. */
  number: number
  shift: RowShift | undefined
  state: RowState
  weekday: string
  faults: readonly RowFault[]
  note: string | undefined
}

const FLOWS = ['request_confirm', 'instant_confirmation', 'manual'] as const
const flowLabel = (words: Words, slug: string): string =>
  slug === 'coupled' || FLOWS.some((each) => each === slug)
    ? words.t(`table.flow.${slug as (typeof FLOWS)[number] | 'coupled'}`)
    : nameOfOtherFlow(words, slug)

export const flowOptions = (words: Words): { value: string; label: string }[] =>
  FLOWS.map((value) => ({ value, label: flowLabel(words, value) }))

type TableData = { words: Words; caption: string; rows: readonly ShownRow[] }

export async function tableRowsView({ words, caption, rows }: TableData): Promise<Html> {
  const heading = (cell: Cell) => html`<th scope="col" class="cell-${cell}">${words.t(`table.col.${cell}`)}</th>`
  return html`<div class="shift-table-box" tabindex="0" role="region" aria-label="${caption}"><table class="shift-table" data-shift-table>
<caption class="sr-only">${caption}</caption>
<thead><tr><th scope="col" class="cell-pick"><span class="sr-only">${words.t('table.col.pick')}</span><input type="checkbox" data-pick-all hidden aria-label="${words.t('table.pick_all')}"></th>${CELLS.map(heading)}<th scope="col" class="cell-state">${words.t('table.col.state')}</th></tr></thead>
<tbody>${await mapInTurns(rows, (row) => rowView(words, row))}</tbody></table></div>`
}

function rowView(words: Words, row: ShownRow): Html {
  const { number, id, isPicked, isGone, state, note } = row
  const at = (name: string) => rowField(row.row, name)
  const hidden = html`${hiddenField(at('on'), '1')}${id !== undefined && hiddenField(at('id'), id)}${writeSeen(row.seen) !== '' && hiddenField(at('seen'), writeSeen(row.seen))}${isGone && hiddenField(at('gone'), '1')}`
  const pick = html`<label class="pick" for="${fieldId(at('pick'))}"><input ${attrs({ type: 'checkbox', id: fieldId(at('pick')), name: at('pick'), value: 'on', checked: isPicked, 'data-pick': true, 'aria-label': words.t('table.pick_row', { number }) })}><span aria-hidden="true">${number}</span></label>`
  return html`<tr ${attrs({ class: `row-${state}`, 'data-row-number': row.row })}><th scope="row" class="cell-pick">${pick}${hidden}</th>${CELLS.map((cell) => html`<td class="cell-${cell}">${cellView(words, row, cell)}</td>`)}<td class="cell-state">${stateView(words, row)}</td></tr>${note && html`<tr class="row-note"><td colspan="11">${iconView('triangle-alert', { size: 16 })}<span>${note}</span></td></tr>`}`
}

function stateView(words: Words, { id, state, shift, number }: ShownRow): Html {
  const badge = {
    new: badgeView({ tone: 'info', text: words.t('table.state.new') }),
    changed: badgeView({ tone: 'warn', text: words.t('table.state.changed') }),
    gone: badgeView({ tone: 'bad', text: words.t('table.state.gone') }),
    same: false as const,
  }[state]
  const count = shift?.people ?? 0
  const people =
    count > 0 &&
    html`<span class="cell-people">${iconView('users', { size: 16 })}<span aria-hidden="true">${count}</span><span class="sr-only">${words.t('table.state.people', { count })}</span></span>`
  return html`${badge}${people}${id !== undefined && menuView(words, id, number)}`
}

/** Opens inside the cell, because the table scrolls. */
function menuView(words: Words, id: number, number: number): Html {
  const item = (path: string, label: string, icon: 'pencil' | 'calendar-x' | 'trash-2') =>
    html`<a class="menu-item" href="/shifts/${id}/${path}/">${iconView(icon, { size: 18 })}<span>${label}</span></a>`
  return html`<details class="menu row-menu"><summary class="button quiet icon-only small">${iconView('ellipsis', { size: 18 })}<span class="sr-only">${words.t('table.actions', { number })}</span></summary><div class="menu-list">${item('edit', words.t('table.all_settings'), 'pencil')}${item('cancel', words.t('plan.do.cancel_shift'), 'calendar-x')}${item('delete', words.t('plan.do.delete_shift'), 'trash-2')}</div></details>`
}

const NUMERIC: ReadonlySet<Cell> = new Set(['min', 'max'])

function cellView(words: Words, row: ShownRow, cell: Cell): Html {
  const { number, shift, texts, faults, isGone } = row
  const name = rowField(row.row, cell)
  const label = words.t('table.cell', { number, column: words.t(`table.col.${cell}`) })
  if (cell === 'min' && shift && !shift.isUniform)
    return html`<a class="cell-link" href="/shifts/${row.id!}/edit/">${words.t('table.needs_elsewhere')}</a>`
  if (cell === 'max' && shift && !shift.isUniform) return html`<span class="muted">–</span>`
  if (cell === 'flow') return flowView(words, row, label)
  if (cell === 'until' && shift && !isSelfService(texts.flow || shift.flowSlug)) return html`<span class="muted">–</span>`
  const fault = faults.find((each) => each.cell === cell)
  const error = fault && faultText(words, fault.code)
  const id = fieldId(name)
  const input = {
    type: 'text',
    id,
    name,
    value: texts[cell] ?? '',
    'aria-label': label,
    'aria-invalid': error ? 'true' : undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
    'data-cell': cell,
    inputmode: NUMERIC.has(cell) ? 'numeric' : undefined,
    readonly: isGone,
    autocomplete: 'off',
  }
  const weekday = cell === 'date' && row.weekday && html`<span class="cell-weekday" aria-hidden="true">${row.weekday}</span>`
  return html`<div class="cell${error && ' wrong'}">${weekday}<input ${attrs(input)}></div>${error && errorView(id, error)}${whichView(words, row, cell, fault)}`
}

const errorView = (id: string, error: string): Html => html`<p class="cell-error" id="${id}-error">${error}</p>`

/** A time that occurs twice when the clocks are set back. */
function whichView(words: Words, row: ShownRow, cell: Cell, fault: RowFault | undefined): Html | false {
  const name = WHICH.find((each) => each === cell)
  if (!name) return false
  const value = row.which[name] ?? ''
  if (value === '' && fault?.code !== 'ambiguous') return false
  return whichTimeField({ words, name: rowField(row.row, `${name}_which`), value })
}

function flowView(words: Words, { row, texts, shift, faults }: ShownRow, label: string): Html {
  const name = rowField(row, 'flow')
  const chosen = texts.flow ?? ''
  if (shift?.flowSlug === 'coupled')
    return html`${hiddenField(name, chosen)}<span class="muted">${flowLabel(words, 'coupled')}</span>`
  const others = chosen !== '' && !FLOWS.some((each) => each === chosen) ? [{ value: chosen, label: chosen }] : []
  const options = [...(shift ? [] : [{ value: '', label: '–' }]), ...flowOptions(words), ...others]
  const fault = faults.find((each) => each.cell === 'flow')
  const id = fieldId(name)
  const select = { id, name, 'aria-label': label, 'data-cell': 'flow', 'aria-invalid': fault ? 'true' : undefined }
  return html`<div class="cell${fault && ' wrong'}"><select ${attrs(select)}>${options.map((option) => html`<option ${attrs({ value: option.value, selected: option.value === chosen })}>${option.label}</option>`)}</select></div>${fault && errorView(id, faultText(words, fault.code))}`
}

export const addRowsView = (words: Words): Html =>
  html`<div class="plan-add">${stepView({ label: words.t('table.add'), step: 'add', icon: 'plus' })}</div>`
