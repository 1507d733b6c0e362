import { findTypeChoices } from '#features/planning/planning/queries/events.ts'
import { planForm } from '#features/planning/planning/schema.ts'
import { planAssets } from '#features/planning/planning/views/assets.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { permission } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import type { FormError } from '#platform/ui/form.ts'
import { type FormValues, fieldValue, fieldValues } from '#platform/ui/form-values.ts'
import { copyMonth, undoCopies } from '../commands/months.ts'
import { findKnownStarts, findSourceEvents, spanOfMonths } from '../queries/months.ts'
import { readIdRanges, writeIdRanges } from '../rules/id-ranges.ts'
import {
  MAX_MONTH_COPIES,
  type MonthChoice,
  monthsFrom,
  planCopies,
  readChosen,
  readMonthChoice,
  signatureOf,
  writeChosen,
} from '../rules/months.ts'
import { dayOf } from '../rules/moving-dates.ts'
import { copiesForm } from '../schema.ts'
import { COPY_MONTH, copyMonthView } from '../views/months.ts'
import { copiesPath } from './copies.ts'

const MONTHS_BACK = 24
const MONTHS_AHEAD = 24

/** Months to choose from, with the chosen one. */
function monthsAround(today: string, chosen: string): string[] {
  const first = monthsFrom(today, 1)[0]!
  const back = Array.from({ length: MONTHS_BACK }, (_, index) => monthsBefore(first, MONTHS_BACK - index))
  return [...new Set([...back, ...monthsFrom(first, MONTHS_AHEAD), chosen])].sort()
}

const monthsBefore = (month: string, count: number): string => {
  const [year = 0, number = 0] = month.split('-').map(Number)
  const index = year * 12 + number - 1 - count
  return `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`
}

const thisMonth = ({ context }: PageRequest): string => dayOf(context.now, context.site.timeZone).slice(0, 7)

const valuesOf = ({ source, target, months, mapping, type }: MonthChoice): FormValues => ({
  source,
  target,
  months: String(months),
  mapping,
  type: type === undefined ? '' : String(type),
})

async function bodyOf(request: PageRequest, values: FormValues, errors: readonly FormError[]): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, site, now } = context
  const today = thisMonth(request)
  const { choice } = readMonthChoice(values, today)
  const { events, cancelled } = await findSourceEvents(context, spanOfMonths(choice.source, 1, site.timeZone), choice.type)
  const known = await findKnownStarts(context, spanOfMonths(choice.target, choice.months, site.timeZone))
  const { copies, leftOut } = planCopies(events, choice, { known, timeZone: site.timeZone })
  const signature = signatureOf(choice)
  const isShown = fieldValue(values, 'shown') === signature
  const usual = copies.filter((copy) => !copy.known && !copy.isLinked).map(writeChosen)
  return {
    title: words.t('series.month_title'),
    main: copyMonthView({
      words,
      now,
      csrfToken,
      errors,
      values: { ...valuesOf(choice), ...(errors.length ? values : {}) },
      sources: monthsAround(today, choice.source),
      targets: monthsAround(today, choice.target),
      types: await findTypeChoices(context, choice.type),
      signature,
      copies,
      leftOut,
      cancelled,
      checked: new Set(isShown ? fieldValues(values, 'copy') : usual),
    }),
    breadcrumb: [{ href: `/events/calendar/?month=${choice.source}`, label: words.t('frame.calendar') }],
    ...planAssets(),
  }
}

const copyMonthPage = formPage({
  path: COPY_MONTH,
  access: permission('add_event'),
  form: planForm,
  show: (request, refused) =>
    refused
      ? bodyOf(request, refused.values, refused.errors)
      : bodyOf(request, { source: request.query.get('month') ?? thisMonth(request) }, []),
  submit: async (request, values) => {
    const { words, actor } = request.context
    const { choice, faults } = readMonthChoice(values, thisMonth(request))
    if (faults.length) return { refused: faults.map(({ field, code }) => ({ field, text: words.t(code) })) }
    if (fieldValue(values, 'do') !== 'copy') return bodyOf(request, values, [])
    if (fieldValue(values, 'shown') !== signatureOf(choice)) return { refused: [{ text: words.t('series.month_look_first') }] }
    const chosen = fieldValues(values, 'copy').flatMap((text) => readChosen(text) ?? [])
    if (!chosen.length) return { refused: [{ text: words.t('series.month_choose') }] }
    if (chosen.length > MAX_MONTH_COPIES)
      return { refused: [{ text: words.t('series.month_too_many', { count: chosen.length, most: MAX_MONTH_COPIES }) }] }
    const { copies, skipped } = await copyMonth(request.commandContext, { choice, chosen })
    if (!copies.length) return { refused: [{ text: words.t('series.month_all_exist') }], status: 409 }
    const text = [
      words.t('series.copied', { count: copies.length }),
      ...(skipped ? [words.t('series.month_skipped', { count: skipped })] : []),
    ].join(' ')
    const undo = { action: `${COPY_MONTH}undo/`, fields: { ids: writeIdRanges(copies) } }
    return {
      redirect: copiesPath(copies),
      flash: { kind: 'good', text, ...(hasPermission(actor, 'delete_event') ? { undo } : {}) },
    }
  },
})

const undoPage = actionPage({
  path: `${COPY_MONTH}undo/`,
  access: permission('add_event'),
  form: copiesForm,
  submit: async ({ context, commandContext }, { ids }) => {
    const { words } = context
    const { undone, left } = await undoCopies(commandContext, readIdRanges(ids, MAX_MONTH_COPIES))
    const text = [
      words.t('series.month_undone', { count: undone }),
      ...(left ? [words.t('series.month_kept', { count: left })] : []),
    ].join(' ')
    return { redirect: '/events/calendar/', flash: { kind: left ? 'warn' : 'info', text } }
  },
})

export const monthPages: Page[] = [copyMonthPage, undoPage]
