import { eventPath } from '#features/events/events/rules/slug.ts'
import { publishEvents } from '#features/planning/planning/commands/events.ts'
import { getCopiedEvent } from '#features/planning/planning/queries/events.ts'
import { requirePlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { planForm } from '#features/planning/planning/schema.ts'
import { planAssets } from '#features/planning/planning/views/assets.ts'
import { formatShiftName, planPath, shiftPlanPath } from '#features/planning/planning/views/editor.ts'
import { faultErrors } from '#features/planning/shift-forms/views/fields.ts'
import { permission, signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { FormError } from '#platform/ui/form.ts'
import { type FormValues, fieldValue, isChecked } from '#platform/ui/form-values.ts'
import { copyShift, duplicateEvent } from '../commands/copies.ts'
import { createSeries } from '../commands/link.ts'
import { findCopies } from '../queries/copies.ts'
import { readIdRanges, writeIdRanges } from '../rules/id-ranges.ts'
import { dayOf } from '../rules/moving-dates.ts'
import { readDates, readDayFields, recurrenceValues } from '../rules/recurrence.ts'
import { copiesForm } from '../schema.ts'
import { COPIES, type CopyData, copiesView, copyView } from '../views/copies.ts'
import { dayText, ruleText } from '../views/rule.ts'
import { seriesPath } from '../views/series.ts'

type Frame = Pick<CopyData, 'action' | 'title' | 'facts' | 'intro' | 'firstHelp' | 'back' | 'canLink'>

function copyBody({ context, csrfToken }: PageRequest, frame: Frame, values: FormValues, errors: readonly FormError[]): PageBody {
  const { words, now } = context
  const today = words.inputDate(now)
  const chosen = readDates(values, today)
  const dates = chosen.dates.map((date) => dayText(words, date))
  const rule = chosen.dates.length && chosen.rule ? ruleText(words, chosen.rule) : undefined
  const breadcrumb = [{ href: frame.back, label: frame.facts }]
  return {
    title: frame.title,
    main: copyView({ words, values: readDayFields(values, today), errors, csrfToken, dates, rule, ...frame }),
    breadcrumb,
    ...planAssets(),
  }
}

/** Suggests one week later. */
const suggested = (at: Date | null, now: Date, timeZone: string): FormValues =>
  recurrenceValues(dayOf(new Date((at ?? now).getTime() + 7 * 24 * 3600_000), timeZone))

async function requireSource({ context, path }: PageRequest<{ event: number }>) {
  const event = requireFound(await getCopiedEvent(context.db, context.actor, path.event))
  const { words } = context
  const frame = {
    action: planPath(event.id, 'duplicate'),
    title: words.t('series.duplicate'),
    facts: event.title,
    intro: words.t('series.duplicate_intro'),
    firstHelp: words.t('series.first_help'),
    canLink: true,
    back: eventPath(event.id, event.title),
  }
  return { event, frame }
}

const duplicatePage = formPage({
  path: '/events/{event}/duplicate/',
  access: permission('add_event'),
  form: planForm,
  show: async (request, refused) => {
    const { event, frame } = await requireSource(request)
    const values = refused?.values ?? {
      ...suggested(event.start, request.context.now, request.context.words.timeZone),
      linked: 'on',
    }
    return copyBody(request, frame, values, refused?.errors ?? [])
  },
  submit: async (request, values) => {
    const { words, now } = request.context
    const { event, frame } = await requireSource(request)
    if (fieldValue(values, 'do') !== 'copy') return copyBody(request, frame, values, [])
    const chosen = readDates(values, words.inputDate(now))
    if (chosen.faults.length) return { refused: faultErrors(words, chosen.faults) }
    if (isChecked(values, 'linked') && chosen.dates.length > 1) {
      const { seriesId, copies } = await createSeries(request.commandContext, { eventId: event.id, chosen })
      const text = words.t('series.linked', { count: copies.length })
      return { redirect: seriesPath(seriesId), flash: { kind: 'good', text } }
    }
    const copies = await duplicateEvent(request.commandContext, { eventId: event.id, dates: chosen.dates })
    const only = copies.length === 1 ? copies[0] : undefined
    return {
      redirect: only === undefined ? copiesPath(copies) : eventPath(only, event.title),
      flash: { kind: 'good', text: words.t('series.copied', { count: copies.length }) },
    }
  },
})

const MAX_COPIES = 1000

export const copiesPath = (ids: readonly number[]): string => `${COPIES}?ids=${writeIdRanges(ids)}`

/** The copies that were just made, with one button that publishes those that are still drafts. */
const copiesPage = viewPage({
  path: COPIES,
  access: permission('add_event'),
  show: async ({ context, query, csrfToken }) => {
    const { words } = context
    const copies = await findCopies(context, readIdRanges(query.get('ids') ?? '', MAX_COPIES))
    const title = words.t('series.copies')
    const breadcrumb = [{ href: '/events/', label: words.t('event.list') }]
    return { title, main: copiesView({ words, now: context.now, csrfToken, copies }), breadcrumb }
  },
})

const publishCopiesPage = actionPage({
  path: `${COPIES}publish/`,
  access: permission('add_event'),
  form: copiesForm,
  submit: async ({ context, commandContext }, { ids }) => {
    const { words } = context
    const copies = await findCopies(context, readIdRanges(ids, MAX_COPIES))
    const drafts = copies.filter(({ active }) => !active).map(({ id }) => id)
    const { published, left } = await publishEvents(commandContext, drafts)
    const text = [
      words.t('series.copies_published', { count: published }),
      ...(left ? [words.t('series.copies_left', { count: left })] : []),
    ].join(' ')
    return { redirect: copiesPath(copies.map(({ id }) => id)), flash: { kind: left ? 'warn' : 'good', text } }
  },
})

async function requireShiftSource(request: PageRequest<{ shift: number }>) {
  const { words } = request.context
  const { shift, event } = await requirePlannedShift(request.context, request.path.shift)
  const frame = {
    action: shiftPlanPath(shift.id, 'copy'),
    title: words.t('series.copy_shift'),
    facts: formatShiftName(words, shift),
    intro: words.t('series.copy_intro'),
    firstHelp: words.t('series.first_help_shift'),
    canLink: false,
    back: eventPath(event.id, event.title),
  }
  return { shift, event, frame }
}

const copyShiftPage: Page = formPage({
  path: '/shifts/{shift}/copy/',
  access: signedIn,
  form: planForm,
  show: async (request, refused) => {
    const { shift, frame } = await requireShiftSource(request)
    const values = refused?.values ?? suggested(shift.times.start, request.context.now, request.context.words.timeZone)
    return copyBody(request, frame, values, refused?.errors ?? [])
  },
  submit: async (request, values) => {
    const { words, now } = request.context
    const { shift, event, frame } = await requireShiftSource(request)
    if (fieldValue(values, 'do') !== 'copy') return copyBody(request, frame, values, [])
    const { dates, faults } = readDates(values, words.inputDate(now))
    if (faults.length) return { refused: faultErrors(words, faults) }
    const made = await copyShift(request.commandContext, { shiftId: shift.id, dates })
    const text = words.t('series.shifts_copied', { count: made.length })
    return { redirect: eventPath(event.id, event.title), flash: { kind: 'good', text } }
  },
})

export const copyPages: Page[] = [duplicatePage, copiesPage, publishCopiesPage, copyShiftPage]
