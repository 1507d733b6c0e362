import { eventPath } from '#features/events/events/rules/slug.ts'
import { type Origin, originPath } from '#features/staffing/participations/rules/links.ts'
import { UNDO_SECONDS } from '#features/staffing/participations/rules/undo.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { reasonText } from '#features/staffing/staffing/views/reasons.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type Redirect, type UserRequest } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { joinWaitingList, leaveWaitingList, returnToWaitingList } from '../commands/join.ts'
import { offerOutOfOrder, removeFromWaitingList, setWaitingListMode } from '../commands/offer.ts'
import { waitingListPage as points } from '../points.ts'
import { requirePlanned, requireShift, type ShiftOfWaitingList } from '../queries/shift.ts'
import { findEntries, getWaitingListMode, type WaitingListEntry } from '../queries/waiting-list.ts'
import { returnPath, shiftNameOf, waitingListPath } from '../rules/links.ts'
import { modeForm, outOfOrderForm, ownEntryForm, returnForm } from '../schema.ts'
import { outOfOrderView, waitingListView } from '../views/waiting-list.ts'

const boardPath = (shiftId: number): string => `/shifts/${shiftId}/disposition/`

const waitingListPage = formPage({
  path: '/shifts/{shift}/line/',
  access: signedIn,
  form: modeForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken } = request
    const shift = await requirePlanned(request)
    const mode = await getWaitingListMode(context.db, shift.id)
    const sections = context.site.added(points.section).map((show) => show(context, shift.id, csrfToken))
    return {
      title: context.words.t('offers.line'),
      main: waitingListView({
        words: context.words,
        now: context.now,
        csrfToken,
        shift: { id: shift.id, title: shiftNameOf(shift), start: shift.start, end: shift.end, boardPath: boardPath(shift.id) },
        isOn: shift.hasWaitingLists,
        isInstant: shift.isInstant,
        mode,
        state: refused ?? modeForm.state({ mode }),
        entries: await findEntries(context.db, shift.id),
        sections: await Promise.all(sections),
      }),
      breadcrumb: [{ href: boardPath(shift.id), label: shiftNameOf(shift) }],
    }
  },
  submit: async (request, { mode }) => {
    const shift = await requirePlanned(request)
    await setWaitingListMode(request.commandContext, { shiftId: shift.id, mode })
    return { redirect: waitingListPath(shift.id), flash: { kind: 'good', text: request.context.words.t('offers.mode_saved') } }
  },
})

async function requireEntry(request: UserRequest<{ shift: number; id: number }>): Promise<WaitingListEntry> {
  const shift = await requirePlanned(request)
  return requireFound((await findEntries(request.context.db, shift.id)).find(({ id }) => id === request.path.id))
}

const outOfOrderPage = formPage({
  path: '/shifts/{shift}/line/{id}/offer/',
  access: signedIn,
  form: outOfOrderForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken, path } = request
    const { words } = context
    const { name } = await requireEntry(request)
    const main = outOfOrderView({
      words,
      csrfToken,
      shiftId: path.shift,
      entryId: path.id,
      name,
      state: refused ?? outOfOrderForm.state({ reason: '' }),
    })
    const title = words.t('offers.offer_to', { name })
    return { title, main, breadcrumb: [{ href: waitingListPath(path.shift), label: words.t('offers.line') }] }
  },
  submit: async (request, { reason }) => {
    const { context, path } = request
    const { words } = context
    const { name } = await requireEntry(request)
    const outcome = await offerOutOfOrder(request.commandContext, { shiftId: path.shift, entryId: path.id, reason })
    if (outcome.ok)
      return {
        redirect: waitingListPath(path.shift),
        flash: { kind: 'good', text: words.t('offers.offered', { name, until: words.dateTime(outcome.until) }) },
      }
    if (outcome.code !== 'refused') return { refused: [{ text: words.t(`offers.offer_${outcome.code}`) }], status: 409 }
    const reasonContext = await loadReasonContext(context)
    const texts = outcome.reasons.map((one) => reasonText(reasonContext, one))
    return { refused: [{ text: [words.t('offers.offer_refused', { name }), ...texts].join(' ') }], status: 409 }
  },
})

const removePage = actionPage({
  path: '/shifts/{shift}/line/{id}/remove/',
  access: signedIn,
  form: emptyForm,
  submit: async (request) => {
    const { words } = request.context
    const { name } = await requireEntry(request)
    const { shift: shiftId, id: entryId } = request.path
    const isRemoved = await removeFromWaitingList(request.commandContext, { shiftId, entryId })
    const flash: Flash = isRemoved
      ? { kind: 'info', text: words.t('offers.removed', { name }) }
      : { kind: 'warn', text: words.t('offers.offer_gone') }
    return { redirect: waitingListPath(shiftId), flash }
  },
})

const backTo = ({ eventId, eventTitle }: ShiftOfWaitingList, flash: Flash, from: Origin = 'event'): Redirect => ({
  redirect: originPath(from, eventPath(eventId, eventTitle)),
  flash,
})

const joinPage = actionPage({
  path: '/shifts/{shift}/line/join/',
  access: signedIn,
  form: ownEntryForm,
  submit: async (request, { from }) => {
    const { words } = request.context
    const shift = await requireShift(request)
    const outcome = await joinWaitingList(request.commandContext, shift.id)
    if (outcome.ok) return backTo(shift, { kind: 'good', text: words.t('offers.joined', { position: outcome.position }) }, from)
    if (outcome.code !== 'refused') return backTo(shift, { kind: 'warn', text: words.t(`offers.refusal.${outcome.code}`) }, from)
    const reasonContext = await loadReasonContext(request.context)
    const texts = outcome.reasons.map((reason) => reasonText(reasonContext, reason))
    return backTo(shift, { kind: 'warn', text: [words.t('offers.refused'), ...texts].join(' ') }, from)
  },
})

const leavePage = actionPage({
  path: '/shifts/{shift}/line/leave/',
  access: signedIn,
  form: ownEntryForm,
  submit: async (request, { from }) => {
    const { words } = request.context
    const shift = await requireShift(request)
    const entry = await leaveWaitingList(request.commandContext, shift.id)
    if (entry === undefined) return backTo(shift, { kind: 'info', text: words.t('offers.not_waiting') }, from)
    const undo = { action: returnPath(shift.id), fields: { entry: String(entry), from }, seconds: UNDO_SECONDS }
    return backTo(shift, { kind: 'info', text: words.t('offers.left'), undo }, from)
  },
})

const returnPage = actionPage({
  path: '/shifts/{shift}/line/return/',
  access: signedIn,
  form: returnForm,
  submit: async (request, { entry, from }) => {
    const { words } = request.context
    const shift = await requireShift(request)
    const isBack = await returnToWaitingList(request.commandContext, { shiftId: shift.id, entryId: entry })
    return backTo(
      shift,
      { kind: isBack ? 'info' : 'warn', text: words.t(isBack ? 'offers.returned' : 'offers.not_returned') },
      from,
    )
  },
})

export const waitingListPages: Page[] = [waitingListPage, outOfOrderPage, removePage, joinPage, leavePage, returnPage]
