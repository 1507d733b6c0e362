import { publishEvents } from '#features/planning/planning/commands/events.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { permission, signedIn } from '#platform/http/access.ts'
import { actionPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { undoStep } from '../commands/undo.ts'
import { findSeriesEvents, getSeries, getSeriesOf, type Series } from '../queries/series.ts'
import { changesOf, isOver } from '../rules/linking.ts'
import { readRrule } from '../rules/rrule.ts'
import { stepForm } from '../schema.ts'
import { dayText, ruleText } from '../views/rule.ts'
import { seriesPath, seriesView, UNDO_STEP } from '../views/series.ts'
import { applyPage } from './apply.ts'
import { cancelFollowingPage, deleteFollowingPage } from './end.ts'
import { rulePage } from './rule.ts'

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

export const linkedPages: Page[] = [
  seriesPage,
  publishSeriesPage,
  applyPage,
  undoStepPage,
  cancelFollowingPage,
  deleteFollowingPage,
  rulePage,
]
