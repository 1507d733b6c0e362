import { eventPath } from '#features/events/rules/slug.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Flash } from '#platform/ui/flash.ts'
import type { FormError } from '#platform/ui/form.ts'
import { addShift, changeShift, type ShiftOutcome } from '../commands/shifts.ts'
import { shiftFacts } from '../commands/store-shifts.ts'
import { getLastEditor, getPlannedEvent, type PlannedEvent } from '../queries/events.ts'
import { findStoredShifts, getPlannedShift, type PlannedShift } from '../queries/shifts.ts'
import { type FormValues, one, rowAs } from '../rules/form-values.ts'
import { readSeen, type Seen, seenOf } from '../rules/seen.ts'
import { newShiftValues, type ShiftWish, shiftPrefix, shiftValues, takeStep, withNextShift } from '../rules/shift-form.ts'
import { planForm } from '../schema.ts'
import { planAssets } from '../views/assets.ts'
import { type Meanwhile, planPath, shiftPageView, shiftPlanPath } from '../views/editor.ts'
import { flowName } from '../views/shift-form.ts'
import { structureName } from '../views/structure.ts'
import { requirePlanned } from './edit-event.ts'
import { faultErrors, loadShiftChoices, previewShifts, readShiftRow, slugChoices } from './form.ts'

const AT = shiftPrefix(0)

export async function requirePlannedShift({
  context,
  path,
}: PageRequest<{ shift: number }>): Promise<{ shift: PlannedShift; event: PlannedEvent }> {
  const shift = await getPlannedShift(context.db, context.actor, path.shift)
  const event = shift && (await getPlannedEvent(context.db, context.actor, shift.eventId))
  if (!shift || !event) throw new Problem('not_found')
  return { shift, event }
}

export const nameOfShift = (words: Words, { label, times }: ShiftWish): string =>
  label ? `${label}, ${words.span(times.start, times.end)}` : words.span(times.start, times.end)

type Scene = { event: PlannedEvent; stored: PlannedShift | undefined; siblings: PlannedShift[] }

async function sceneOf({ context }: PageRequest, event: PlannedEvent, stored: PlannedShift | undefined): Promise<Scene> {
  const all = await findStoredShifts(context.db, event.id)
  return { event, stored, siblings: all.filter(({ id }) => id !== stored?.id) }
}

const leadersIn = (words: Words, { siblings }: Scene) =>
  siblings
    .filter(({ flowSlug }) => flowSlug !== 'coupled')
    .map((shift) => ({ value: shift.id, label: nameOfShift(words, shift) }))

const readIn = (words: Words, scene: Scene, values: FormValues) =>
  readShiftRow(values, 0, { timeZone: words.timeZone, stored: scene.stored, leaders: leadersIn(words, scene) })

/** As stored, and as the form says it: what is not told is the same there as what is told to be nothing. */
function seenIn(words: Words, scene: Scene, shift: PlannedShift): Seen {
  const { wish } = readIn(words, { ...scene, stored: shift }, shiftValues(AT, shift, words.timeZone))
  const said = wish.times ? seenOf(shiftFacts(wish as ShiftWish)) : {}
  return {
    ...seenOf(shiftFacts(shift)),
    ...Object.fromEntries(Object.entries(said).map(([name, mark]) => [`said ${name}`, mark])),
  }
}

type Shown = { values: FormValues; errors: FormError[]; seen?: Seen; meanwhile?: Meanwhile }

async function showForm(request: PageRequest, scene: Scene, { values, errors, seen, meanwhile }: Shown): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now } = context
  const { event, stored, siblings } = scene
  const [choices, shifts] = await Promise.all([loadShiftChoices(context), previewShifts(context, [readIn(words, scene, values)])])
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
    meanwhile,
    action: stored ? shiftPlanPath(stored.id, 'edit') : planPath(event.id, 'shifts/new'),
    choices: { ...choices, ...slugChoices(stored), leaders: leadersIn(words, scene) },
    preview: { words, now, event: undefined, shifts, readers: undefined },
    seen: stored && JSON.stringify(seen ?? seenIn(words, scene, stored)),
    offersPublish: !stored && !event.active && hasPermission(context.actor, 'add_event'),
    siblings: siblings.map((shift) => ({ href: shiftPlanPath(shift.id, 'edit'), label: nameOfShift(words, shift) })),
  })
  const breadcrumb = [
    { href: '/events/', label: words.t('event.list') },
    { href: back, label: event.title },
  ]
  return { title, main, breadcrumb, ...planAssets() }
}

/** A further shift begins when the last one ends. */
function valuesForNew(words: Words, { siblings }: Scene): FormValues {
  const last = siblings.at(-1)
  if (!last) return newShiftValues(AT)
  const next = withNextShift(shiftValues(AT, last, words.timeZone), words.timeZone)
  return rowAs(next, shiftPrefix(1), AT)
}

export const newShiftPage: Page = formPage({
  path: '/events/{event}/shifts/new/',
  access: signedIn,
  form: planForm,
  show: async (request, refused) => {
    const scene = await sceneOf(request, await requirePlanned(request), undefined)
    return showForm(request, scene, {
      values: refused?.values ?? valuesForNew(request.context.words, scene),
      errors: refused?.errors ?? [],
    })
  },
  submit: async (request, values) => {
    const { words } = request.context
    const event = await requirePlanned(request)
    const scene = await sceneOf(request, event, undefined)
    const step = one(values, 'do')
    if (step !== 'save' && step !== 'publish')
      return showForm(request, scene, { values: takeStep(values, step, words.timeZone), errors: [] })
    const { wish, faults } = readIn(words, scene, values)
    if (faults.length) return { refused: faultErrors(words, faults) }
    await addShift(request.commandContext, { eventId: event.id, wish: wish as ShiftWish, publish: step === 'publish' })
    const isPublished = step === 'publish' && !event.active
    const text = isPublished ? words.t('plan.published', { title: event.title }) : words.t('plan.shift_added')
    return { redirect: eventPath(event.id, event.title), flash: { kind: 'good', text } }
  },
})

export const editShiftPage: Page = formPage({
  path: '/shifts/{shift}/edit/',
  access: signedIn,
  form: planForm,
  show: async (request, refused) => {
    const { shift, event } = await requirePlannedShift(request)
    const scene = await sceneOf(request, event, shift)
    if (!refused) return showForm(request, scene, { values: shiftValues(AT, shift, request.context.words.timeZone), errors: [] })
    return showForm(request, scene, { ...refused, seen: readSeen(one(refused.values, 'seen')) })
  },
  submit: async (request, values) => {
    const { words } = request.context
    const { shift, event } = await requirePlannedShift(request)
    const scene = await sceneOf(request, event, shift)
    const seen = readSeen(one(values, 'seen'))
    const step = one(values, 'do')
    if (step !== 'save') return showForm(request, scene, { values: takeStep(values, step, words.timeZone), errors: [], seen })
    const { wish, faults } = readIn(words, scene, values)
    if (faults.length) return { refused: faultErrors(words, faults) }
    const outcome = await changeShift(request.commandContext, { shiftId: shift.id, wish: wish as ShiftWish, seen })
    if (outcome.ok) return { redirect: eventPath(event.id, event.title), flash: flashOf(words, outcome) }
    if (outcome.reason === 'leads_others') return { refused: faultErrors(words, [{ field: `${AT}flow`, code: 'leads_others' }]) }
    const shown = {
      values: mergeValues(words, values, wish as ShiftWish, seen, outcome.current),
      errors: [],
      seen: seenIn(words, scene, outcome.current),
      meanwhile: {
        by: await getLastEditor(request.context, event.id),
        lines: shiftLines(words, outcome.current, outcome.changed),
      },
    }
    return { ...(await showForm(request, await sceneOf(request, event, outcome.current), shown)), status: 409 }
  },
})

function flashOf(words: Words, { hasChanged, outside }: Extract<ShiftOutcome, { ok: true }>): Flash {
  if (outside) return { kind: 'warn', text: words.t('plan.outside', { count: outside }) }
  return { kind: 'good', text: words.t(hasChanged ? 'plan.saved' : 'plan.unchanged') }
}

/** What the form shows together, and which facts that is. */
const PARTS = {
  label: { facts: ['label'], fields: /^s0-label$/ },
  times: { facts: ['meeting_time', 'start_time', 'end_time'], fields: /^s0-(full|date|(meeting|start|end)(_at)?)$/ },
  flow: {
    facts: ['signup_flow_slug', 'signup_flow_configuration'],
    fields: /^s0-(flow|(from|until|late)_\w+|decline|times|explanation|leader)$/,
  },
  structure: {
    facts: ['structure_slug', 'structure_configuration'],
    fields: /^s0-(structure|age|min|max|quals|choose_\w+|[tmb]\d+-\w+)$/,
  },
} as const
type Part = keyof typeof PARTS
const partsOf = (changed: readonly string[]): Part[] =>
  (Object.keys(PARTS) as Part[]).filter((part) => PARTS[part].facts.some((fact) => changed.includes(fact)))

function shiftLines(words: Words, shift: PlannedShift, changed: readonly string[]): Meanwhile['lines'] {
  const texts: Record<Part, string> = {
    label: shift.label || words.t('plan.nothing'),
    times: words.span(shift.times.start, shift.times.end),
    flow: `${flowName(words, shift.flowSlug)} (${words.t('plan.changed')})`,
    structure: `${structureName(words, shift.structureSlug)} (${words.t('plan.changed')})`,
  }
  return partsOf(changed).map((part) => ({ field: words.t(`plan.field.${part}`), now: texts[part] }))
}

/** Parts that somebody left alone become what others have saved meanwhile; what was typed stays. */
function mergeValues(words: Words, values: FormValues, own: ShiftWish, seen: Seen, current: PlannedShift): FormValues {
  const typed = seenOf(shiftFacts(own))
  const now = seenOf(shiftFacts(current))
  const stored = shiftValues(AT, current, words.timeZone)
  const untouched = (Object.keys(PARTS) as Part[]).filter(
    (part) =>
      PARTS[part].facts.every((fact) => typed[fact] === seen[`said ${fact}`]) &&
      PARTS[part].facts.some((fact) => now[fact] !== seen[fact]),
  )
  const isTaken = (name: string) => untouched.some((part) => PARTS[part].fields.test(name))
  return {
    ...Object.fromEntries(Object.entries(values).filter(([name]) => !isTaken(name))),
    ...Object.fromEntries(Object.entries(stored).filter(([name]) => isTaken(name))),
  }
}
