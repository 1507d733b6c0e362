import { eventPath } from '#features/events/events/rules/slug.ts'
import { requireShift, type ShiftOfWaitingList, type ShiftRequest } from '#features/staffing/waiting-list/queries/shift.ts'
import { shiftNameOf } from '#features/staffing/waiting-list/rules/links.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page, type UserRequest, viewPage } from '#platform/http/page.ts'
import { requireFound } from '#platform/http/problem.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { proposeSwap, withdrawSwap } from '../commands/swap.ts'
import { decideSwap, undoSwap } from '../commands/swap-decisions.ts'
import { ownSwapOf } from '../queries/offered.ts'
import { getPlace, getStandInMode, type Place } from '../queries/stand-in.ts'
import { findOpenSwaps, findPlacesToSwap, getPlaceToSwap, type OtherPlace } from '../queries/swap.ts'
import { swapPath } from '../rules/links.ts'
import { needsAgreement } from '../rules/stand-in.ts'
import { swapForm } from '../schema.ts'
import { proposeView, swapPageView } from '../views/swap.ts'
import { decisionPages } from './decisions.ts'
import { withReasons } from './shift.ts'

const userIdOf = ({ actor }: RequestContext<UserActor>): number => actor.userId

type Refusal = 'off' | 'no_place' | 'begun'

/** The own place in the shift, and why it cannot be swapped. */
async function loadOwn(
  { context }: ShiftRequest,
  shift: ShiftOfWaitingList,
): Promise<{ place: Place | undefined; refusal: Refusal | undefined; isDecided: boolean }> {
  const place = await getPlace(context.db, shift.id, userIdOf(context))
  const mode = await getStandInMode(context.db)
  const isDecided = needsAgreement(mode, !shift.isInstant)
  if (mode === 'off') return { place, refusal: 'off', isDecided }
  if (place?.state !== 1) return { place, refusal: 'no_place', isDecided }
  return { place, refusal: place.start <= context.now ? 'begun' : undefined, isDecided }
}

const swapPage = viewPage({
  path: '/shifts/{shift}/swap/',
  access: signedIn,
  show: async (request) => {
    const { context, csrfToken } = request
    const { words, now, db } = context
    const shift = await requireShift(request)
    const { place, refusal, isDecided } = await loadOwn(request, shift)
    const userId = userIdOf(context)
    const open = await findOpenSwaps(db, userId, { now, shiftId: shift.id })
    const options = place && !refusal ? await findPlacesToSwap(context, { ...place, eventId: shift.eventId }) : []
    const back = eventPath(shift.eventId, shift.eventTitle)
    return {
      title: words.t('swap.title'),
      main: swapPageView({
        words,
        now,
        csrfToken,
        shift: { id: shift.id, title: shiftNameOf(shift), start: shift.start, end: shift.end },
        eventPath: back,
        refusal,
        needsAgreement: isDecided,
        open: open.map((swap) => ownSwapOf(context.site.keyring, userId, swap)),
        options,
      }),
      breadcrumb: [{ href: back, label: shift.eventTitle }],
    }
  },
})

async function requirePlace(
  request: UserRequest<{ shift: number; id: number }>,
): Promise<{ shift: ShiftOfWaitingList; own: Place; other: OtherPlace; isDecided: boolean } | undefined> {
  const shift = await requireShift(request)
  const { place, refusal, isDecided } = await loadOwn(request, shift)
  const other =
    place && !refusal && (await getPlaceToSwap(request.context, { ...place, eventId: shift.eventId }, request.path.id))
  return place && other ? { shift, own: place, other, isDecided } : undefined
}

const proposePage = formPage({
  path: '/shifts/{shift}/swap/{id}/',
  access: signedIn,
  form: swapForm.schema,
  show: async (request, refused) => {
    const { context, csrfToken, path } = request
    const { words, now } = context
    const found = requireFound(await requirePlace(request))
    const { shift, own, other, isDecided } = found
    return {
      title: words.t('swap.propose_title', { name: other.name }),
      main: proposeView({
        words,
        now,
        csrfToken,
        shiftId: path.shift,
        placeId: path.id,
        name: other.name,
        give: { start: own.start, end: own.end, label: shift.label, eventTitle: shift.eventTitle },
        get: other,
        needsAgreement: isDecided,
        state: refused ?? swapForm.state({ message: '' }),
      }),
      breadcrumb: [{ href: swapPath(path.shift), label: words.t('swap.title') }],
    }
  },
  submit: async (request, { message }) => {
    const { context, path } = request
    const { words } = context
    const shift = await requireShift(request)
    const outcome = await proposeSwap(request.commandContext, { shiftId: shift.id, placeId: path.id, message })
    const redirect = swapPath(shift.id)
    if (outcome.ok) return { redirect, flash: { kind: 'good', text: words.t('swap.proposed', { name: outcome.name }) } }
    if (outcome.code !== 'refused') return { redirect, flash: { kind: 'warn', text: words.t(`swap.refusal.${outcome.code}`) } }
    return { refused: [{ text: await withReasons(context, words.t('swap.refused'), outcome.reasons) }], status: 409 }
  },
})

const withdrawPage = actionPage({
  path: '/shifts/{shift}/swap/{id}/withdraw/',
  access: signedIn,
  form: emptyForm,
  submit: async (request) => {
    const { words } = request.context
    const shift = await requireShift(request)
    const isWithdrawn = await withdrawSwap(request.commandContext, request.path.id)
    const flash: Flash = isWithdrawn
      ? { kind: 'info', text: words.t('swap.withdrawn') }
      : { kind: 'warn', text: words.t('swap.not_withdrawn') }
    return { redirect: swapPath(shift.id), flash }
  },
})

export const swapPages: Page[] = [
  swapPage,
  proposePage,
  withdrawPage,
  ...decisionPages('swap', {
    words: 'swap',
    done: 'swap.done',
    decide: (context, { id, ...decision }) => decideSwap(context, { ...decision, swapId: id }),
    undo: (context, { shiftId, id }) => undoSwap(context, { shiftId, swapId: id }),
  }),
]
