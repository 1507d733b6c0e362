import { eventPath } from '#features/events/events/rules/slug.ts'
import { requireShift } from '#features/staffing/waiting-list/queries/shift.ts'
import { shiftNameOf } from '#features/staffing/waiting-list/rules/links.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page } from '#platform/http/page.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { cancelStandIn, decideStandIn, seekStandIn, undoStandIn } from '../commands/stand-in.ts'
import { getOpenStandIn, getPlace, getStandInMode } from '../queries/stand-in.ts'
import { standInPath } from '../rules/links.ts'
import { needsAgreement } from '../rules/stand-in.ts'
import { standInForm } from '../schema.ts'
import { standInView } from '../views/stand-in.ts'
import { decisionPages } from './decisions.ts'

const seekPage = formPage({
  path: '/shifts/{shift}/stand-in/',
  access: signedIn,
  form: standInForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken } = request
    const { words, now, db, actor } = context
    const shift = await requireShift(request)
    const { userId } = actor
    const place = await getPlace(db, shift.id, userId)
    const open = await getOpenStandIn(db, shift.id, userId)
    const mode = await getStandInMode(db)
    const main = standInView({
      words,
      now,
      csrfToken,
      shift: { id: shift.id, title: shiftNameOf(shift), start: shift.start, end: shift.end },
      eventPath: eventPath(shift.eventId, shift.eventTitle),
      refusal: mode === 'off' ? 'off' : place?.state !== 1 ? 'no_place' : place.start <= now ? 'begun' : undefined,
      needsAgreement: needsAgreement(mode, !shift.isInstant),
      open: open && { state: open.state, asked: open.asked },
      state: refused ?? standInForm.state({ message: '' }),
    })
    const title = words.t('stand_in.title')
    return { title, main, breadcrumb: [{ href: eventPath(shift.eventId, shift.eventTitle), label: shift.eventTitle }] }
  },
  submit: async (request, { message }) => {
    const { words } = request.context
    const shift = await requireShift(request)
    const outcome = await seekStandIn(request.commandContext, { shiftId: shift.id, message })
    if (!outcome.ok) return { refused: [{ text: words.t(`stand_in.refusal.${outcome.code}`) }], status: 409 }
    const text = words.t(outcome.later ? 'stand_in.sought_line' : 'stand_in.sought', { count: outcome.asked })
    return {
      redirect: standInPath(shift.id),
      flash: { kind: 'good', text, undo: { action: `${standInPath(shift.id)}cancel/`, label: words.t('stand_in.cancel') } },
    }
  },
})

const cancelPage = actionPage({
  path: '/shifts/{shift}/stand-in/cancel/',
  access: signedIn,
  form: emptyForm,
  submit: async (request) => {
    const { words } = request.context
    const shift = await requireShift(request)
    const isCancelled = await cancelStandIn(request.commandContext, shift.id)
    const flash: Flash = isCancelled
      ? { kind: 'info', text: words.t('stand_in.cancelled') }
      : { kind: 'warn', text: words.t('stand_in.not_cancelled') }
    return { redirect: eventPath(shift.eventId, shift.eventTitle), flash }
  },
})

export const standInPages: Page[] = [
  seekPage,
  cancelPage,
  ...decisionPages('stand-in', {
    words: 'stand_in',
    done: 'stand_in.agreed',
    decide: (context, { id, ...decision }) => decideStandIn(context, { ...decision, standInId: id }),
    undo: (context, { shiftId, id }) => undoStandIn(context, { shiftId, standInId: id }),
  }),
]
