import { eventPath } from '#features/events/events/rules/slug.ts'
import { canRestore, KEPT_HOURS } from '#features/planning/removed-shifts/rules.ts'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageRequest } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { cancelShift, deleteShift, restoreShift } from '../commands/removals.ts'
import { findNotifiedPeople, getRemovedShift } from '../queries/removed-shifts.ts'
import { findFollowers, requirePlannedShift } from '../queries/shifts.ts'
import { cancelShiftForm } from '../schema.ts'
import { formatShiftName, shiftPlanPath } from '../views/editor.ts'
import { cancelShiftView, notifiedView, removedName } from '../views/removals.ts'
import { notifiedText } from '../views/saved.ts'

const cancelPage = formPage({
  path: '/shifts/{shift}/cancel/',
  access: signedIn,
  form: cancelShiftForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken } = request
    const { words } = context
    const { shift, event } = await requirePlannedShift(context, request.path.shift)
    const path = eventPath(event.id, event.title)
    const main = cancelShiftView({
      words,
      csrfToken,
      action: shiftPlanPath(shift.id, 'cancel'),
      name: formatShiftName(words, shift),
      back: path,
      notified: await findNotifiedPeople(context, { shiftId: shift.id, from: 'participation' }),
      followers: (await findFollowers(context.db, shift.id)).length,
      state: refused ?? cancelShiftForm.state({}),
    })
    return { title: words.t('plan.cancel_shift_title'), main, breadcrumb: [{ href: path, label: event.title }] }
  },
  submit: async (request, { reason }) => {
    const { context, commandContext } = request
    const { words } = context
    const shiftId = request.path.shift
    const { event } = await requirePlannedShift(context, shiftId)
    const notified = await findNotifiedPeople(context, { shiftId, from: 'participation' })
    const outcome = await cancelShift(commandContext, { shiftId, reason })
    if (!outcome.ok) return { refused: [{ field: 'reason', text: words.t('plan.last_shift_cancel') }] }
    const redirect = eventPath(event.id, event.title)
    const text = `${words.t('plan.shift_cancelled')} ${notifiedText(words, notified.length)}`
    return { redirect, flash: { kind: 'info', text, undo: { action: shiftPlanPath(shiftId, 'restore') } } }
  },
})

const deletePage = formPage({
  path: '/shifts/{shift}/delete/',
  access: signedIn,
  form: emptyForm,
  show: async (request) => {
    const { context } = request
    const { words } = context
    const { shift, event } = await requirePlannedShift(context, request.path.shift)
    const followers = await findFollowers(context.db, shift.id)
    const path = eventPath(event.id, event.title)
    const title = words.t('plan.delete_shift_title')
    const main = confirmView({
      words,
      title,
      text: formatShiftName(words, shift),
      csrfToken: request.csrfToken,
      cancel: { href: path },
      action: shiftPlanPath(shift.id, 'delete'),
      submit: words.t('plan.delete_shift_submit'),
      consequences: [
        ...(shift.confirmed ? [words.t('plan.delete_confirmed', { count: shift.confirmed })] : []),
        ...(shift.requested ? [words.t('plan.delete_requested', { count: shift.requested })] : []),
        ...(followers.length ? [words.t('plan.delete_followers', { count: followers.length })] : []),
        words.t('plan.delete_shift_day', { hours: KEPT_HOURS }),
      ],
      details: notifiedView(words, 'deleted', await findNotifiedPeople(context, { shiftId: shift.id, from: 'participation' })),
    })
    return { title, main, breadcrumb: [{ href: path, label: event.title }] }
  },
  submit: async (request) => {
    const { context } = request
    const { words } = context
    const { shift, event } = await requirePlannedShift(context, request.path.shift)
    const notified = await findNotifiedPeople(context, { shiftId: shift.id, from: 'participation' })
    const outcome = await deleteShift(request.commandContext, { shiftId: shift.id })
    const redirect = eventPath(event.id, event.title)
    if (!outcome.ok) return { redirect, flash: { kind: 'warn', text: words.t('plan.last_shift') } }
    const text = `${words.t('plan.shift_deleted')} ${notifiedText(words, notified.length)}`
    return { redirect, flash: { kind: 'info', text, undo: { action: shiftPlanPath(shift.id, 'restore') } } }
  },
})

const restorePage = formPage({
  path: '/shifts/{shift}/restore/',
  access: signedIn,
  form: emptyForm,
  show: async (request) => {
    const { context } = request
    const { words, now } = context
    const shiftId = request.path.shift
    const removed = await getRemovedShift(context.db, context.actor, shiftId)
    if (!removed) return { redirect: await findEventPath(request) }
    const path = eventPath(removed.eventId, removed.eventTitle)
    if (!canRestore(removed, now)) throw new Problem('not_found')
    const title = words.t('plan.restore_shift_title')
    const main = confirmView({
      words,
      title,
      text: removedName(words, removed),
      csrfToken: request.csrfToken,
      cancel: { href: path },
      action: shiftPlanPath(shiftId, 'restore'),
      submit: words.t('plan.restore_shift'),
      danger: false,
      consequences: [words.t('plan.restore_shift_as_before')],
      details: notifiedView(words, 'restored', await findNotifiedPeople(context, { shiftId, from: 'removed_participation' })),
    })
    return { title, main, breadcrumb: [{ href: path, label: removed.eventTitle }] }
  },
  submit: async (request) => {
    const { context, commandContext } = request
    const { words } = context
    const shiftId = request.path.shift
    const removed = await getRemovedShift(context.db, context.actor, shiftId)
    const outcome = await restoreShift(commandContext, { shiftId })
    if (outcome.ok)
      return { redirect: await findEventPath(request), flash: { kind: 'good', text: words.t('plan.shift_restored') } }
    const redirect = eventPath(removed!.eventId, removed!.eventTitle)
    return { redirect, flash: { kind: 'warn', text: words.t('plan.restore_too_late') } }
  },
})

/** Of a shift that is restored. */
async function findEventPath({ context, path }: PageRequest<{ shift: number }>): Promise<string> {
  const { event } = await requirePlannedShift(context, path.shift)
  return eventPath(event.id, event.title)
}

export const removalPages: Page[] = [cancelPage, deletePage, restorePage]
