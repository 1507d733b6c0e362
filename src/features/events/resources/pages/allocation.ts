import { dayOf } from '#features/accounts/users/rules.ts'
import { refuseShift } from '#features/events/events/queries/refusals.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import { html } from '#platform/html/html.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { addDays, mondayOf, readDay, startOfDay } from '#platform/i18n/days.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { fieldValues } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { allocateResources } from '../commands.ts'
import {
  type AllocatedShift,
  findAllocatedIds,
  findCategories,
  findOverlaps,
  findResources,
  findUses,
  getAllocatedShift,
} from '../queries.ts'
import { allocationForm } from '../schema.ts'
import { allocationFields, allocationPath, RESOURCES, WEEK, weekView } from '../views.ts'
import { crumbs } from './categories.ts'

/** For people who plan events, too: they need to know what is free. */
export const weekPage = viewPage({
  path: WEEK,
  access: signedIn,
  show: async ({ context, query }) => {
    const { words, now, db, actor, site } = context
    if (!hasPermission(actor, 'view_resource') && !hasPermission(actor, 'add_event')) throw new Problem('permission_denied')
    const monday = mondayOf(readDay(query.get('from')) ?? dayOf(now, site.timeZone))
    const chosen = query.get('resource') ?? ''
    const [categories, resources, uses] = await Promise.all([
      findCategories(db),
      findResources(db),
      findUses(context, startOfDay(monday, site.timeZone), startOfDay(addDays(monday, 7), site.timeZone)),
    ])
    const resource = resources.find(({ id }) => String(id) === chosen)?.id
    const main = weekView({ words, now, categories, resources, resource, monday, uses })
    return {
      title: words.t('resources.week'),
      breadcrumb: hasPermission(actor, 'view_resource') ? crumbs(words) : [],
      main,
      wide: true,
    }
  },
})

async function requireShift({ context, path }: PageRequest<{ shift: number }>): Promise<AllocatedShift> {
  const shift = await getAllocatedShift(context, path.shift)
  if (!shift) throw await refuseShift(context.db, context.actor, path.shift)
  return shift
}

export const allocationPage = formPage({
  path: '/shifts/{shift}/resources/',
  access: signedIn,
  form: allocationForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken } = request
    const { words, db, now } = context
    const shift = await requireShift(request)
    const [categories, resources, stored, overlaps] = await Promise.all([
      findCategories(db),
      findResources(db),
      findAllocatedIds(db, shift.id),
      findOverlaps(context, shift),
    ])
    const title = words.t('resources.of_shift')
    const back = `${eventPath(shift.eventId, shift.eventTitle)}#shift-${shift.id}`
    const state = refused ?? allocationForm.state({ resources: stored })
    const chosen = fieldValues(state.values, 'resources')
    const form = allocationForm.view({
      words,
      csrfToken,
      state,
      action: allocationPath(shift.id),
      submit: words.t('resources.save'),
      cancel: { href: back },
      layout: () => allocationFields({ words, categories, resources, chosen, overlaps }),
    })
    const span = words.span(shift.start, shift.end, now)
    const manage =
      hasPermission(context.actor, 'view_resource') && linkButtonView({ href: RESOURCES, label: words.t('resources.list') })
    return {
      title,
      breadcrumb: [{ href: eventPath(shift.eventId, shift.eventTitle), label: shift.eventTitle }],
      main: html`${pageHeadView({ title, facts: shift.label ? `${shift.label}, ${span}` : span })}${
        resources.length ? form : emptyView({ icon: 'truck', text: words.t('resources.none_to_choose'), action: manage })
      }`,
    }
  },
  submit: async (request, { resources }) => {
    const { context, commandContext, path } = request
    const { words } = context
    const { eventId, eventTitle, id } = await requireShift(request)
    const outcome = await allocateResources(commandContext, path.shift, resources)
    if (!outcome) throw await refuseShift(context.db, context.actor, path.shift)
    if (!outcome.ok) return { refused: [{ text: words.t('resources.unknown') }], status: 409 }
    return {
      redirect: `${eventPath(eventId, eventTitle)}#shift-${id}`,
      flash: outcome.isChanged
        ? { kind: 'good', text: words.t('resources.allocated') }
        : { kind: 'info', text: words.t('resources.unchanged') },
    }
  },
})
