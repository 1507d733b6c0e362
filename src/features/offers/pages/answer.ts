import { findEligibility } from '#features/participations/queries/eligibility.ts'
import { getShiftForSignup } from '#features/participations/queries/signup.ts'
import { MEMBER_LINKS } from '#features/participations/rules/links.ts'
import { loadReasonContext } from '#features/staffing/queries/qualifications.ts'
import { html } from '#platform/html/html.ts'
import { open } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { answerLineOffer } from '../commands/answer.ts'
import { getOfferByLink, type OfferedByLink } from '../queries/offered.ts'
import { judgeOffer } from '../rules/line.ts'
import { offerPath } from '../rules/links.ts'
import { offerAnswerForm } from '../schema.ts'
import { type DoneState, offerDoneView, offerView } from '../views/offer.ts'

/** Links are secrets, so browsers and caches must not keep the page. */
const HEADERS = { 'cache-control': 'no-store' }
const head = html`<meta name="robots" content="noindex"><link rel="stylesheet" href="${assetUrl('shortages.css')}">`
const access = open('the signed URL allows one person to answer one offer')

/** The request as the person behind the link, in their language. There is no session: nothing else can be done with it. */
function asPerson<Request extends PageRequest>(request: Request, { actor }: OfferedByLink): Request {
  const words = wordsFor(actor.language, request.context.site.timeZone)
  return {
    ...request,
    context: { ...request.context, actor, words },
    commandContext: { ...request.commandContext, actor },
  }
}

const bodyOf = ({ context }: PageRequest, state: DoneState, offer?: OfferedByLink): PageBody => ({
  title: context.words.t(`offers.done.${state}_title`),
  bare: true,
  status: state === 'unknown' ? 404 : state === 'withdrawn' || state === 'expired' ? 410 : 200,
  headers: HEADERS,
  head,
  main: offerDoneView({ words: context.words, state, eventId: offer?.eventId }),
})

async function load(request: PageRequest<{ token: string }>) {
  const { db, site } = request.context
  const offer = await getOfferByLink(db, site.keyring, request.path.token)
  return offer?.isActive ? { offer, own: asPerson(request, offer) } : undefined
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
    const outcome = await answerLineOffer(own.commandContext, { entryId: offer.id, shiftId: offer.shiftId, answer })
    if (outcome.kind === 'needs_form') return { redirect: MEMBER_LINKS.signup(offer.shiftId) }
    if (outcome.kind === 'refused') return { refused: [{ text: own.context.words.t('offers.not_possible') }], status: 409 }
    return bodyOf(own, outcome.kind, offer)
  },
})

export const offerPages: Page[] = [offerPage]
