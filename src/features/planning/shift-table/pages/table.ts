import { randomUUID } from 'node:crypto'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { getLastEditor, type PlannedEvent, requirePlannedEvent } from '#features/planning/planning/queries/events.ts'
import { findStoredShifts, type PlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { planForm } from '#features/planning/planning/schema.ts'
import { formatShiftName } from '#features/planning/planning/views/editor.ts'
import { notifiedText } from '#features/planning/planning/views/saved.ts'
import { faultText } from '#features/planning/shift-forms/rules/form-rows.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type PageBody, type Redirect, type UserRequest } from '#platform/http/page.ts'
import { addDays } from '#platform/i18n/days.ts'
import type { TypedReading } from '#platform/i18n/typed-dates.ts'
import { readTypedDay } from '#platform/i18n/typed-dates.ts'
import type { Words } from '#platform/i18n/words.ts'
import { readId } from '#platform/ids.ts'
import { mapInTurns } from '#platform/thread.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import type { FormError } from '#platform/ui/form.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { type SaveOutcome, saveTable } from '../commands/save.ts'
import type { Effects } from '../queries/conflicts.ts'
import { planInTurns } from '../queries/plan-in-turns.ts'
import { getLastStep } from '../queries/steps.ts'
import { type Part, partsOf, printCells } from '../rules/cells.ts'
import type { RowConflict, RowFault, TablePlan } from '../rules/plan.ts'
import { emptyRow, MAX_ROWS, readRows, rowField, type TableRow, versionOf, writeRows } from '../rules/rows.ts'
import { applyTableStep, isStep, NEW_ROWS, type StepNote } from '../rules/steps.ts'
import { findWarnings } from '../rules/summary.ts'
import { effectsView, summaryView } from '../views/effects.ts'
import { tablePageView, tablePath, undoPath } from '../views/page.ts'
import { addRowsView, type ShownRow, tableRowsView } from '../views/table.ts'
import { changeView, pasteView } from '../views/tools.ts'

type Request = UserRequest<{ event: number }>

/** Dates without a year are those of the event, or the next ones. */
const DAYS_BACK = 31
function readingOf({ context: { words, now } }: Request, shifts: readonly PlannedShift[], values: FormValues): TypedReading {
  const first = shifts.reduce((least, { times }) => (times.start < least ? times.start : least), shifts[0]?.times.start ?? now)
  const order = fieldValue(values, 'order')
  return {
    from: addDays(words.inputDate(first), -DAYS_BACK),
    today: words.inputDate(now),
    order: order === 'mdy' || order === 'dmy' ? order : undefined,
  }
}

const storedRow = (words: Words, shift: PlannedShift): Omit<TableRow, 'row'> => ({
  ...emptyRow(),
  id: shift.id,
  seen: versionOf(partsOf(shift, words.timeZone)),
  ...printCells(words, shift),
})

const blankRows = (count: number) => Array.from({ length: count }, () => emptyRow())

async function initialValues(words: Words, shifts: readonly PlannedShift[]): Promise<FormValues> {
  const rows = await mapInTurns(shifts.slice(0, MAX_ROWS), (shift) => storedRow(words, shift))
  const blank = Math.min(shifts.length ? 1 : NEW_ROWS, MAX_ROWS - rows.length)
  return writeRows([...rows, ...blankRows(blank)])
}

type Shown = {
  values: FormValues
  errors?: FormError[]
  note?: StepNote | undefined
  notice?: string
  notes?: ReadonlyMap<number, string>
  asks?: { effects: Effects; digest: string }
  isTyped: boolean
  status?: number
}

async function showTable(request: Request, event: PlannedEvent, shifts: PlannedShift[], shown: Shown): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now, db, site } = context
  const { values } = shown
  const reading = readingOf(request, shifts, values)
  const rows = readRows(values)
  const pattern = shifts.find(({ id }) => id === readId(fieldValue(values, 'pattern')))
  const plan = await planInTurns(rows, {
    shifts,
    pattern,
    reading,
    timeZone: site.timeZone,
    newUuid: randomUUID,
    print: (shift) => printCells(words, shift),
  })
  const numbers = new Map(rows.map(({ row }, index) => [row, index + 1]))
  const gone = new Set(plan.removed.map(({ shift }) => shift.id))
  const shownRows = await mapInTurns(rows, (row): ShownRow => {
    const shift = shifts.find(({ id }) => id === row.id)
    const day = readTypedDay(row.texts.date ?? '', reading)
    return {
      ...row,
      number: numbers.get(row.row)!,
      shift: shift && {
        flowSlug: shift.flowSlug,
        isUniform: shift.structureSlug === 'uniform',
        people: shift.confirmed + shift.requested,
      },
      state: stateOf(row, plan),
      weekday: day.ok ? words.dayParts(new Date(`${day.day}T12:00Z`)).weekday : '',
      faults: shown.isTyped ? plan.faults.filter((fault) => fault.row === row.row) : [],
      note: shown.notes?.get(row.row),
    }
  })
  const patterns = shifts
    .filter(({ flowSlug }) => flowSlug !== 'coupled')
    .map((shift) => ({ value: shift.id, label: formatShiftName(words, shift) }))
  const tools = { words, values, note: shown.note, patterns }
  const warnings = findWarnings(
    plan,
    shifts.filter(({ id }) => !gone.has(id)),
    now,
  )
  const main = tablePageView({
    words,
    now,
    csrfToken,
    event,
    back: eventPath(event.id, event.title),
    values,
    errors: shown.errors ?? [],
    notice: shown.notice,
    isTooLong: shifts.length > MAX_ROWS ? words.t('table.too_long', { count: MAX_ROWS }) : undefined,
    effects: shown.asks && {
      view: effectsView({ words, ...shown.asks }),
      notified: shown.asks.effects.notified,
    },
    lastStep: await getLastStep(db, event.id, now),
    tools: html`${pasteView({ ...tools, isOpen: !shifts.length && !plan.created.length })}${changeView(tools)}`,
    rows: html`${await tableRowsView({ words, caption: words.t('table.caption', { event: event.title }), rows: shownRows })}${addRowsView(words)}`,
    summary: summaryView({ words, plan, warnings, numberOf: (row) => numbers.get(row)! }),
  })
  return {
    title: words.t('table.title'),
    main,
    wide: true,
    breadcrumb: [
      { href: '/events/', label: words.t('event.list') },
      { href: eventPath(event.id, event.title), label: event.title },
    ],
    head: html`<link rel="stylesheet" href="${assetUrl('planning.css')}"><link rel="stylesheet" href="${assetUrl('shift-table.css')}">`,
    scripts: [assetUrl('planning.js'), assetUrl('shift-table.js')],
    ...(shown.status ? { status: shown.status } : {}),
  }
}

function stateOf(row: TableRow, plan: TablePlan): ShownRow['state'] {
  if (row.isGone) return 'gone'
  if (row.id === undefined) return plan.created.some((each) => each.row === row.row) ? 'new' : 'same'
  return plan.changed.some((each) => each.row === row.row) ? 'changed' : 'same'
}

/** The errors above the table, in the order of the rows; the cells have them, too. */
function errorsOf(words: Words, rows: readonly TableRow[], faults: readonly RowFault[]): FormError[] {
  const numbers = new Map(rows.map(({ row }, index) => [row, index + 1]))
  return faults.map(({ row, cell, code }) => ({
    field: rowField(row, cell),
    text: words.t('table.cell_fault', {
      number: numbers.get(row)!,
      column: words.t(`table.col.${cell}`),
      fault: faultText(words, code),
    }),
  }))
}

/** Rows keep what was typed; what was not touched, and shifts that are new, are those of now. */
function mergeConflicts(
  words: Words,
  values: FormValues,
  shifts: readonly PlannedShift[],
  conflicts: readonly RowConflict[],
): { values: FormValues; notes: Map<number, string> } {
  const notes = new Map<number, string>()
  const rows = readRows(values)
  const known = new Set(rows.map(({ id }) => id))
  const merged = rows.map((row, index): Omit<TableRow, 'row'> => {
    const conflict = conflicts.find((each) => each.row === row.row)
    if (!conflict) return row
    const { current, parts } = conflict
    if (!current) {
      notes.set(index, words.t('table.row_deleted'))
      return { ...row, id: undefined, seen: {} }
    }
    notes.set(index, words.t('table.row_conflict', { values: parts.map((part) => partText(words, current, part)).join('; ') }))
    const now = versionOf(partsOf(current, words.timeZone))
    return { ...row, seen: { ...row.seen, ...Object.fromEntries(parts.map((part) => [part, now[part]!])) } }
  })
  const added = shifts.filter(({ id }) => !known.has(id)).map((shift) => storedRow(words, shift))
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => !/^r\d+-/.test(name)))
  return { values: { ...others, ...writeRows([...merged, ...added].slice(0, MAX_ROWS)) }, notes }
}

function partText(words: Words, shift: PlannedShift, part: Part): string {
  const { texts } = printCells(words, shift)
  const value = {
    times: words.span(shift.times.start, shift.times.end),
    label: shift.label || words.t('plan.nothing'),
    needs: [texts.min, texts.max].filter(Boolean).join('–') || words.t('plan.nothing'),
    flow: texts.flow ?? '',
    until: texts.until ?? '',
  }[part]
  return `${words.t(`table.part.${part}`)} ${value}`
}

export const tablePage = formPage({
  path: '/events/{event}/shifts/',
  access: signedIn,
  form: planForm,
  show: async (request, refused) => {
    const event = await requirePlannedEvent(request.context, request.path.event)
    const shifts = await findStoredShifts(request.context.db, event.id)
    const values = refused?.values ?? (await initialValues(request.context.words, shifts))
    return showTable(request, event, shifts, { values, errors: refused?.errors ?? [], isTyped: refused !== undefined })
  },
  submit: async (request, values) => {
    const { context, commandContext } = request
    const { words } = context
    const event = await requirePlannedEvent(request.context, request.path.event)
    const shifts = await findStoredShifts(context.db, event.id)
    const reading = readingOf(request, shifts, values)
    const wished = fieldValue(values, 'do')
    // Pasted text that is no row yet would be lost.
    const step = (wished === 'save' || wished === 'preview') && fieldValue(values, 'paste').trim() !== '' ? 'paste' : wished
    if (isStep(step))
      return showTable(request, event, shifts, { ...applyTableStep(values, step, { words, reading }), isTyped: true })
    if (step !== 'save' && step !== 'preview') return showTable(request, event, shifts, { values, isTyped: true })
    const outcome = await saveTable(commandContext, {
      eventId: event.id,
      rows: readRows(values),
      patternId: readId(fieldValue(values, 'pattern')),
      reading,
      agreed: fieldValue(values, 'agreed'),
      isTrial: step === 'preview',
    })
    return outcome.ok ? saved(request, event, outcome) : refuse(request, event, values, outcome)
  },
})

function saved(
  { context: { words } }: Request,
  event: PlannedEvent,
  { step, effects }: Extract<SaveOutcome, { ok: true }>,
): Redirect {
  const { plan, notified } = effects
  const count = plan.created.length + plan.changed.length + plan.removed.length
  return {
    redirect: tablePath(event.id),
    flash: {
      kind: 'good',
      text: `${words.t('table.saved', { count })} ${notifiedText(words, notified)}`,
      undo: { action: undoPath(event.id), fields: { step: String(step) } },
    },
  }
}

async function refuse(
  request: Request,
  event: PlannedEvent,
  values: FormValues,
  outcome: Extract<SaveOutcome, { ok: false }>,
): Promise<PageBody> {
  const { words } = request.context
  const shifts = await findStoredShifts(request.commandContext.db, event.id)
  if (outcome.reason === 'asks') return showTable(request, event, shifts, { values, asks: outcome, isTyped: true })
  if (outcome.reason === 'faults') {
    const errors = errorsOf(words, readRows(values), outcome.faults)
    return showTable(request, event, shifts, { values, errors, isTyped: true, status: 422 })
  }
  if (outcome.reason === 'conflicts') {
    const name = await getLastEditor(request.context, event.id)
    const notice = name === undefined ? words.t('table.conflict') : words.t('table.conflict_by', { name })
    const merged = mergeConflicts(words, values, shifts, outcome.conflicts)
    return showTable(request, event, shifts, { ...merged, notice, isTyped: true, status: 409 })
  }
  const errors = [{ text: words.t(outcome.reason === 'nothing' ? 'table.nothing' : 'table.last_shift') }]
  return showTable(request, event, shifts, { values, errors, isTyped: true, status: outcome.reason === 'nothing' ? 200 : 422 })
}
