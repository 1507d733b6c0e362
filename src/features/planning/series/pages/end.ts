import { cancelForm } from '#features/planning/planning/schema.ts'
import { permission, signedIn } from '#platform/http/access.ts'
import { formPage, type Page } from '#platform/http/page.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { EMPTY_STATE } from '#platform/ui/form-values.ts'
import { endFollowing } from '../commands/change.ts'
import { isOver, type SeriesEvent } from '../rules/linking.ts'
import { endView, seriesPath } from '../views/series.ts'
import { breadcrumbOf, type Linked, requireLinked, undoOf } from './require-linked.ts'

const following = ({ members, source }: Linked, now: Date): SeriesEvent[] =>
  members.filter((member) => member.date >= source.date && !isOver(member, now))

export const cancelFollowingPage: Page = formPage({
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

export const deleteFollowingPage: Page = formPage({
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
