import { eventFields } from '#features/events/events/rules/event-fields.ts'
import { shiftFields } from '#features/events/events/rules/shift-fields.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { TYPES } from '#features/events/events/views/event-types.ts'
import { slugChoices } from '#features/planning/shift-forms/rules/offered-slugs.ts'
import {
  applyStep,
  newShiftValues,
  type ShiftInput,
  shiftPrefix,
  shiftRows,
} from '#features/planning/shift-forms/rules/shift-form.ts'
import { faultErrors } from '#features/planning/shift-forms/views/fields.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { moduleCheck } from '#platform/features/modules.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import { readId } from '#platform/ids.ts'
import type { Option } from '#platform/ui/fields.ts'
import type { FormError } from '#platform/ui/form.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { createEvent } from '../commands/plan-event.ts'
import { eventForm } from '../points.ts'
import { findBin, findDrafts, findTypeChoices, getTypeDefaults } from '../queries/events.ts'
import { addTypedPerson, eventValues, readEvent } from '../rules/event-form.ts'
import { planForm } from '../schema.ts'
import { planAssets } from '../views/assets.ts'
import { chooseTypeView, NEW_EVENT, newEventView } from '../views/editor.ts'
import { getShiftTitle } from '../views/event-fields.ts'
import type { PreviewShift } from '../views/preview.ts'
import {
  loadEventChoices,
  loadShiftChoices,
  previewEvent,
  previewShifts,
  readSections,
  readShiftRow,
  showSections,
} from './form.ts'

const crumbs = (words: Words) => [{ href: '/events/', label: words.t('event.list') }]

/** Other shifts of the form that are not coupled themselves. */
function leadersFor(words: Words, values: FormValues, row: number): Option[] {
  return shiftRows(values).flatMap((other, index) =>
    other === row || fieldValue(values, `${shiftPrefix(other)}flow`) === 'coupled'
      ? []
      : [{ value: `row-${other}`, label: getShiftTitle(words, values, shiftPrefix(other), index + 1) }],
  )
}

const readRows = (words: Words, values: FormValues) =>
  shiftRows(values).map((row) => ({
    row,
    ...readShiftRow(values, row, { timeZone: words.timeZone, leaders: leadersFor(words, values, row) }),
  }))

const TIMES = ['date', 'meeting', 'start', 'end', 'meeting_at', 'start_at', 'end_at']
const PLAIN = Object.entries(shiftFields.print(shiftFields.defaults))
/** Untouched rows are ignored when a draft is saved. */
const isUntouched = (values: FormValues, row: number): boolean =>
  TIMES.every((name) => fieldValue(values, `${shiftPrefix(row)}${name}`).trim() === '') &&
  PLAIN.every(([name, text]) => ['', text].includes(fieldValue(values, `${shiftPrefix(row)}${name}`).trim()))

/** “Sat 14 Nov 08:00–12:00 · at least 3” */
function shiftFacts(words: Words, { times, stats }: PreviewShift): string {
  const when = times ? words.span(times.start, times.end) : words.t('plan.untimed')
  return stats.minCount === null ? when : `${when} · ${words.t('plan.least', { count: stats.minCount })}`
}

async function chooseType({ context }: PageRequest): Promise<PageBody> {
  const { words } = context
  const [types, drafts, bin] = await Promise.all([findTypeChoices(context), findDrafts(context), findBin(context)])
  const facts = (shifts: number, when: Date, creator: string | null) => {
    const shared = { shifts: words.t('ui.shifts', { count: shifts }), when: words.relative(when, context.now) }
    return creator ? words.t('plan.draft_facts_by', { ...shared, name: creator }) : words.t('plan.draft_facts', shared)
  }
  const main = chooseTypeView({
    words,
    types,
    hasBin: bin.length > 0,
    starts: context.site.added(eventForm.start).map((start) => ({ ...start, label: words.t(start.label) })),
    newType: hasPermission(context.actor, 'add_event_type') ? `${TYPES}new/` : undefined,
    drafts: drafts.map(({ id, title, shifts, createdAt, creator, isOwn }) => ({
      href: eventPath(id, title),
      title,
      isOwn,
      facts: facts(shifts, createdAt, isOwn ? null : creator),
    })),
  })
  return { title: words.t('plan.new'), main, breadcrumb: crumbs(words), ...planAssets() }
}

async function showForm(
  request: PageRequest,
  { values, errors, isTyped }: { values: FormValues; errors: FormError[]; isTyped: boolean },
): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now } = context
  const [eventChoices, choices] = await Promise.all([loadEventChoices(context, values), loadShiftChoices(context)])
  const rows = readRows(words, values)
  const [shown, shifts, more] = await Promise.all([
    previewEvent(context, values, eventChoices),
    previewShifts(context, rows),
    showSections(eventForm.section, request, undefined, isTyped ? values : undefined),
  ])
  const main = newEventView({
    words,
    values,
    errors,
    csrfToken,
    choices: eventChoices,
    sections: more,
    preview: { words, now, ...shown, shifts },
    shiftLinks: context.site.added(eventForm.shifts).map((link) => ({ ...link, label: words.t(link.label) })),
    shiftFacts: (row) => shiftFacts(words, shifts[rows.findIndex((each) => each.row === row)]!),
    shiftChoices: (row) => ({
      ...choices,
      ...slugChoices(undefined, moduleCheck(context.site)),
      leaders: leadersFor(words, values, row),
    }),
  })
  return { title: words.t('plan.new'), main, breadcrumb: crumbs(words), ...planAssets() }
}

export const newEventPage: Page = formPage({
  path: NEW_EVENT,
  access: permission('add_event'),
  form: planForm,
  show: async (request, refused) => {
    if (refused) return showForm(request, { values: refused.values, errors: refused.errors, isTyped: true })
    const type = readId(request.query.get('type'))
    const defaults = type && (await getTypeDefaults(request.context, type))
    if (!defaults) return chooseType(request)
    const { id: typeId, title: _type, color: _color, ...suggested } = defaults
    const values = { ...eventValues({ ...eventFields.defaults, ...suggested, typeId }), ...newShiftValues(shiftPrefix(0)) }
    return showForm(request, { values, errors: [], isTyped: false })
  },
  submit: async (request, sent) => {
    const { context, commandContext } = request
    const { words } = context
    const eventChoices = await loadEventChoices(context, sent)
    const values = addTypedPerson(sent, eventChoices.people)
    // `draft:PATH`: saves a draft and goes on below the page of the event.
    const [step, next] = fieldValue(values, 'do').split(':', 2) as [string, string?]
    const isNext = context.site.added(eventForm.shifts).some(({ path }) => path === next)
    if (step !== 'publish' && step !== 'draft')
      return showForm(request, { values: applyStep(values, fieldValue(values, 'do'), words.timeZone), errors: [], isTyped: true })
    const isDraft = step === 'draft'
    const { input, faults } = readEvent(
      values,
      eventChoices.types.map(({ id }) => id),
    )
    const rows = readRows(words, values).filter(({ row }) => !(isDraft && isUntouched(values, row)))
    const more = readSections(eventForm.section, values, words, commandContext)
    const errors = [
      ...faultErrors(words, [...faults, ...rows.flatMap((row) => row.faults)]),
      ...(isDraft || rows.length ? [] : [{ text: words.t('plan.fault.no_shift') }]),
      ...more.errors,
    ]
    if (errors.length) return { ...(await showForm(request, { values, errors, isTyped: true })), status: 422 }
    const shifts = rows.map(({ row, input: shift, leaderRow }) => ({ row, input: shift as ShiftInput, leaderRow }))
    const { eventId } = await createEvent(commandContext, { event: input, shifts, publish: !isDraft, attach: more.attach })
    const text = words.t(isDraft ? 'plan.draft_saved' : 'plan.published', { title: input.title })
    return { redirect: isNext ? `/events/${eventId}/${next}` : eventPath(eventId, input.title), flash: { kind: 'good', text } }
  },
})
