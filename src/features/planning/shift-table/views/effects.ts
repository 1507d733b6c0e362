import type { PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { iconView } from '#platform/ui/icon.ts'
import type { Effects } from '../queries/conflicts.ts'
import type { TablePlan } from '../rules/plan.ts'
import type { Warnings } from '../rules/summary.ts'

const MAX_NAMES = 8
const MAX_CONFLICTS = 10
const MAX_SHIFTS = 20

const nameOf = (words: Words, { label, times }: Pick<PlannedShift, 'label' | 'times'>): string =>
  label ? `${label}, ${words.span(times.start, times.end)}` : words.span(times.start, times.end)

/** “3 new shifts, 2 changed shifts” */
export function countsText(words: Words, counts: { created: number; changed: number; removed: number }): string {
  const parts = [
    counts.created && words.t('table.sum_new', { count: counts.created }),
    counts.changed && words.t('table.sum_changed', { count: counts.changed }),
    counts.removed && words.t('table.sum_removed', { count: counts.removed }),
  ].filter((part) => typeof part === 'string')
  return parts.join(', ')
}

type SummaryData = { words: Words; plan: TablePlan; warnings: Warnings; numberOf: (row: number) => number }

/** What is in the table and not saved yet, and what to look at. Updated while the planner types. */
export function summaryView({ words, plan, warnings, numberOf }: SummaryData): Html {
  const counts = { created: plan.created.length, changed: plan.changed.length, removed: plan.removed.length }
  const faulty = new Set(plan.faults.map(({ row, cell }) => `${row} ${cell}`)).size
  const lines = (['double', 'past', 'long', 'open'] as const).flatMap((kind) => {
    const rows = warnings[kind]
    return rows.length ? [words.t(`table.sum_${kind}`, { count: rows.length, rows: listRows(words, rows.map(numberOf)) })] : []
  })
  const line = (text: string, tone: 'bad' | 'warn') =>
    html`<li class="tone-${tone}">${iconView(tone === 'bad' ? 'circle-alert' : 'triangle-alert', { size: 16 })}<span>${text}</span></li>`
  return html`<div class="table-summary" id="plan-preview" aria-live="polite"><p><b>${countsText(words, counts) || words.t('table.sum_none')}</b></p>${(faulty > 0 || lines.length > 0) && html`<ul role="list">${faulty > 0 && line(words.t('table.sum_faults', { count: faulty }), 'bad')}${lines.map((text) => line(text, 'warn'))}</ul>`}</div>`
}

const MAX_ROWS_NAMED = 12
function listRows(words: Words, numbers: readonly number[]): string {
  const shown = numbers.slice(0, MAX_ROWS_NAMED).map(String)
  return numbers.length > MAX_ROWS_NAMED ? `${shown.join(', ')} …` : words.list(shown)
}

/** Whom saving affects, before it is done. */
export function effectsView({ words, effects, digest }: { words: Words; effects: Effects; digest: string }): Html {
  const { plan, notified, outside, conflicts } = effects
  const counts = { created: plan.created.length, changed: plan.changed.length, removed: plan.removed.length }
  return html`<section class="notice tone-warn table-effects" tabindex="-1" data-focus aria-labelledby="table-effects-title">${iconView('users')}<div><h2 class="notice-title" id="table-effects-title">${words.t('table.effects')}</h2>
<p>${countsText(words, counts)}. ${notified ? words.t('table.effects_notified', { count: notified }) : words.t('table.effects_nobody')}</p>
${outside > 0 && html`<p>${words.t('table.effects_outside', { count: outside })}</p>`}
${conflicts.length > 0 && conflictsView(words, effects)}${peopleView(words, effects)}${hiddenField('agreed', digest)}</div></section>`
}

function conflictsView(words: Words, { plan, conflicts }: Effects): Html {
  const shifts = new Map(plan.changed.map(({ shift, input }) => [shift.id, input]))
  const lines = conflicts.slice(0, MAX_CONFLICTS).map(({ name, shiftId, title, label, start, end }) => {
    const own = shifts.get(shiftId)!
    const what = label || title || words.t('table.effects_elsewhere')
    return html`<li>${words.t('table.effects_conflict', { name, shift: nameOf(words, own), other: `${what}, ${words.span(start, end)}` })}</li>`
  })
  const rest = conflicts.length - lines.length
  return html`<p>${words.t('table.effects_conflicts', { count: conflicts.length })}</p><ul>${lines}${rest > 0 && html`<li>${words.t('table.effects_more', { count: rest })}</li>`}</ul>`
}

function peopleView(words: Words, { plan, people }: Effects): Html | false {
  const touched = [
    ...plan.changed.map(({ shift, input }) => ({ shift, after: nameOf(words, input) })),
    ...plan.removed.map(({ shift }) => ({ shift, after: words.t('table.effects_deleted') })),
  ].filter(({ shift }) => people.some(({ shiftId }) => shiftId === shift.id))
  if (!touched.length) return false
  const rest = touched.length - MAX_SHIFTS
  return html`<details open><summary>${words.t('table.effects_people')}</summary><ul>${touched
    .slice(0, MAX_SHIFTS)
    .map(({ shift, after }) => {
      const before = nameOf(words, shift)
      const what = before === after ? before : words.t('table.effects_now', { before, after })
      return html`<li>${what}: ${namesText(
        words,
        people.filter(({ shiftId }) => shiftId === shift.id).map(({ name }) => name),
      )}</li>`
    })}${rest > 0 && html`<li>${words.t('table.effects_more', { count: rest })}</li>`}</ul></details>`
}

function namesText(words: Words, names: readonly string[]): string {
  const rest = names.length - MAX_NAMES
  if (rest <= 0) return words.list(names)
  return `${names.slice(0, MAX_NAMES).join(', ')} ${words.t('table.effects_more', { count: rest })}`
}
