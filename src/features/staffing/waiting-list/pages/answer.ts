import { findContacts } from '#features/staffing/eligibility/queries/contacts.ts'
import { findEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { getShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import { asPersonOfLink } from '#features/staffing/participations/queries/by-link.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { isIn } from '#features/staffing/staffing/rules/model.ts'
import { html } from '#platform/html/html.ts'
import { open } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { answerWaitingListOffer } from '../commands/answer.ts'
import { type Answered, type OfferKind, offerKinds } from '../points.ts'
import { getOfferByLink, getOfferedPlace, type OfferedByLink } from '../queries/offered.ts'
import { offerCalendarPath, offerPath } from '../rules/links.ts'
import { judgeOffer } from '../rules/waiting-list.ts'
import { offerAnswerForm } from '../schema.ts'
import { type DoneState, offerDoneView, offerView } from '../views/offer.ts'

/** Links are secrets, so browsers and caches must not keep the page. */
const HEADERS = { 'cache-control': 'no-store' }
const head = html`<meta name="robots" content="noindex"><link rel="stylesheet" href="${assetUrl('shortages.css')}">`
const access = open('the signed URL allows one person to answer one offer')

const ENDED: ReadonlySet<DoneState> = new Set(['withdrawn', 'expired', 'gone', 'swap_gone', 'swap_expired'])

/** What stays on the page after the answer: the shift, who asked, whom to ask, and the other answer while it is possible. */
async function bodyOf({ context }: PageRequest, { state, change }: Answered, found?: Found): Promise<PageBody> {
  const { words, now } = context
  const { kind, offer, token = '' } = found ?? {}
  const shift = offer && (await getShiftForSignup(context, offer.shiftId))
  const askedBy = offer && kind?.askedBy(offer)
  const facts = shift && {
    words,
    now,
    shift,
    contacts: await findContacts(context, shift.event_id),
    calendarPath: offerCalendarPath(token),
    more: askedBy && html`<p class="muted">${words.t('offers.asked_by', { name: askedBy })}</p>`,
  }
  return {
    title: words.t(`offers.done.${state}_title`),
    bare: true,
    status: state === 'unknown' ? 404 : ENDED.has(state) ? 410 : 200,
    headers: HEADERS,
    head,
    main: offerDoneView({
      words,
      state,
      eventPath: offer && found?.links.event(offer.eventId, ''),
      facts,
      change: change && { answer: change, action: offerPath(token) },
    }),
  }
}

type Found = NonNullable<Awaited<ReturnType<typeof load>>>
const UNKNOWN: Answered = { state: 'unknown', change: undefined }

async function load(request: PageRequest<{ token: string }>) {
  const { db, site } = request.context
  const found = await getOfferByLink(db, { keyring: site.keyring, kinds: site.added(offerKinds) }, request.path.token)
  const { token } = request.path
  return found?.offer.isActive ? { ...found, token, ...(await asPersonOfLink(request, found.offer.actor)) } : undefined
}

/** The place that the person took by the link, or that they left to others; and what they can change about it. */
function answeredOf(candidacy: Candidacy | undefined): Answered {
  if (isIn(candidacy?.own?.state)) return { state: 'accepted', change: candidacy?.canDecline ? 'no' : undefined }
  const canAgain = candidacy?.canSignUp === true && !candidacy.needsForm
  return { state: 'declined', change: canAgain ? 'yes' : undefined }
}

/** A place that became free, offered to somebody on the waiting list. */
export const waitingListOffer: OfferKind<OfferedByLink> = {
  kind: 'waiting_list',
  load: getOfferedPlace,
  askedBy: () => undefined,
  show: async ({ context }, offer, { action, calendarPath, signupPath }) => {
    const { words, now } = context
    const link = judgeOffer(offer, now)
    const shift = await getShiftForSignup(context, offer.shiftId)
    const candidacy = shift && (await findEligibility(context, [shift.id])).get(shift.id)
    if (link === 'answered') return answeredOf(candidacy)
    if (link !== 'open') return link
    if (!shift || !candidacy) return 'withdrawn'
    const main = offerView({
      ...(await loadReasonContext(context)),
      action,
      formPath: candidacy.needsForm && candidacy.canSignUp ? signupPath : undefined,
      shift,
      contacts: await findContacts(context, shift.event_id),
      calendarPath,
      name: offer.actor.displayName,
      question: words.t('offers.question'),
      lines: [
        words.t('offers.why_you', { since: words.dateTime(offer.since) }),
        words.t('offers.until', { until: words.dateTime(offer.offeredUntil!) }),
      ],
      yes: words.t('offers.yes'),
      no: words.t('offers.no'),
      effect: words.t('offers.effect'),
      reasons: candidacy.reasons['sign-up'],
    })
    return { title: words.t('offers.page_title'), main }
  },
  answer: async ({ context, commandContext }, { id, shiftId }, { answer, signupPath }) => {
    const outcome = await answerWaitingListOffer(commandContext, { entryId: id, shiftId, answer })
    if (outcome.kind === 'needs_form') return { redirect: signupPath }
    return outcome.kind === 'refused' ? { refused: context.words.t('offers.not_possible') } : outcome.kind
  },
}

/** States that an answer leads to: the page shows them, and can be opened again. */
const STAYING: ReadonlySet<DoneState> = new Set([
  'accepted',
  'declined',
  'answered',
  'taken',
  'found',
  'swapped',
  'swap_accepted',
  'swap_declined',
])

/** Opening the link changes nothing, because programs that check mails open links, too. */
const offerPage = formPage({
  path: '/offered/{token}/',
  access,
  isAuthorizedByUrl: true,
  form: offerAnswerForm,
  show: async (request) => {
    const found = await load(request)
    if (!found) return bodyOf(request, UNKNOWN)
    const { kind, offer, own, token } = found
    const shown = await kind.show(own, offer, {
      action: offerPath(token),
      calendarPath: offerCalendarPath(token),
      signupPath: found.links.signup(offer.shiftId),
    })
    if (typeof shown === 'string') return bodyOf(own, { state: shown, change: undefined }, found)
    return 'state' in shown ? bodyOf(own, shown, found) : { ...shown, bare: true, headers: HEADERS, head }
  },
  submit: async (request, { answer }) => {
    const found = await load(request)
    if (!found) return bodyOf(request, UNKNOWN)
    const { kind, offer, own, token } = found
    const outcome = await kind.answer(own, offer, { answer, signupPath: found.links.signup(offer.shiftId) })
    if (typeof outcome === 'string')
      return STAYING.has(outcome) ? { redirect: offerPath(token) } : bodyOf(own, { state: outcome, change: undefined }, found)
    return 'refused' in outcome ? { refused: [{ text: outcome.refused }], status: 409 } : outcome
  },
})

export const offerPages: Page[] = [offerPage]
