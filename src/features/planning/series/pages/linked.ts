import { refuseEvent } from '#features/events/events/queries/refusals.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { publishEvents } from '#features/planning/planning/commands/events.ts'
import { countNotifiedOf, findTypeChoices, getPlannedEvent } from '#features/planning/planning/queries/events.ts'
import { parseFormVersion } from '#features/planning/planning/rules/form-version.ts'
import { cancelForm, planForm } from '#features/planning/planning/schema.ts'
import { planAssets } from '#features/planning/planning/views/assets.ts'
import { faultErrors } from '#features/planning/shift-forms/views/fields.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { permission, signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type PageBody, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { Flash } from '#platform/ui/flash.ts'
import type { FormError } from '#platform/ui/form.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE, type FormValues, fieldValue, fieldValues } from '#platform/ui/form-values.ts'
import { applyChanges, endFollowing } from '../commands/change.ts'
import { changeRule } from '../commands/rule.ts'
import { undoStep } from '../commands/undo.ts'
import { findBinnedDates, findSeriesEvents, getSeries, getSeriesOf, type Series } from '../queries/series.ts'
import {
  changesOf,
  digestOf,
  type Effect,
  effectsOn,
  isOver,
  planDates,
  type Scope,
  type SeriesChange,
  type SeriesEvent,
  targetsOf,
} from '../rules/linking.ts'
import { readDates, ruleValues } from '../rules/recurrence.ts'
import { readRrule } from '../rules/rrule.ts'
import { stepForm } from '../schema.ts'
import { applyView } from '../views/apply.ts'
import { dayText, ruleText } from '../views/rule.ts'
import { endView, ruleView, seriesMemberPath, seriesPath, seriesView, UNDO_STEP } from '../views/series.ts'

type Linked = { series: Series; members: SeriesEvent[]; source: SeriesEvent }

/** The series of an event that the reader may change: 403 for events that they only see, 404 for events without a series. */
async function requireLinked({ context, path }: PageRequest<{ event: number }>): Promise<Linked> {
  const { db, actor } = context
  if (!(await getPlannedEvent(db, actor, path.event))) throw await refuseEvent(db, actor, path.event)
  const series = await getSeriesOf(db, path.event)
  const members = series ? await findSeriesEvents(db, actor, series.id) : []
  const source = members.find(({ event }) => event.id === path.event)
  if (!series || !source) throw new Problem('not_found')
  return { series, members, source }
}

const breadcrumbOf = ({ words }: RequestContext, { series, source }: Linked) => [
  { href: seriesPath(series.id), label: words.t('series.series') },
  { href: eventPath(source.event.id, source.event.title), label: source.event.title },
]

const undoOf = (step: number): Flash['undo'] => ({ action: UNDO_STEP, fields: { step: String(step) } })

/** The rule in words; single dates have none. */
function describeSeries({ words }: RequestContext, { start, rrule, exdates, rdates }: Series): string {
  const rule = rrule === null ? undefined : readRrule(start, rrule)
  return [
    ...(rule ? [ruleText(words, rule)] : []),
    ...(exdates.length
      ? [words.t('series.rule.except', { dates: words.list(exdates.map((date) => dayText(words, date))) })]
      : []),
    ...(rdates.length ? [words.t('series.rule.also', { dates: words.list(rdates.map((date) => dayText(words, date))) })] : []),
  ].join('; ')
}

const seriesPage = viewPage({
  path: '/series/{id}/',
  access: signedIn,
  show: async ({ context, path, csrfToken }) => {
    const { db, actor, words, now, site } = context
    const series = await getSeries(db, path.id)
    const members = series ? await findSeriesEvents(db, actor, series.id) : []
    // 404 for everybody who may change none of its events.
    if (!series || !members.length) throw new Problem('not_found')
    const rows = members.map((member) => ({
      member,
      own: changesOf(member, site.timeZone),
      isOver: isOver(member, now),
    }))
    const may = { add: hasPermission(actor, 'add_event'), delete: hasPermission(actor, 'delete_event') }
    const main = seriesView({ words, now, csrfToken, seriesId: series.id, rule: describeSeries(context, series), rows, may })
    return { title: words.t('series.series'), main, breadcrumb: [{ href: '/events/', label: words.t('event.list') }] }
  },
})

const publishSeriesPage = actionPage({
  path: '/series/{id}/publish/',
  access: permission('add_event'),
  form: emptyForm,
  submit: async ({ context, commandContext, path }) => {
    const { words, db, actor } = context
    const members = await findSeriesEvents(db, actor, path.id)
    if (!members.length) throw new Problem('not_found')
    const drafts = members.filter(({ event }) => !event.active).map(({ event }) => event.id)
    const { published, left } = await publishEvents(commandContext, drafts)
    const text = [
      words.t('series.copies_published', { count: published }),
      ...(left ? [words.t('series.copies_left', { count: left })] : []),
    ].join(' ')
    return { redirect: seriesPath(path.id), flash: { kind: left ? 'warn' : 'good', text } }
  },
})

const readScope = (text: string): Scope => (text === 'all' ? 'all' : 'following')

type Shown = { values: FormValues; status?: number; notice?: string | undefined }

/** What the preview showed, so that nothing else is applied. */
const shownAs = (scope: Scope, changes: readonly SeriesChange[]): string => [scope, ...changes.map(({ id }) => id)].join(' ')

async function applyBody(
  request: PageRequest<{ event: number }>,
  linked: Linked,
  { values, status, notice }: Shown,
): Promise<PageBody> {
  const { context, csrfToken } = request
  const { words, now, site, db, actor } = context
  const { members, source } = linked
  const scope = readScope(fieldValue(values, 'scope'))
  const offered = changesOf(source, site.timeZone)
  const changes = offered.filter(({ id }) => fieldValues(values, 'changes').includes(id))
  const overwrite = new Set(fieldValues(values, 'overwrite').map(Number))
  const rows = targetsOf(members, source, scope, now).map((member) => ({
    member,
    isOverwritten: overwrite.has(member.event.id),
    effects: effectsOn(member, { source, changes, overwrite: false, timeZone: site.timeZone }),
    final: effectsOn(member, { source, changes, overwrite: overwrite.has(member.event.id), timeZone: site.timeZone }),
  }))
  const [notified, types] = await Promise.all([
    countNotifiedOf(
      db,
      actor,
      rows.flatMap(({ member, final }) => notifiedShifts(member, final)),
    ),
    findTypeChoices(context, source.event.typeId),
  ])
  const seen = Object.fromEntries(members.map((member) => [member.event.id, digestOf(member, site.timeZone)]))
  const main = applyView({
    words,
    now,
    csrfToken,
    action: seriesMemberPath(source.event.id, 'apply'),
    source,
    series: members.length,
    scope,
    offered,
    removedShifts: new Map(
      members.flatMap(({ shifts, generated }) =>
        generated.shifts.flatMap(({ id, key }) => {
          const shift = shifts.find((each) => each.id === id)
          return shift ? [[key, shift] as const] : []
        }),
      ),
    ),
    chosen: new Set(changes.map(({ id }) => id)),
    rows,
    notified,
    types,
    over: members.filter((member) => isOver(member, now)).length,
    seen: JSON.stringify(seen),
    shown: shownAs(scope, changes),
    notice,
  })
  return {
    title: words.t('series.apply'),
    main,
    breadcrumb: breadcrumbOf(context, linked),
    ...(status ? { status } : {}),
    ...planAssets(),
  }
}

/** Shifts whose participants hear of a new time or place. */
function notifiedShifts(member: SeriesEvent, effects: readonly Effect[]): number[] {
  const applied = effects.filter(({ does }) => does === 'apply')
  if (applied.some(({ change }) => change.kind === 'event' && change.part === 'location'))
    return member.shifts.map(({ id }) => id)
  return applied.flatMap(({ change, shift }) => (change.kind === 'shift' && change.part === 'times' && shift ? [shift.id] : []))
}

const applyPage: Page = formPage({
  path: '/events/{event}/series/apply/',
  access: signedIn,
  form: planForm,
  show: async (request, refused) => {
    const linked = await requireLinked(request)
    const asked = (request.query.get('changes') ?? '').split(',').filter(Boolean)
    const all = changesOf(linked.source, request.context.site.timeZone).map(({ id }) => id)
    const changes = asked.length ? asked : all
    return applyBody(request, linked, { values: refused?.values ?? { scope: 'following', changes } })
  },
  submit: async (request, values) => {
    const { words, site } = request.context
    const linked = await requireLinked(request)
    const scope = readScope(fieldValue(values, 'scope'))
    const ids = fieldValues(values, 'changes')
    const changes = changesOf(linked.source, site.timeZone).filter(({ id }) => ids.includes(id))
    if (fieldValue(values, 'do') !== 'apply') return applyBody(request, linked, { values })
    if (fieldValue(values, 'shown') !== shownAs(scope, changes))
      return applyBody(request, linked, { values, notice: words.t('series.look_again') })
    const outcome = await applyChanges(request.commandContext, {
      eventId: linked.source.event.id,
      scope,
      changes: ids,
      overwrite: fieldValues(values, 'overwrite').map(Number),
      seen: parseFormVersion(fieldValue(values, 'seen')),
    })
    if (!outcome.ok) {
      const now = await requireLinked(request)
      const notice = words.t(outcome.reason === 'stale' ? 'series.source_changed' : 'series.nothing_chosen')
      return applyBody(request, now, { values, status: outcome.reason === 'stale' ? 409 : 422, notice })
    }
    const { changed, skipped, stale, notified, step } = outcome
    const text = [
      words.t('series.applied', { count: changed }),
      ...(skipped ? [words.t('series.applied_skipped', { count: skipped })] : []),
      ...(stale ? [words.t('series.applied_stale', { count: stale })] : []),
      ...(notified ? [words.t('plan.notified', { count: notified })] : []),
    ].join(' ')
    const kind = skipped || stale ? 'warn' : 'good'
    return { redirect: seriesPath(linked.series.id), flash: { kind, text, undo: undoOf(step) } }
  },
})

const undoStepPage = actionPage({
  path: UNDO_STEP,
  access: signedIn,
  form: stepForm,
  submit: async ({ context, commandContext }, { step }) => {
    const { words } = context
    const { eventId, undone, left } = await undoStep(commandContext, { step })
    const text = [
      words.t('series.undone', { count: undone }),
      ...(left ? [words.t('series.undone_left', { count: left })] : []),
    ].join(' ')
    const series = await getSeriesOf(commandContext.db, eventId)
    return { redirect: series ? seriesPath(series.id) : '/events/', flash: { kind: left ? 'warn' : 'good', text } }
  },
})

const following = ({ members, source }: Linked, now: Date): SeriesEvent[] =>
  members.filter((member) => member.date >= source.date && !isOver(member, now))

const cancelFollowingPage: Page = formPage({
  path: '/events/{event}/series/cancel/',
  access: signedIn,
  form: cancelForm.schema,
  show: async (request, refused) => {
    const { words, now } = request.context
    const linked = await requireLinked(request)
    const state = refused ?? EMPTY_STATE
    const main = endView({
      words,
      now,
      how: 'cancel',
      csrfToken: request.csrfToken,
      source: linked.source,
      events: following(linked, now),
      state,
    })
    return { title: words.t('series.cancel_following'), main, breadcrumb: breadcrumbOf(request.context, linked) }
  },
  submit: async (request, { reason }) => {
    const { words } = request.context
    const { series, source } = await requireLinked(request)
    const { step, ended, left } = await endFollowing(request.commandContext, {
      eventId: source.event.id,
      end: { how: 'cancel', reason },
    })
    const text = [
      words.t('series.cancelled', { count: ended }),
      ...(left ? [words.t('series.cancelled_left', { count: left })] : []),
    ].join(' ')
    return { redirect: seriesPath(series.id), flash: { kind: 'info', text, undo: undoOf(step) } }
  },
})

const deleteFollowingPage: Page = formPage({
  path: '/events/{event}/series/delete/',
  access: permission('delete_event'),
  form: emptyForm,
  show: async (request) => {
    const { words, now } = request.context
    const linked = await requireLinked(request)
    const main = endView({
      words,
      now,
      how: 'delete',
      csrfToken: request.csrfToken,
      source: linked.source,
      events: following(linked, now),
      state: EMPTY_STATE,
    })
    return { title: words.t('series.delete_following'), main, breadcrumb: breadcrumbOf(request.context, linked) }
  },
  submit: async (request) => {
    const { source } = await requireLinked(request)
    const { step, ended } = await endFollowing(request.commandContext, { eventId: source.event.id, end: { how: 'delete' } })
    const text = request.context.words.t('series.deleted', { count: ended })
    return { redirect: '/events/', flash: { kind: 'info', text, undo: undoOf(step) } }
  },
})

const rulePage = (): Page => {
  const body = (request: PageRequest, linked: Linked, values: FormValues, errors: readonly FormError[]): PageBody => {
    const { context, csrfToken } = request
    const { words, now, actor } = context
    const chosen = readDates({ ...values, linked: 'on' })
    const mayDelete = hasPermission(actor, 'delete_event')
    const { added, removed, kept } = planDates(linked.members, chosen.dates, { now, mayDelete })
    const main = ruleView({
      words,
      values,
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
  return formPage({
    path: '/events/{event}/series/rule/',
    access: permission('add_event'),
    form: planForm,
    show: async (request, refused) => {
      const linked = await requireLinked(request)
      if (refused) return body(request, linked, refused.values, refused.errors)
      const { series } = linked
      const binned = await findBinnedDates(request.context.db, series.id)
      const rule = series.rrule === null ? undefined : readRrule(series.start, series.rrule)
      // Events before the first date of the rule, such as the one that was copied.
      const before = linked.members.map(({ date }) => date).filter((date) => date < series.start)
      const singles = [...new Set([...before, ...series.rdates])].sort()
      const skipped = [...new Set([...series.exdates, ...binned])].sort()
      return body(request, linked, ruleValues(series.start, rule, singles, skipped), [])
    },
    submit: async (request, values) => {
      const { words } = request.context
      const linked = await requireLinked(request)
      if (fieldValue(values, 'do') !== 'save') return body(request, linked, values, [])
      const chosen = readDates({ ...values, linked: 'on' })
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
}

export const linkedPages: Page[] = [
  seriesPage,
  publishSeriesPage,
  applyPage,
  undoStepPage,
  cancelFollowingPage,
  deleteFollowingPage,
  rulePage(),
]
