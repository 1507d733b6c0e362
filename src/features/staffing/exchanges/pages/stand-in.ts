import { eventPath } from '#features/events/events/rules/slug.ts'
import { originPath } from '#features/staffing/participations/rules/links.ts'
import { requireShift } from '#features/staffing/waiting-list/queries/shift.ts'
import { shiftNameOf } from '#features/staffing/waiting-list/rules/links.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page } from '#platform/http/page.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { cancelStandIn, seekStandIn } from '../commands/search.ts'
import { decideStandIn, undoStandIn } from '../commands/stand-in.ts'
import { findTakers, getOpenStandIn, getPlace, getStandInMode, progressOf } from '../queries/stand-in.ts'
import { standInPath, stopSearchPath } from '../rules/links.ts'
import { needsAgreement } from '../rules/stand-in.ts'
import { DEFAULT_WAVE_SIZE } from '../rules/waves.ts'
import { standInForm, stopForm } from '../schema.ts'
import { whenText } from '../views/search.ts'
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
    const refusal = mode === 'off' ? 'off' : place?.state !== 1 ? 'no_place' : place.start <= now ? 'begun' : undefined
    const takers = open || refusal ? [] : await findTakers(context, { shiftId: shift.id })
    const main = standInView({
      words,
      now,
      csrfToken,
      shift: { id: shift.id, title: shiftNameOf(shift), start: shift.start, end: shift.end },
      eventPath: eventPath(shift.eventId, shift.eventTitle),
      refusal: refusal ?? (open || takers.length ? undefined : 'no_taker'),
      needsAgreement: needsAgreement(mode, !shift.isInstant),
      open: open && progressOf(open),
      takers,
      state: refused ?? standInForm.state({ message: '', size: DEFAULT_WAVE_SIZE, first: [] }),
    })
    const title = words.t('stand_in.title')
    return { title, main, breadcrumb: [{ href: eventPath(shift.eventId, shift.eventTitle), label: shift.eventTitle }] }
  },
  submit: async (request, { message, size, first }) => {
    const { words, now } = request.context
    const shift = await requireShift(request)
    const outcome = await seekStandIn(request.commandContext, { shiftId: shift.id, message, size, chosen: first })
    if (!outcome.ok) return { refused: [{ text: words.t(`stand_in.refusal.${outcome.code}`) }], status: 409 }
    const { asked, people, nextAt, notifiedAt } = outcome
    const text =
      notifiedAt > now
        ? words.t('stand_in.sought_later', { count: asked, when: whenText(words, notifiedAt, now) })
        : nextAt
          ? words.t('stand_in.sought_waves', { asked, people, when: whenText(words, nextAt, now) })
          : words.t('stand_in.sought', { count: asked })
    return {
      redirect: standInPath(shift.id),
      flash: { kind: 'good', text, undo: { action: stopSearchPath(shift.id), label: words.t('stand_in.cancel') } },
    }
  },
})

const cancelPage = actionPage({
  path: '/shifts/{shift}/stand-in/cancel/',
  access: signedIn,
  form: stopForm,
  submit: async (request, { from }) => {
    const { words } = request.context
    const shift = await requireShift(request)
    const isCancelled = await cancelStandIn(request.commandContext, shift.id)
    const flash: Flash = isCancelled
      ? { kind: 'info', text: words.t('stand_in.cancelled') }
      : { kind: 'warn', text: words.t('stand_in.not_cancelled') }
    return { redirect: originPath(from, eventPath(shift.eventId, shift.eventTitle)), flash }
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
