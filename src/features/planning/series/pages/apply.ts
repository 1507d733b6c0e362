import { countNotifiedOf, findTypeChoices } from '#features/planning/planning/queries/events.ts'
import { parseFormVersion } from '#features/planning/planning/rules/form-version.ts'
import { planForm } from '#features/planning/planning/schema.ts'
import { planAssets } from '#features/planning/planning/views/assets.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { type FormValues, fieldValue, fieldValues } from '#platform/ui/form-values.ts'
import { applyChanges } from '../commands/change.ts'
import {
  changesOf,
  digestOf,
  type Effect,
  effectsOn,
  isOver,
  type Scope,
  type SeriesChange,
  type SeriesEvent,
  targetsOf,
} from '../rules/linking.ts'
import { applyView } from '../views/apply.ts'
import { seriesMemberPath, seriesPath } from '../views/series.ts'
import { breadcrumbOf, type Linked, requireLinked, undoOf } from './require-linked.ts'

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

export const applyPage: Page = formPage({
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
