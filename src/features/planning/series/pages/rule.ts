import { planForm } from '#features/planning/planning/schema.ts'
import { planAssets } from '#features/planning/planning/views/assets.ts'
import { faultErrors } from '#features/planning/shift-forms/views/fields.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { permission } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import type { FormError } from '#platform/ui/form.ts'
import { type FormValues, fieldValue } from '#platform/ui/form-values.ts'
import { changeRule } from '../commands/rule.ts'
import { findBinnedDates } from '../queries/series.ts'
import { planDates } from '../rules/linking.ts'
import { readDates, readDayFields, ruleValues } from '../rules/recurrence.ts'
import { readRrule } from '../rules/rrule.ts'
import { dayText, ruleText } from '../views/rule.ts'
import { ruleView, seriesMemberPath, seriesPath } from '../views/series.ts'
import { breadcrumbOf, type Linked, requireLinked, undoOf } from './require-linked.ts'

function ruleBody(request: PageRequest, linked: Linked, values: FormValues, errors: readonly FormError[]): PageBody {
  const { context, csrfToken } = request
  const { words, now, actor } = context
  const today = words.inputDate(now)
  const chosen = readDates({ ...values, linked: 'on' }, today)
  const mayDelete = hasPermission(actor, 'delete_event')
  const { added, removed, kept } = planDates(linked.members, chosen.dates, { now, mayDelete })
  const main = ruleView({
    words,
    values: readDayFields(values, today),
    errors,
    csrfToken,
    action: seriesMemberPath(linked.source.event.id, 'rule'),
    back: seriesPath(linked.series.id),
    title: linked.source.event.title,
    rule: chosen.dates.length && chosen.rule ? ruleText(words, chosen.rule) : undefined,
    dates: chosen.dates.map((date) => dayText(words, date)),
    ...(chosen.dates.length
      ? { added: added.map((date) => dayText(words, date)), removed, kept }
      : { added: [], removed: [], kept: [] }),
  })
  return { title: words.t('series.change_rule'), main, breadcrumb: breadcrumbOf(context, linked), ...planAssets() }
}

export const rulePage: Page = formPage({
  path: '/events/{event}/series/rule/',
  access: permission('add_event'),
  form: planForm,
  show: async (request, refused) => {
    const linked = await requireLinked(request)
    if (refused) return ruleBody(request, linked, refused.values, refused.errors)
    const { series } = linked
    const binned = await findBinnedDates(request.context.db, series.id)
    const rule = series.rrule === null ? undefined : readRrule(series.start, series.rrule)
    // Events before the first date of the rule, such as the one that was copied.
    const before = linked.members.map(({ date }) => date).filter((date) => date < series.start)
    const singles = [...new Set([...before, ...series.rdates])].sort()
    const skipped = [...new Set([...series.exdates, ...binned])].sort()
    return ruleBody(request, linked, ruleValues(series.start, rule, singles, skipped), [])
  },
  submit: async (request, values) => {
    const { words, now } = request.context
    const linked = await requireLinked(request)
    if (fieldValue(values, 'do') !== 'save') return ruleBody(request, linked, values, [])
    const chosen = readDates({ ...values, linked: 'on' }, words.inputDate(now))
    if (chosen.faults.length)
      return {
        refused: faultErrors(
          words,
          chosen.faults.map((fault) => (fault.field === 'linked' ? { ...fault, field: 'times' } : fault)),
        ),
      }
    const { added, removed, kept, step } = await changeRule(request.commandContext, {
      eventId: linked.source.event.id,
      chosen,
    })
    const text = [
      words.t('series.rule_changed'),
      ...(added.length ? [words.t('series.copied', { count: added.length })] : []),
      ...(removed ? [words.t('series.rule_removed', { count: removed })] : []),
      ...(kept ? [words.t('series.rule_kept', { count: kept })] : []),
    ].join(' ')
    return { redirect: seriesPath(linked.series.id), flash: { kind: kept ? 'warn' : 'good', text, undo: undoOf(step) } }
  },
})
