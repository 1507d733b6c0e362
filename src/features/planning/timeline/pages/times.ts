import { eventPath } from '#features/events/events/rules/slug.ts'
import { moveShift } from '#features/planning/planning/commands/shifts.ts'
import { timesVersion } from '#features/planning/planning/commands/store-shifts.ts'
import { countNotified, getLastEditor, type PlannedEvent } from '#features/planning/planning/queries/events.ts'
import { type PlannedShift, requirePlannedShift } from '#features/planning/planning/queries/shifts.ts'
import { parseFormVersion } from '#features/planning/planning/rules/form-version.ts'
import { notifiedText } from '#features/planning/planning/views/saved.ts'
import { seriesStep } from '#features/planning/series/queries/next-step.ts'
import { getSeriesOf } from '#features/planning/series/queries/series.ts'
import { moveTimes, type ShiftTimes } from '#features/planning/shift-forms/rules/shift-times.ts'
import { faultErrors } from '#features/planning/shift-forms/views/fields.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type PageBody, type PageRequest } from '#platform/http/page.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Flash } from '#platform/ui/flash.ts'
import type { FormError } from '#platform/ui/form.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { findOverlaps } from '../queries/overlaps.ts'
import { readChoice, timelineUrl, timesPath } from '../rules/choice.ts'
import { readTimes, readWish, timesValues } from '../rules/times.ts'
import { timesForm } from '../schema.ts'
import { timesView } from '../views/times.ts'
import { timelineHead } from './timeline.ts'

type Shown = { values: FormValues; errors: readonly FormError[]; to: ShiftTimes | undefined; version?: string; stale?: string }

const nameOf = (words: Words, { label, times }: Pick<PlannedShift, 'label' | 'times'>): string =>
  label || words.span(times.start, times.end)

async function showTimes(request: PageRequest, shift: PlannedShift, event: PlannedEvent, shown: Shown): Promise<PageBody> {
  const { context, csrfToken, query } = request
  const { words, now, db } = context
  const { values, errors, to, version, stale } = shown
  const choice = readChoice(query)
  const back = timelineUrl(event.id, choice)
  const [notified, { overlaps, count }, series] = await Promise.all([
    countNotified(db, context.actor, { shiftId: shift.id }),
    findOverlaps(context, shift.id, to ?? shift.times),
    getSeriesOf(db, event.id),
  ])
  return {
    title: words.t('timeline.times_title'),
    head: timelineHead(),
    breadcrumb: [
      { href: eventPath(event.id, event.title), label: event.title },
      { href: back, label: words.t('timeline.title') },
    ],
    main: timesView({
      words,
      now,
      csrfToken,
      action: timesPath(shift.id, choice),
      back,
      event: { title: event.title, isInSeries: series !== undefined },
      shift: { ...shift, name: nameOf(words, shift) },
      to,
      notified,
      overlaps,
      overlapCount: count,
      version: version ?? JSON.stringify(timesVersion(shift.times)),
      values,
      errors,
      stale,
    }),
  }
}

/** The times of one shift. Without scripts people type them here; the grid shows the form beside a block that was moved. */
export const timesPage = formPage({
  path: '/shifts/{shift}/times/',
  access: signedIn,
  form: timesForm,
  show: async (request, refused) => {
    const { context, path, query } = request
    const { timeZone } = context.words
    const { shift, event } = await requirePlannedShift(context, path.shift)
    if (refused) {
      const read = readTimes(refused.values, shift.times, timeZone)
      return showTimes(request, shift, event, {
        ...refused,
        to: read.ok ? read.times : undefined,
        version: fieldValue(refused.values, 'seen'),
      })
    }
    const to = moveTimes(shift.times, readWish(query) ?? shift.times)
    return showTimes(request, shift, event, { values: timesValues(to, timeZone), errors: [], to })
  },
  submit: async (request, values) => {
    const { context, commandContext, path, query } = request
    const { words } = context
    const { shift, event } = await requirePlannedShift(context, path.shift)
    const choice = readChoice(query)
    const grid = timelineUrl(event.id, choice)
    const read = readTimes(values, shift.times, words.timeZone)
    if (!read.ok) return { refused: faultErrors(words, read.faults) }
    const version = parseFormVersion(values.seen)
    const outcome = await moveShift(commandContext, { shiftId: shift.id, to: read.times, version })
    if (!outcome.ok && outcome.reason === 'leads_others')
      return { refused: faultErrors(words, [{ field: 'start', code: 'leads_others' }]) }
    if (!outcome.ok) {
      const stale = await staleText(request, outcome.current)
      if (values.in === 'grid') return { redirect: grid, flash: { kind: 'bad', text: stale } }
      const shown = { values, errors: [], to: moveTimes(outcome.current.times, read.times), stale }
      return { ...(await showTimes(request, outcome.current, event, shown)), status: 409 }
    }
    if (!outcome.hasChanged) return { redirect: grid, flash: { kind: 'info', text: words.t('plan.unchanged') } }
    const next = await seriesStep(commandContext, { eventId: event.id, shiftId: shift.id, fields: [] })
    const time = words.span(read.times.start, read.times.end, context.now)
    const name = nameOf(words, shift)
    const said = words.t(values.undo ? 'timeline.restored' : 'timeline.saved', { shift: name, time })
    const outside = outcome.outside ? [words.t('plan.outside', { count: outcome.outside })] : []
    const flash: Flash = {
      kind: outside.length ? 'warn' : 'good',
      text: [said, ...outside, notifiedText(words, outcome.notified)].join(' '),
      undo: values.undo
        ? undefined
        : {
            action: timesPath(shift.id, choice),
            fields: {
              ...(timesValues(shift.times, words.timeZone) as Record<string, string>),
              seen: JSON.stringify(timesVersion(read.times)),
              undo: '1',
              in: 'grid',
            },
          },
    }
    return { redirect: next ?? grid, flash }
  },
})

async function staleText({ context }: PageRequest, current: PlannedShift): Promise<string> {
  const { words, now } = context
  const time = words.span(current.times.start, current.times.end, now)
  const shift = current.label || words.t('timeline.shift')
  const name = await getLastEditor(context, current.eventId)
  return name === undefined ? words.t('timeline.stale', { shift, time }) : words.t('timeline.stale_by', { name, shift, time })
}
