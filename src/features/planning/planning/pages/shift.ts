import { factsOf, SHIFT_PARTS, type ShiftPart, shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { formatPlainValue } from '#features/events/events/views/facts.ts'
import { renameRow } from '#features/planning/shift-forms/rules/form-rows.ts'
import { slugChoices } from '#features/planning/shift-forms/rules/offered-slugs.ts'
import {
  applyStep,
  newShiftValues,
  type ShiftInput,
  shiftPrefix,
  shiftValues,
  withNextShift,
} from '#features/planning/shift-forms/rules/shift-form.ts'
import { faultErrors } from '#features/planning/shift-forms/views/fields.ts'
import { flowName } from '#features/planning/shift-forms/views/shift-form.ts'
import { structureName } from '#features/planning/shift-forms/views/structure.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { moduleCheck } from '#platform/features/modules.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Flash } from '#platform/ui/flash.ts'
import type { FormError } from '#platform/ui/form.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { addShift, changeShift, type ShiftOutcome } from '../commands/shifts.ts'
import { shiftSnapshot } from '../commands/store-shifts.ts'
import { shiftForm } from '../points.ts'
import { getLastEditor, type PlannedEvent, requirePlannedEvent } from '../queries/events.ts'
import { findStoredShifts, type PlannedShift, requirePlannedShift } from '../queries/shifts.ts'
import { type FormVersion, makeFormVersion, parseFormVersion } from '../rules/form-version.ts'
import { planForm } from '../schema.ts'
import { planAssets } from '../views/assets.ts'
import { type ConcurrentChange, formatShiftName, planPath, shiftPageView, shiftPlanPath } from '../views/editor.ts'
import { notifiedText, savedText } from '../views/saved.ts'
import { findNextPage, loadShiftChoices, previewShifts, readSections, readShiftRow, showSections } from './form.ts'

const AT = shiftPrefix(0)

type ShiftForm = { event: PlannedEvent; stored: PlannedShift | undefined; siblings: PlannedShift[] }

async function loadShiftForm(
  { context }: PageRequest,
  event: PlannedEvent,
  stored: PlannedShift | undefined,
): Promise<ShiftForm> {
  const all = await findStoredShifts(context.db, event.id)
  return { event, stored, siblings: all.filter(({ id }) => id !== stored?.id) }
}

const leaderOptions = (words: Words, { siblings }: ShiftForm) =>
  siblings
    .filter(({ flowSlug }) => flowSlug !== 'coupled')
    .map((shift) => ({ value: shift.id, label: formatShiftName(words, shift) }))

const readShiftForm = (words: Words, form: ShiftForm, values: FormValues) =>
  readShiftRow(values, 0, { timeZone: words.timeZone, stored: form.stored, leaders: leaderOptions(words, form) })

/** With the sections of other features. */
function readWhole({ context, commandContext }: PageRequest, form: ShiftForm, values: FormValues) {
  const { words } = context
  const { input, faults } = readShiftForm(words, form, values)
  const sections = readSections(shiftForm.section, values, words, commandContext)
  return { input, errors: [...faultErrors(words, faults), ...sections.errors], attach: sections.attach }
}

/** Hashes of the stored values, and of what the untouched form would submit: missing and empty settings differ only there. */
function shiftVersion(words: Words, form: ShiftForm, shift: PlannedShift): FormVersion {
  const { input } = readShiftForm(words, { ...form, stored: shift }, shiftValues(AT, shift, words.timeZone))
  const said = input.times ? makeFormVersion(shiftSnapshot(input as ShiftInput)) : {}
  return {
    ...makeFormVersion(shiftSnapshot(shift)),
    ...Object.fromEntries(Object.entries(said).map(([name, mark]) => [`said ${name}`, mark])),
  }
}

type Shown = {
  values: FormValues
  errors: FormError[]
  isTyped: boolean
  version?: FormVersion
  concurrentChange?: ConcurrentChange
}

async function showForm(
  request: PageRequest,
  form: ShiftForm,
  { values, errors, isTyped, version, concurrentChange }: Shown,
): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now } = context
  const { event, stored, siblings } = form
  const [choices, shifts, sections] = await Promise.all([
    loadShiftChoices(context),
    previewShifts(context, [readShiftForm(words, form, values)], [stored?.id]),
    showSections(shiftForm.section, request, stored?.id, isTyped ? values : undefined),
  ])
  const title = words.t(stored ? 'plan.edit_shift' : 'plan.new_shift')
  const back = eventPath(event.id, event.title)
  const main = shiftPageView({
    words,
    values,
    errors,
    csrfToken,
    title,
    facts: event.title,
    back,
    concurrentChange,
    action: stored ? shiftPlanPath(stored.id, 'edit') : planPath(event.id, 'shifts/new'),
    choices: { ...choices, ...slugChoices(stored, moduleCheck(context.site)), leaders: leaderOptions(words, form) },
    preview: { words, now, event: undefined, shifts, readers: undefined },
    version: stored && JSON.stringify(version ?? shiftVersion(words, form, stored)),
    offersPublish: !stored && !event.active && hasPermission(context.actor, 'add_event'),
    sections,
    siblings: siblings.map((shift) => ({ href: shiftPlanPath(shift.id, 'edit'), label: formatShiftName(words, shift) })),
  })
  const breadcrumb = [
    { href: '/events/', label: words.t('event.list') },
    { href: back, label: event.title },
  ]
  return { title, main, breadcrumb, ...planAssets() }
}

/** The next shift starts when the last one ends. */
function valuesForNew(words: Words, { siblings }: ShiftForm): FormValues {
  const last = siblings.at(-1)
  if (!last) return newShiftValues(AT)
  const next = withNextShift(shiftValues(AT, last, words.timeZone), words.timeZone)
  return renameRow(next, shiftPrefix(1), AT)
}

export const newShiftPage: Page = formPage({
  path: '/events/{event}/shifts/new/',
  access: signedIn,
  form: planForm,
  show: async (request, refused) => {
    const form = await loadShiftForm(request, await requirePlannedEvent(request.context, request.path.event), undefined)
    return showForm(request, form, {
      values: refused?.values ?? valuesForNew(request.context.words, form),
      errors: refused?.errors ?? [],
      isTyped: refused !== undefined,
    })
  },
  submit: async (request, values) => {
    const { words } = request.context
    const event = await requirePlannedEvent(request.context, request.path.event)
    const form = await loadShiftForm(request, event, undefined)
    const step = fieldValue(values, 'do')
    if (step !== 'save' && step !== 'publish')
      return showForm(request, form, { values: applyStep(values, step, words.timeZone), errors: [], isTyped: true })
    const { input, errors, attach } = readWhole(request, form, values)
    if (errors.length) return { refused: errors }
    const { shiftId } = await addShift(request.commandContext, {
      eventId: event.id,
      input: input as ShiftInput,
      publish: step === 'publish',
      attach,
    })
    const isPublished = step === 'publish' && !event.active
    const text = isPublished ? words.t('plan.published', { title: event.title }) : words.t('plan.shift_added')
    const next = await findNextPage(request.commandContext, { eventId: event.id, shiftId, fields: [] })
    return { redirect: next ?? eventPath(event.id, event.title), flash: { kind: 'good', text } }
  },
})

export const editShiftPage: Page = formPage({
  path: '/shifts/{shift}/edit/',
  access: signedIn,
  form: planForm,
  show: async (request, refused) => {
    const { shift, event } = await requirePlannedShift(request.context, request.path.shift)
    const form = await loadShiftForm(request, event, shift)
    if (!refused) {
      const values = shiftValues(AT, shift, request.context.words.timeZone)
      return showForm(request, form, { values, errors: [], isTyped: false })
    }
    return showForm(request, form, { ...refused, isTyped: true, version: parseFormVersion(fieldValue(refused.values, 'seen')) })
  },
  submit: async (request, values) => {
    const { words } = request.context
    const { shift, event } = await requirePlannedShift(request.context, request.path.shift)
    const form = await loadShiftForm(request, event, shift)
    const version = parseFormVersion(fieldValue(values, 'seen'))
    const step = fieldValue(values, 'do')
    if (step !== 'save')
      return showForm(request, form, { values: applyStep(values, step, words.timeZone), errors: [], isTyped: true, version })
    const { input, errors, attach } = readWhole(request, form, values)
    if (errors.length) return { refused: errors }
    const changed = { shiftId: shift.id, input: input as ShiftInput, version, attach }
    const outcome = await changeShift(request.commandContext, changed)
    if (outcome.ok) {
      const saved = { eventId: event.id, shiftId: shift.id, fields: [] }
      const next = outcome.hasChanged ? await findNextPage(request.commandContext, saved) : undefined
      return { redirect: next ?? eventPath(event.id, event.title), flash: flashOf(words, outcome) }
    }
    if (outcome.reason === 'leads_others') return { refused: faultErrors(words, [{ field: `${AT}flow`, code: 'leads_others' }]) }
    const shown = {
      values: mergeValues(words, values, input as ShiftInput, version, outcome.current),
      errors: [],
      isTyped: true,
      version: shiftVersion(words, form, outcome.current),
      concurrentChange: {
        by: await getLastEditor(request.context, event.id),
        lines: shiftLines(words, outcome.current, outcome.changed),
      },
    }
    return { ...(await showForm(request, await loadShiftForm(request, event, outcome.current), shown)), status: 409 }
  },
})

function flashOf(words: Words, outcome: Extract<ShiftOutcome, { ok: true }>): Flash {
  const { outside } = outcome
  if (!outside) return { kind: 'good', text: savedText(words, outcome) }
  return { kind: 'warn', text: `${words.t('plan.outside', { count: outside })} ${notifiedText(words, outcome.notified)}` }
}

/** The form fields of each part. */
const FORM_FIELDS: Record<ShiftPart, RegExp> = {
  ...shiftFields.map((name) => new RegExp(`^s0-${name}$`)),
  times: /^s0-(full|date|(meeting|start|end)(_at)?)$/,
  flow: /^s0-(flow|(from|until|late)_\w+|decline|times|explanation|leader)$/,
  structure: /^s0-(structure|age|min|max|quals|choose_\w+|[tmb]\d+-\w+)$/,
  questions: /^s0-questions$/,
}
const changedParts = (changed: readonly string[]): ShiftPart[] =>
  SHIFT_PARTS.filter((part) => factsOf(part).some((fact) => changed.includes(fact)))

function shiftLines(words: Words, shift: PlannedShift, changed: readonly string[]): ConcurrentChange['lines'] {
  const texts: Record<ShiftPart, string> = {
    ...shiftFields.map((name) => formatPlainValue(words, shift[name]) || words.t('plan.nothing')),
    times: words.span(shift.times.start, shift.times.end),
    flow: `${flowName(words, shift.flowSlug)} (${words.t('plan.changed')})`,
    structure: `${structureName(words, shift.structureSlug)} (${words.t('plan.changed')})`,
    questions: words.t('plan.changed'),
  }
  return changedParts(changed).map((part) => ({ field: words.t(`plan.field.${part}`), now: texts[part] }))
}

/** Untouched parts take the values that another user saved; edited parts stay. */
function mergeValues(words: Words, values: FormValues, own: ShiftInput, version: FormVersion, current: PlannedShift): FormValues {
  const typed = makeFormVersion(shiftSnapshot(own))
  const now = makeFormVersion(shiftSnapshot(current))
  const stored = shiftValues(AT, current, words.timeZone)
  const untouched = SHIFT_PARTS.filter(
    (part) =>
      factsOf(part).every((fact) => typed[fact] === version[`said ${fact}`]) &&
      factsOf(part).some((fact) => now[fact] !== version[fact]),
  )
  const isTaken = (name: string) => untouched.some((part) => FORM_FIELDS[part].test(name))
  return {
    ...Object.fromEntries(Object.entries(values).filter(([name]) => !isTaken(name))),
    ...Object.fromEntries(Object.entries(stored).filter(([name]) => isTaken(name))),
  }
}
