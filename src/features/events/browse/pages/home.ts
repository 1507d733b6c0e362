import { findChildActors } from '#features/accounts/users/queries/guardians.ts'
import { readCheckIn } from '#features/on-the-day/check-in/queries/self.ts'
import { MEMBER_LINKS } from '#features/staffing/participations/rules/links.ts'
import { loadReasonContext } from '#features/staffing/staffing/queries/qualifications.ts'
import { makeOfferToken } from '#features/staffing/waiting-list/queries/offered.ts'
import { offerPath } from '#features/staffing/waiting-list/rules/links.ts'
import type { UserActor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { type HomeAnswer, homePage } from '#platform/features/home.ts'
import { isOn } from '#platform/features/modules.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import { signedIn } from '#platform/http/access.ts'
import { type UserRequest, type ViewPage, viewPage } from '#platform/http/page.ts'
import { wordsAboutChild } from '#platform/i18n/words.ts'
import { exchangePath } from '../queries/exchanges.ts'
import { getOwnPlace } from '../queries/own-place.ts'
import { translateTitles } from '../queries/own-texts.ts'
import {
  countShiftsToDecide,
  findOwnShifts,
  findShiftsToJoin,
  type OwnShifts,
  readOwnShifts,
  shiftsIn,
} from '../queries/shifts.ts'
import { homeView } from '../views/home.ts'
import { shiftTitle } from '../views/list-items.ts'
import { signupDataOf } from './event-shift.ts'

const MAX_SHIFTS = 6
const MAX_TO_JOIN = 3

export function makeHomePage(runtime: Runtime): ViewPage {
  const { added } = runtime.site
  const intros = added(homePage.intro).map((make) => make(runtime))
  return viewPage({
    path: '/',
    access: signedIn,
    keeps: true,
    show: async (request) => {
      const { context, csrfToken } = request
      const { words, actor, now } = context
      const own = await readOwnShifts(context, MAX_SHIFTS)
      const here = own.confirmed.rows.filter(({ partner }) => !partner)
      const [toDecide, { toJoin, eligibility, facts }, intro, links, ofChildren] = await Promise.all([
        countShiftsToDecide(context),
        findShiftsToJoin(
          context,
          MAX_TO_JOIN,
          here.map(({ id }) => id),
        ),
        Promise.all(intros.map((show) => show(request))),
        Promise.all(added(homePage.link).map((load) => load(request))),
        findAnswersOfChildren(request),
      ])
      await translateTitles(context, [...shiftsIn(own), ...toJoin])
      const next = own.confirmed.rows.find(({ cancellationReason }) => cancellationReason === null)
      const candidacy = next && !next.partner ? eligibility.get(next.id) : undefined
      const unanswered = here.filter(({ id }) => {
        const { canCustomize = false, formReasons = [] } = eligibility.get(id) ?? {}
        return canCustomize && formReasons.some(({ code }) => code === 'answers_needed')
      })
      const asked = unanswered.map((shift) => ({
        href: MEMBER_LINKS.signup(shift.id),
        title: shiftTitle(shift),
        start: shift.start,
        end: shift.end,
        text: words.t('home.questions'),
      }))
      const answers = [...(await findAnswers(context, own)), ...asked]
      const main = homeView({
        ...(await loadReasonContext(context, facts)),
        links: MEMBER_LINKS,
        csrfToken,
        intro,
        offer: own.confirmed.count + own.requested.count > 0 && added(homePage.offer).map((show) => show(words)),
        name: actor.displayName,
        next: next && {
          ...next,
          contacts: next.contacts?.filter(({ email, phone }) => phone !== null || email !== null),
          checkIn: next.checkIn ? readCheckIn(next.checkIn, now) : undefined,
          place:
            candidacy?.own && facts
              ? await getOwnPlace(context, { shiftId: next.id, participationId: candidacy.own.id, facts })
              : undefined,
          signup: candidacy && signupDataOf(candidacy),
        },
        cancelled: own.confirmed.rows.filter(({ cancellationReason }) => cancellationReason !== null),
        answers: [...answers, ...ofChildren].sort((a, b) => a.start.getTime() - b.start.getTime()),
        toJoin: toJoin.map((shift) => ({ ...shift, signup: signupDataOf(shift.candidacy) })),
        ownCount: own.confirmed.count,
        openCount: own.openCount,
        toDecide,
        more: links.filter((link) => link !== undefined),
      })
      return { title: words.t('frame.home'), main, live: true }
    },
  })
}

/** What waits for the answer of the actor: offered places, swaps, stand-ins, and what other features ask. */
async function findAnswers(context: RequestContext<UserActor>, { lines, exchanges }: OwnShifts): Promise<HomeAnswer[]> {
  const { words, now, actor, site } = context
  const more = await Promise.all(site.added(homePage.answer).map((load) => load(context)))
  const offered = lines.flatMap(({ line: { id, isOffered, until }, ...shift }) => {
    if (!isOffered || until === null) return []
    const end = new Date(until)
    const token = makeOfferToken(site.keyring, { kind: 'waiting_list', id, userId: actor.userId, shiftId: shift.id })
    const text = words.t('offers.home_offered', { until: `${words.day(end, now)} ${words.time(end)}` })
    return [{ href: offerPath(token), title: shiftTitle(shift), start: shift.start, end: shift.end, text }]
  })
  const asked = exchanges.flatMap(({ exchange, ...shift }) =>
    exchange.what === 'in' || exchange.what === 'asked'
      ? [
          {
            href: exchangePath(site.keyring, actor.userId, shift.id, exchange),
            title: shiftTitle(shift),
            start: shift.start,
            end: shift.end,
            text: words.t(`swap.home_${exchange.what}`, { name: exchange.name }),
          },
        ]
      : [],
  )
  return [...offered, ...asked, ...more.flat()]
}

async function findAnswersOfChildren({ context }: UserRequest): Promise<HomeAnswer[]> {
  if (!isOn(context.site, 'families')) return []
  const children = await findChildActors(context)
  const found = await Promise.all(
    children.map(async (actor) => {
      const own = { ...context, actor, words: wordsAboutChild(context.words, actor.displayName) }
      return findAnswers(own, await findOwnShifts(own, MAX_SHIFTS))
    }),
  )
  return found.flat()
}
