import { apiNameOf, type EventInput, type EventPart, eventSnapshot } from '#features/events/events/rules/event-fields.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { faultErrors } from '#features/planning/shift-forms/views/fields.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import type { FormError } from '#platform/ui/form.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { saveEvent } from '../commands/plan-event.ts'
import { eventForm } from '../points.ts'
import { getLastEditor, type PlannedEvent, requirePlannedEvent } from '../queries/events.ts'
import { findStoredShifts } from '../queries/shifts.ts'
import { changesBetween } from '../rules/changes.ts'
import { addTypedPerson, eventValues, readEvent } from '../rules/event-form.ts'
import { type FormVersion, makeFormVersion, parseFormVersion } from '../rules/form-version.ts'
import { planForm } from '../schema.ts'
import { planAssets } from '../views/assets.ts'
import { type ConcurrentChange, editEventView } from '../views/editor.ts'
import { savedText } from '../views/saved.ts'
import { eventLines, findNextPage, loadEventChoices, previewEvent, readSections, showSections } from './form.ts'

type Shown = {
  values: FormValues
  errors: FormError[]
  isTyped: boolean
  version?: FormVersion
  concurrentChange?: ConcurrentChange
}

async function showForm(request: PageRequest, event: PlannedEvent, shown: Shown): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now } = context
  const { values, errors, isTyped, concurrentChange } = shown
  const eventChoices = await loadEventChoices(context, values, event)
  const [preview, shifts, more] = await Promise.all([
    previewEvent(context, values, eventChoices),
    findStoredShifts(context.db, event.id),
    showSections(eventForm.section, request, event.id, isTyped ? values : undefined),
  ])
  const main = editEventView({
    words,
    values,
    errors,
    csrfToken,
    choices: eventChoices,
    sections: more,
    shiftLinks: context.site
      .added(eventForm.shifts)
      .map(({ path, label, icon }) => ({ href: `/events/${event.id}/${path}`, label: words.t(label), icon })),
    concurrentChange,
    event: { id: event.id, title: event.title, isDraft: !event.active },
    version: JSON.stringify(shown.version ?? makeFormVersion(eventSnapshot(event))),
    preview: { words, now, ...preview, shifts: [] },
    shifts: shifts.map(({ id, label, times, confirmed, requested }) => ({
      id,
      title: label,
      when: words.span(times.start, times.end, now),
      isOnly: shifts.length === 1,
      staffing: [
        words.t('ui.confirmed_count', { count: confirmed }),
        ...(requested ? [words.t('ui.requested_count', { count: requested })] : []),
      ].join(' · '),
    })),
  })
  const breadcrumb = [
    { href: '/events/', label: words.t('event.list') },
    { href: eventPath(event.id, event.title), label: event.title },
  ]
  return { title: words.t('plan.edit'), main, breadcrumb, ...planAssets() }
}

/** Edited fields stay; untouched fields take the values that another user saved. */
function mergeValues(
  values: FormValues,
  changed: readonly string[],
  own: EventInput,
  version: FormVersion,
  current: PlannedEvent,
): FormValues {
  const typed = makeFormVersion(eventSnapshot(own))
  const stored = eventValues(current)
  const untouched = changed.filter((name) => typed[name] === version[name]).map((name) => apiNameOf(name as EventPart))
  return { ...values, ...Object.fromEntries(untouched.map((name) => [name, stored[name]!])) }
}

export const editEventPage: Page = formPage({
  path: '/events/{event}/edit/',
  access: signedIn,
  form: planForm,
  show: async (request, refused) => {
    const event = await requirePlannedEvent(request.context, request.path.event)
    if (!refused) return showForm(request, event, { values: eventValues(event), errors: [], isTyped: false })
    const version = parseFormVersion(fieldValue(refused.values, 'seen'))
    return showForm(request, event, { values: refused.values, errors: refused.errors, isTyped: true, version })
  },
  submit: async (request, sent) => {
    const { context, commandContext } = request
    const { words } = context
    const event = await requirePlannedEvent(request.context, request.path.event)
    const eventChoices = await loadEventChoices(context, sent, event)
    const values = addTypedPerson(sent, eventChoices.people)
    const version = parseFormVersion(fieldValue(values, 'seen'))
    const again = (errors: FormError[]) => showForm(request, event, { values, errors, isTyped: true, version })
    if (fieldValue(values, 'do') !== 'save') return again([])
    const { input, faults } = readEvent(
      values,
      eventChoices.types.map(({ id }) => id),
    )
    const more = readSections(eventForm.section, values, words, commandContext)
    const errors = [...faultErrors(words, faults), ...more.errors]
    if (errors.length) return { ...(await again(errors)), status: 422 }
    const outcome = await saveEvent(commandContext, { eventId: event.id, input, version, attach: more.attach })
    if (outcome.ok) {
      const flash = { kind: 'good' as const, text: savedText(words, outcome) }
      const fields = Object.keys(changesBetween(eventSnapshot(event), eventSnapshot(input)))
      const next = outcome.hasChanged ? await findNextPage(commandContext, { eventId: event.id, fields }) : undefined
      return { redirect: next ?? eventPath(event.id, input.title), flash }
    }
    const { changed, current } = outcome
    const own = { ...input, groups: [...input.groups, ...eventChoices.locked] }
    const merged = mergeValues(values, changed, own, version, current)
    const concurrentChange = {
      by: await getLastEditor(context, event.id),
      lines: eventLines(words, current, changed, eventChoices),
    }
    const shown = {
      values: merged,
      errors: [],
      isTyped: true,
      version: makeFormVersion(eventSnapshot(current)),
      concurrentChange,
    }
    return { ...(await showForm(request, current, shown)), status: 409 }
  },
})
