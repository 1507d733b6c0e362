import { findEventFeedShifts } from '#features/events/browse/queries/shifts.ts'
import { icalText } from '#features/events/browse/views/ical.ts'
import { findContacts } from '#features/staffing/eligibility/queries/contacts.ts'
import { findEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { getShiftForSignup, type ShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import type { PageMount } from '#features/staffing/participations/mount.ts'
import { asPersonOfLink } from '#features/staffing/participations/queries/by-link.ts'
import type { AnswerFacts } from '#features/staffing/participations/views/answer-facts.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { isIn, STATE } from '#features/staffing/staffing/rules/model.ts'
import { reasonText } from '#features/staffing/staffing/views/reasons.ts'
import { html } from '#platform/html/html.ts'
import { open } from '#platform/http/access.ts'
import { type FormPage, formPage, type Page, type PageBody, type PageRequest, viewPage } from '#platform/http/page.ts'
import { Problem, requireFound } from '#platform/http/problem.ts'
import { assetUrl } from '#platform/ui/assets.ts'
import { answerInquiry } from '../commands/answer.ts'
import { getAskedByLink } from '../queries/answers.ts'
import { getWaveState } from '../queries/inquiries.ts'
import { answerCalendarPath, answerPath, answerSignupPath } from '../rules/links.ts'
import { isEnough, judgeLink } from '../rules/waves.ts'
import { answerForm } from '../schema.ts'
import { answerDoneView, answerView, type DoneState } from '../views/answer.ts'

/** Links are secrets, so browsers and caches must not keep the page. */
const HEADERS = { 'cache-control': 'no-store' }
const head = html`<meta name="robots" content="noindex"><link rel="stylesheet" href="${assetUrl('shortages.css')}">`
const access = open('the signed URL allows one person to answer about one shift')

type Found = NonNullable<Awaited<ReturnType<typeof load>>>

const bodyOf = (
  { context }: PageRequest,
  state: DoneState,
  more: Partial<Parameters<typeof answerDoneView>[0]> = {},
): PageBody => ({
  title: context.words.t(`inquiries.state.${state}_title`),
  bare: true,
  status: state === 'unknown' ? 404 : state === 'withdrawn' || state === 'expired' ? 410 : 200,
  headers: HEADERS,
  head,
  main: answerDoneView({
    words: context.words,
    state,
    text: undefined,
    eventPath: undefined,
    facts: undefined,
    change: undefined,
    ...more,
  }),
})

/** What stays on the page after the answer: the shift, whom to ask, and the other answer while it is possible. */
async function answeredBody(found: Found, token: string, state: DoneState): Promise<PageBody> {
  const { asked, own, links, shift, candidacy } = found
  const facts = shift && (await factsOf(found, shift, token))
  const isAgain = state === 'cannot' && candidacy?.canSignUp === true && !found.isEnough && judgeLink(asked, 'can') === 'open'
  const other = isAgain ? 'can' : isIn(candidacy?.own?.state) && candidacy?.canDecline ? 'cannot' : undefined
  const formPath = other === 'can' && candidacy?.needsForm ? answerSignupPath(token, asked.shiftId) : undefined
  return bodyOf(own, state, {
    eventPath: links.event(asked.eventId, ''),
    facts,
    change: other && { answer: other, action: answerPath(token), formPath },
  })
}

async function factsOf({ asked, own }: Found, shift: ShiftForSignup, token: string): Promise<AnswerFacts> {
  const { words, now } = own.context
  const { message, askedBy } = asked
  return {
    words,
    now,
    shift,
    contacts: await findContacts(own.context, asked.eventId),
    calendarPath: answerCalendarPath(token),
    more: html`${message && html`<blockquote class="answer-message">${message}</blockquote>`}${askedBy && html`<p class="muted">${words.t('inquiries.asked_by', { name: askedBy })}</p>`}`,
  }
}

/** The signed link, the shift as the person sees it, and what they can do. */
async function load(request: PageRequest<{ token: string }>) {
  const { db, site } = request.context
  const asked = await getAskedByLink(db, site.keyring, request.path.token)
  if (!asked?.isActive) return undefined
  const { own, links } = await asPersonOfLink(request, asked.actor)
  const shift = await getShiftForSignup(own.context, asked.shiftId)
  const candidacy = shift && (await findEligibility(own.context, [shift.id])).get(shift.id)
  const state = await getWaveState(db, asked.inquiryId, { now: own.context.now, timeZone: site.timeZone })
  return { asked, own, links, shift, candidacy, isEnough: state !== undefined && state.free !== 0 && isEnough(state) }
}

/** Why nobody can sign up any more, as the page of the event says it. Undefined: sign-up has not ended. */
async function whyOver({ own, candidacy }: Found): Promise<string | undefined> {
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
    const { asked, own, links, shift, candidacy } = found
    const link = judgeLink(asked)
    const state = candidacy?.own?.state
    const { token } = request.path
    if (isIn(state)) return answeredBody(found, token, state === 1 ? 'confirmed' : 'requested')
    if (asked.answer === 'cannot') return answeredBody(found, token, 'cannot')
    if (link !== 'open') return answeredBody(found, token, link)
    if (!shift || !candidacy) return bodyOf(own, 'withdrawn')
    const over = await whyOver(found)
    if (over !== undefined) return bodyOf(own, 'expired', { eventPath: links.event(asked.eventId, ''), text: over })
    if (found.isEnough && !refused) return answeredBody(found, token, 'enough')
    const codes = candidacy.reasons['sign-up'].map(({ code }) => code)
    if (codes.length === 1 && codes[0] === 'full' && !refused) return answeredBody(found, token, 'too_late')
    const reasonContext = await loadReasonContext(own.context)
    return {
      title: own.context.words.t('inquiries.answer_title'),
      bare: true,
      headers: HEADERS,
      head,
      main: answerView({
        ...reasonContext,
        action: answerPath(token),
        formPath: candidacy.needsForm && candidacy.canSignUp ? answerSignupPath(token, shift.id) : undefined,
        facts: await factsOf(found, shift, token),
        isInstant: candidacy.signupState === STATE.confirmed,
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
    const { own, asked, links } = found
    const outcome = await answerInquiry(request.commandContext, { token, answer, reason })
    if (!outcome) return bodyOf(request, 'unknown')
    switch (outcome.kind) {
      case 'needs_form':
        return { redirect: answerSignupPath(token, asked.shiftId) }
      case 'refused':
        return { refused: [{ text: own.context.words.t('inquiries.refused') }], status: 409 }
      case 'expired':
        return bodyOf(own, 'expired', { eventPath: links.event(asked.eventId, ''), text: await whyOver(found) })
      case 'done':
      case 'answered':
        // The page stays: it shows the shift, and the answer can be changed.
        return { redirect: answerPath(token) }
      default:
        return answeredBody(found, token, outcome.kind)
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
    const link = judgeLink(found.asked, 'can')
    if (link === 'withdrawn' || found.asked.answer === 'can') return { body: { redirect: answerPath(request.path.token) } }
    const over = await whyOver(found)
    return over === undefined
      ? { own: found.own }
      : { body: bodyOf(found.own, 'expired', { eventPath: found.links.event(found.asked.eventId, ''), text: over }) }
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

/** The shift for the calendar of the person, without a session. */
const calendarPage = viewPage({
  path: '/asked/{token}/calendar.ics',
  access,
  show: async (request) => {
    const found = requireFound(await load(request))
    const { context } = found.own
    const shifts = await findEventFeedShifts(context, found.asked.eventId)
    const here = shifts.filter(({ id }) => id === found.asked.shiftId)
    if (!here.length) throw new Problem('not_found')
    const { words, now, site } = context
    const content = await icalText({ words, now, siteUrl: site.url, name: here[0]!.eventTitle, shifts: here })
    return {
      content,
      contentType: 'text/calendar; charset=utf-8',
      headers: { ...HEADERS, 'content-disposition': `attachment; filename="shift-${found.asked.shiftId}.ics"` },
    }
  },
})

export const answerPages = (signupPageFor: SignupPageFor): Page[] => [answerPage, calendarPage, signupByLinkPage(signupPageFor)]
