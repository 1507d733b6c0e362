import { findEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { getShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import type { PageMount } from '#features/staffing/participations/mount.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { isIn } from '#features/staffing/staffing/rules/model.ts'
import { reasonText } from '#features/staffing/staffing/views/reasons.ts'
import { html } from '#platform/html/html.ts'
import { open } from '#platform/http/access.ts'
import { type FormPage, formPage, type Page, type PageBody, type PageRequest } from '#platform/http/page.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { answerInquiry } from '../commands/answer.ts'
import { type AskedByLink, getAskedByLink } from '../queries/answers.ts'
import { answerPath, answerSignupPath } from '../rules/links.ts'
import { judgeLink } from '../rules/waves.ts'
import { answerForm } from '../schema.ts'
import { answerDoneView, answerView } from '../views/answer.ts'

/** Links are secrets, so browsers and caches must not keep the page. */
const HEADERS = { 'cache-control': 'no-store' }
const head = html`<meta name="robots" content="noindex"><link rel="stylesheet" href="${assetUrl('shortages.css')}">`
const access = open('the signed URL allows one person to answer about one shift')

/** The request as the person behind the link, in their language. There is no session: nothing else can be done with it. */
function asPerson<Request extends PageRequest>(request: Request, { actor }: AskedByLink): Request {
  const words = wordsFor(actor.language, request.context.site.timeZone, request.context.site)
  return {
    ...request,
    context: { ...request.context, actor, words },
    commandContext: { ...request.commandContext, actor },
  }
}

type State = 'unknown' | 'answered' | 'withdrawn' | 'expired' | 'too_late' | 'confirmed' | 'requested' | 'cannot'

const bodyOf = ({ context }: PageRequest, state: State, asked?: AskedByLink, text?: string): PageBody => ({
  title: context.words.t(`inquiries.state.${state}_title`),
  bare: true,
  status: state === 'unknown' ? 404 : state === 'withdrawn' || state === 'expired' ? 410 : 200,
  headers: HEADERS,
  head,
  main: answerDoneView({ words: context.words, state, text, eventId: asked?.eventId }),
})

/** The signed link, the shift as the person sees it, and what they can do. */
async function load(request: PageRequest<{ token: string }>) {
  const { db, site } = request.context
  const asked = await getAskedByLink(db, site.keyring, request.path.token)
  if (!asked?.isActive) return undefined
  const own = asPerson(request, asked)
  const shift = await getShiftForSignup(own.context, asked.shiftId)
  const candidacy = shift && (await findEligibility(own.context, [shift.id])).get(shift.id)
  return { asked, own, shift, candidacy }
}

/** Why nobody can sign up any more, as the page of the event says it. Undefined: sign-up has not ended. */
async function whyOver({ own, candidacy }: NonNullable<Awaited<ReturnType<typeof load>>>): Promise<string | undefined> {
  const closed = candidacy?.reasons['sign-up'].find(({ code }) => code === 'closed')
  return closed && reasonText(await loadReasonContext(own.context), closed)
}

/** Opening the link changes nothing, because programs that check mails open links, too. */
const answerPage = formPage({
  path: '/asked/{token}/',
  access,
  isAuthorizedByUrl: true,
  form: answerForm,
  show: async (request, refused) => {
    const found = await load(request)
    if (!found) return bodyOf(request, 'unknown')
    const { asked, own, shift, candidacy } = found
    const link = judgeLink(asked)
    const state = candidacy?.own?.state
    if (isIn(state)) return bodyOf(own, state === 1 ? 'confirmed' : 'requested', asked)
    if (asked.answer === 'cannot') return bodyOf(own, 'cannot', asked)
    if (link !== 'open') return bodyOf(own, link, asked)
    if (!shift || !candidacy) return bodyOf(own, 'withdrawn')
    const over = await whyOver(found)
    if (over !== undefined) return bodyOf(own, 'expired', asked, over)
    const codes = candidacy.reasons['sign-up'].map(({ code }) => code)
    if (codes.length === 1 && codes[0] === 'full' && !refused) return bodyOf(own, 'too_late', asked)
    const reasonContext = await loadReasonContext(own.context)
    return {
      title: own.context.words.t('inquiries.answer_title'),
      bare: true,
      headers: HEADERS,
      head,
      main: answerView({
        ...reasonContext,
        action: answerPath(request.path.token),
        formPath: candidacy.needsForm && candidacy.canSignUp ? answerSignupPath(request.path.token, shift.id) : undefined,
        shift,
        message: asked.message,
        askedBy: asked.askedBy,
        name: asked.actor.displayName,
        reasons: candidacy.reasons['sign-up'],
        prefersNo: request.query.get('answer') === 'no',
        reason: typeof refused?.values.reason === 'string' ? refused.values.reason : '',
        errors: refused?.errors ?? [],
      }),
    }
  },
  submit: async (request, { answer, reason }) => {
    const { token } = request.path
    const found = await load(request)
    if (!found) return bodyOf(request, 'unknown')
    const { own, asked } = found
    const outcome = await answerInquiry(request.commandContext, { token, answer, reason })
    if (!outcome) return bodyOf(request, 'unknown')
    switch (outcome.kind) {
      case 'done':
        return bodyOf(own, outcome.answer === 'cannot' ? 'cannot' : outcome.isConfirmed ? 'confirmed' : 'requested', asked)
      case 'needs_form':
        return { redirect: answerSignupPath(token, asked.shiftId) }
      case 'refused':
        return { refused: [{ text: own.context.words.t('inquiries.refused') }], status: 409 }
      case 'expired':
        return bodyOf(own, 'expired', asked, await whyOver(found))
      default:
        return bodyOf(own, outcome.kind, asked)
    }
  },
})

/** For shifts with a choice or with questions: the form of sign-ups, bound to the shift of the link. */
const mount: PageMount = {
  access,
  paths: {
    signup: '/asked/{token}/shifts/{shift}/signup/',
    decline: '/asked/{token}/shifts/{shift}/decline/',
    undo: '/asked/{token}/shifts/{shift}/undo/',
  },
  authorize: async (request) => {
    const { token } = (request as PageRequest<{ token: string }>).path
    return {
      links: {
        event: () => answerPath(token),
        signup: (shiftId) => answerSignupPath(token, shiftId),
        decline: () => `${answerPath(token)}?answer=no`,
        undo: () => answerPath(token),
      },
      headers: HEADERS,
    }
  },
}

/** The form page of sign-ups for a mount. */
type SignupPageFor = (mount: PageMount) => Page

function signupByLinkPage(signupPageFor: SignupPageFor): Page {
  const page = signupPageFor(mount) as FormPage<unknown>
  type Request = PageRequest<{ token: string; shift: number }>
  const open = async (request: Request) => {
    const found = await load(request)
    if (!found || found.asked.shiftId !== request.path.shift) return { body: bodyOf(request, 'unknown') }
    const link = judgeLink(found.asked)
    if (link !== 'open') return { body: bodyOf(found.own, link, found.asked) }
    const over = await whyOver(found)
    return over === undefined ? { own: found.own } : { body: bodyOf(found.own, 'expired', found.asked, over) }
  }
  return {
    ...page,
    isAuthorizedByUrl: true,
    show: async (request, refused) => {
      const { own, body } = await open(request as Request)
      return own ? { ...(await page.show(own, refused)), bare: true } : body!
    },
    submit: async (request, input) => {
      const { own, body } = await open(request as Request)
      if (!own) return body!
      const result = await page.submit(own, input)
      // The page behind the link says what happened; a message would offer an undo that needs a session.
      return 'redirect' in result ? { redirect: answerPath(own.path.token) } : result
    },
  } as Page
}

export const answerPages = (signupPageFor: SignupPageFor): Page[] => [answerPage, signupByLinkPage(signupPageFor)]
