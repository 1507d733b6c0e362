import { eventPath } from '#features/events/rules/slug.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { FormError } from '#platform/ui/form.ts'
import { eventFacts } from '../commands/events.ts'
import { saveEvent } from '../commands/plan-event.ts'
import { getLastEditor, getPlannedEvent, type PlannedEvent } from '../queries/events.ts'
import { findStoredShifts } from '../queries/shifts.ts'
import { type EventRead, eventValues, readEvent, takePerson } from '../rules/event-form.ts'
import { type FormValues, one } from '../rules/form-values.ts'
import { readSeen, type Seen, seenOf } from '../rules/seen.ts'
import { planForm } from '../schema.ts'
import { planAssets } from '../views/assets.ts'
import { editEventView, type Meanwhile } from '../views/editor.ts'
import { type EventSections, eventLines, faultErrors, loadEventAround, previewEvent, readSections, showSections } from './form.ts'

export async function requirePlanned({ context, path }: PageRequest<{ event: number }>): Promise<PlannedEvent> {
  const event = await getPlannedEvent(context.db, context.actor, path.event)
  // That it exists is told to nobody who may not change it.
  if (!event) throw new Problem('not_found')
  return event
}

type Shown = { values: FormValues; errors: FormError[]; isTyped: boolean; seen?: Seen; meanwhile?: Meanwhile }

async function showForm(request: PageRequest, sections: EventSections, event: PlannedEvent, shown: Shown): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now } = context
  const { values, errors, isTyped, meanwhile } = shown
  const around = await loadEventAround(context, values, event)
  const [preview, shifts, more] = await Promise.all([
    previewEvent(context, values, around),
    findStoredShifts(context.db, event.id),
    showSections(sections, request, event.id, isTyped ? values : undefined),
  ])
  const main = editEventView({
    words,
    values,
    errors,
    csrfToken,
    choices: around,
    sections: more,
    meanwhile,
    event: { id: event.id, title: event.title, isDraft: !event.active },
    seen: JSON.stringify(shown.seen ?? seenOf(eventFacts(event))),
    preview: { words, now, ...preview, shifts: [] },
    shifts: shifts.map(({ id, label, times, confirmed, requested }) => ({
      id,
      title: label,
      when: words.span(times.start, times.end, now),
      isOnly: shifts.length === 1,
      staffing: [
        words.t('ui.confirmed_count', { count: confirmed }),
        ...(requested ? [words.t('ui.asked_count', { count: requested })] : []),
      ].join(' · '),
    })),
  })
  const breadcrumb = [
    { href: '/events/', label: words.t('event.list') },
    { href: eventPath(event.id, event.title), label: event.title },
  ]
  return { title: words.t('plan.edit'), main, breadcrumb, ...planAssets() }
}

const FIELDS: Record<string, string> = { type_id: 'type' }

/** What somebody typed stays; what they left alone becomes what others have saved meanwhile. */
function mergeValues(
  values: FormValues,
  changed: readonly string[],
  own: EventRead,
  seen: Seen,
  current: PlannedEvent,
): FormValues {
  const typed = seenOf(eventFacts(own))
  const stored = eventValues(current)
  const untouched = changed.filter((name) => typed[name] === seen[name]).map((name) => FIELDS[name] ?? name)
  return { ...values, ...Object.fromEntries(untouched.map((name) => [name, stored[name]!])) }
}

export const editEventPage = (sections: EventSections): Page =>
  formPage({
    path: '/events/{event}/edit/',
    access: signedIn,
    form: planForm,
    show: async (request, refused) => {
      const event = await requirePlanned(request)
      if (!refused) return showForm(request, sections, event, { values: eventValues(event), errors: [], isTyped: false })
      const seen = readSeen(one(refused.values, 'seen'))
      return showForm(request, sections, event, { values: refused.values, errors: refused.errors, isTyped: true, seen })
    },
    submit: async (request, sent) => {
      const { context, commandContext } = request
      const { words } = context
      const event = await requirePlanned(request)
      const around = await loadEventAround(context, sent, event)
      const values = takePerson(sent, around.people)
      const seen = readSeen(one(values, 'seen'))
      const again = (errors: FormError[]) => showForm(request, sections, event, { values, errors, isTyped: true, seen })
      if (one(values, 'do') !== 'save') return again([])
      const { wish, faults } = readEvent(
        values,
        around.types.map(({ id }) => id),
      )
      const more = readSections(sections, values, words, commandContext)
      const errors = [...faultErrors(words, faults), ...more.errors]
      if (errors.length) return { ...(await again(errors)), status: 422 }
      const outcome = await saveEvent(commandContext, { eventId: event.id, wish, seen, attach: more.attach })
      if (outcome.ok) {
        const flash = { kind: 'good' as const, text: words.t(outcome.hasChanged ? 'plan.saved' : 'plan.unchanged') }
        return { redirect: eventPath(event.id, wish.title), flash }
      }
      const { changed, current } = outcome
      const own = { ...wish, groups: [...wish.groups, ...around.locked] }
      const merged = mergeValues(values, changed, own, seen, current)
      const meanwhile = { by: await getLastEditor(context, event.id), lines: eventLines(words, current, changed, around) }
      const shown = { values: merged, errors: [], isTyped: true, seen: seenOf(eventFacts(current)), meanwhile }
      return { ...(await showForm(request, sections, current, shown)), status: 409 }
    },
  })
