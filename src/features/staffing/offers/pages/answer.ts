import { findEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { getShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { MEMBER_LINKS } from '#features/staffing/participations/rules/links.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { html } from '#platform/html/html.ts'
import { open } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { answerLineOffer } from '../commands/answer.ts'
import { answerStandIn } from '../commands/stand-in.ts'
import { answerSwap } from '../commands/swap.ts'
import { type AskedByLink, getOfferByLink, type OfferedByLink, type SwapByLink } from '../queries/offered.ts'
import { getPlace, getStandIn, getStandInMode, judgeTaker } from '../queries/stand-in.ts'
import { judgeSwap } from '../queries/swap.ts'
import { judgeOffer } from '../rules/line.ts'
import { offerPath } from '../rules/links.ts'
import { judgeStandIn, needsAgreement, reasonsAgainstStandIn } from '../rules/stand-in.ts'
import { judgeSwapLink, rolesToAgree } from '../rules/swap.ts'
import { offerAnswerForm } from '../schema.ts'
import { type DoneState, offerDoneView, offerView } from '../views/offer.ts'
import { swapAnswerView } from '../views/swap.ts'

/** Links are secrets, so browsers and caches must not keep the page. */
const HEADERS = { 'cache-control': 'no-store' }
type Offer = OfferedByLink | AskedByLink | SwapByLink
const head = html`<meta name="robots" content="noindex"><link rel="stylesheet" href="${assetUrl('shortages.css')}">`
const access = open('the signed URL allows one person to answer one offer')

/** The request as the person behind the link, in their language. There is no session: nothing else can be done with it. */
function asPerson<Request extends PageRequest>(request: Request, { actor }: Offer): Request {
  const words = wordsFor(actor.language, request.context.site.timeZone)
  return {
    ...request,
    context: { ...request.context, actor, words },
    commandContext: { ...request.commandContext, actor },
  }
}

const ENDED: ReadonlySet<DoneState> = new Set(['withdrawn', 'expired', 'gone', 'swap_gone', 'swap_expired'])

const bodyOf = ({ context }: PageRequest, state: DoneState, offer?: Offer): PageBody => ({
  title: context.words.t(`offers.done.${state}_title`),
  bare: true,
  status: state === 'unknown' ? 404 : ENDED.has(state) ? 410 : 200,
  headers: HEADERS,
  head,
  main: offerDoneView({ words: context.words, state, eventId: offer?.eventId }),
})

async function load(request: PageRequest<{ token: string }>) {
  const { db, site } = request.context
  const offer = await getOfferByLink(db, site.keyring, request.path.token)
  return offer?.isActive ? { offer, own: asPerson(request, offer) } : undefined
}

async function showStandIn(own: PageRequest, offer: AskedByLink, token: string): Promise<PageBody> {
  const { words, now, db, site } = own.context
  const link = judgeStandIn(offer, now)
  if (link !== 'open') return bodyOf(own, link, offer)
  const shift = await getShiftForSignup(own.context, offer.shiftId)
  const standIn = await getStandIn(db, offer.standInId)
  const place = standIn && (await getPlace(db, offer.shiftId, standIn.userId))
  const judged = place && (await judgeTaker(db, { now, site }, { shiftId: offer.shiftId, userId: offer.userId, place }))
  if (!shift || !judged) return bodyOf(own, 'gone')
  const isDecided = needsAgreement(await getStandInMode(db), judged.signupRules?.hasRequestStage !== false)
  return {
    title: words.t('offers.page_title'),
    bare: true,
    headers: HEADERS,
    head,
    main: offerView({
      ...(await loadReasonContext(own.context)),
      action: offerPath(token),
      formPath: undefined,
      shift,
      name: offer.actor.displayName,
      question: words.t('stand_in.question', { name: offer.seeker }),
      lines: [
        ...(offer.message ? [words.t('offers.quoted', { text: offer.message })] : []),
        words.t('stand_in.why_you'),
        words.t(isDecided ? 'stand_in.by_planner' : 'stand_in.at_once'),
      ],
      yes: words.t('stand_in.yes'),
      no: words.t('stand_in.no'),
      reasons: reasonsAgainstStandIn(judged),
    }),
  }
}

async function showSwap(own: PageRequest, offer: SwapByLink, token: string): Promise<PageBody> {
  const { words, now, db, site } = own.context
  const { swap, actor } = offer
  const { proposer, other } = swap
  const link = judgeSwapLink(swap, now)
  if (link !== 'open') return bodyOf(own, link, offer)
  const place = await getPlace(db, proposer.shiftId, proposer.userId)
  const ownPlace = await getPlace(db, other.shiftId, other.userId)
  const mode = await getStandInMode(db)
  const judged =
    place &&
    ownPlace &&
    mode !== 'off' &&
    (await judgeSwap(
      db,
      { now, site },
      {
        proposer: { userId: proposer.userId, eventId: proposer.eventId, place },
        other: { userId: other.userId, eventId: other.eventId, place: ownPlace },
      },
    ))
  if (!judged) return bodyOf(own, 'swap_gone', offer)
  const hasRequestStage = {
    proposer: judged.other.signupRules?.hasRequestStage !== false,
    other: judged.proposer.signupRules?.hasRequestStage !== false,
  }
  return {
    title: words.t('swap.page_title'),
    bare: true,
    headers: HEADERS,
    head,
    main: swapAnswerView({
      ...(await loadReasonContext(own.context)),
      action: offerPath(token),
      reader: actor.displayName,
      name: proposer.name,
      give: other,
      get: proposer,
      message: swap.message,
      until: swap.expiresAt,
      needsAgreement: rolesToAgree(mode, hasRequestStage).length > 0,
      reasons: judged.other.reasons,
      canOther: judged.proposer.reasons.length === 0,
    }),
  }
}

/** Opening the link changes nothing, because programs that check mails open links, too. */
const offerPage = formPage({
  path: '/offered/{token}/',
  access,
  isAuthorizedByUrl: true,
  form: offerAnswerForm,
  show: async (request) => {
    const found = await load(request)
    if (!found) return bodyOf(request, 'unknown')
    const { offer, own } = found
    const { words, now } = own.context
    if (offer.kind === 'stand_in') return showStandIn(own, offer, request.path.token)
    if (offer.kind === 'swap') return showSwap(own, offer, request.path.token)
    const link = judgeOffer(offer, now)
    if (link !== 'open') return bodyOf(own, link, offer)
    const shift = await getShiftForSignup(own.context, offer.shiftId)
    const candidacy = shift && (await findEligibility(own.context, [shift.id])).get(shift.id)
    if (!shift || !candidacy) return bodyOf(own, 'withdrawn')
    return {
      title: words.t('offers.page_title'),
      bare: true,
      headers: HEADERS,
      head,
      main: offerView({
        ...(await loadReasonContext(own.context)),
        action: offerPath(request.path.token),
        formPath: candidacy.needsForm && candidacy.canSignUp ? MEMBER_LINKS.signup(shift.id) : undefined,
        shift,
        name: offer.actor.displayName,
        question: words.t('offers.question'),
        lines: [
          words.t('offers.why_you', { since: words.dateTime(offer.since) }),
          words.t('offers.until', { until: words.dateTime(offer.offeredUntil!) }),
        ],
        yes: words.t('offers.yes'),
        no: words.t('offers.no'),
        reasons: candidacy.reasons['sign-up'],
      }),
    }
  },
  submit: async (request, { answer }) => {
    const found = await load(request)
    if (!found) return bodyOf(request, 'unknown')
    const { own, offer } = found
    if (offer.kind === 'stand_in') {
      const taken = await answerStandIn(own.commandContext, { standInId: offer.standInId, answer })
      if (taken.kind === 'refused') return { refused: [{ text: own.context.words.t('offers.not_possible') }], status: 409 }
      return bodyOf(own, taken.kind, offer)
    }
    if (offer.kind === 'swap') {
      const answered = await answerSwap(own.commandContext, { swapId: offer.swap.id, answer })
      if (answered.kind !== 'refused' && answered.kind !== 'other_cannot') return bodyOf(own, answered.kind, offer)
      const { words } = own.context
      const text =
        answered.kind === 'refused' ? words.t('swap.cannot') : words.t('swap.other_cannot', { name: offer.swap.proposer.name })
      return { refused: [{ text }], status: 409 }
    }
    const outcome = await answerLineOffer(own.commandContext, { entryId: offer.id, shiftId: offer.shiftId, answer })
    if (outcome.kind === 'needs_form') return { redirect: MEMBER_LINKS.signup(offer.shiftId) }
    if (outcome.kind === 'refused') return { refused: [{ text: own.context.words.t('offers.not_possible') }], status: 409 }
    return bodyOf(own, outcome.kind, offer)
  },
})

export const offerPages: Page[] = [offerPage]
