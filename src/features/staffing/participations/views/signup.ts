import type { Eligibility } from '#features/staffing/eligibility/rules/eligibility.ts'
import { isIn, type Reason, type ReasonContext, STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import { noteView, reasonsView, warningsView } from '#features/staffing/staffing/views/reasons.ts'
import { type Html, html } from '#platform/html/html.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { Links, Origin } from '../rules/links.ts'

/** What the reader can do about one shift. */
export type SignupData = {
  shiftId: number
  state: State | undefined
  eligibility: Eligibility
  /** Why one click is not enough. */
  formReasons: readonly Reason[]
  signupState: State
  closesAt: Date | undefined
  /** The individual times are outside the shift, because it was moved. */
  areTimesOutside: boolean
  /** Others whom the person brings, and how many they may. */
  companions: { count: number; max: number }
}

type ActionContext = ReasonContext & { links: Links } & { csrfToken: string; from: Origin }

type NotesContext = ReasonContext & { links: Links; contactHref?: string | undefined }

/** Reasons that the badge beside the notes already shows. */
const SHOWN_BY_BADGE: ReadonlySet<string> = new Set(['already_in', 'already_declined', 'not_in', 'event_cancelled'])

/** What concerns this person now: stands beside the shift, never behind a fold. */
export function signupAlertsView(reasonContext: NotesContext, data: SignupData): Html {
  const { words } = reasonContext
  const { eligibility, state } = data
  const outside = data.areTimesOutside && noteView('triangle-alert', html`${words.t('signup.times_outside')}`)
  // For example, a planner has added the person, or the question.
  const open = isIn(state) && eligibility.canCustomize ? data.formReasons.filter(({ code }) => code === 'answers_needed') : []
  const warnings = !isIn(state) && eligibility.canSignUp ? eligibility.warnings : []
  return html`${(isIn(state) || eligibility.canSignUp) && outside}${reasonsView(reasonContext, open)}${warningsView(reasonContext, warnings)}`
}

/** Whether the person can sign up, or the reasons against it with hints. */
export function signupReasonsView(reasonContext: NotesContext, data: SignupData): Html {
  const { words, now } = reasonContext
  const { eligibility, state, signupState, closesAt } = data
  const visibleReasons = (reasons: readonly Reason[]) =>
    reasonsView(
      reasonContext,
      reasons.filter(({ code }) => !SHOWN_BY_BADGE.has(code)),
    )
  if (isIn(state)) {
    const brings =
      data.companions.count > 0 && noteView('users', html`${words.t('signup.companions', { count: data.companions.count })}`)
    return html`${brings}${visibleReasons(eligibility.reasons.decline)}`
  }
  if (!eligibility.canSignUp) return html`${visibleReasons(eligibility.reasons['sign-up'])}`
  const closes = closesAt && html` ${words.t('signup.closes', { when: words.relative(closesAt, now) })}`
  return html`${noteView('hand-helping', html`${words.t(signupState === STATE.confirmed ? 'signup.can.1' : 'signup.can.0')}${closes}`)}${visibleReasons(data.formReasons)}`
}

export const signupNotesView = (reasonContext: NotesContext, data: SignupData): Html =>
  html`${signupReasonsView(reasonContext, data)}${signupAlertsView(reasonContext, data)}`

/** What the reader can do, the most likely first. `shift`: names the shift in the accessible labels. */
export function signupButtons(actionContext: ActionContext, data: SignupData, shift: string): Html[] {
  const { words, csrfToken, from, links } = actionContext
  const { shiftId, state, eligibility } = data
  const { canSignUp, canDecline, canCustomize, needsForm } = eligibility
  const named = (action: string) => ({ 'aria-label': words.t('signup.for_shift', { action, shift }) })
  const link = (label: string, href: string, kind: 'primary' | 'secondary' | 'quiet') =>
    linkButtonView({ href, label, kind, attributes: named(label) })
  const post = (label: string, action: string, kind: 'primary' | 'secondary' | 'quiet', fields = {}) =>
    postButtonView({
      action,
      csrfToken,
      label,
      kind,
      fields: { from, ...fields },
      attributes: named(label),
      id: `do${action.replaceAll(/\W+/g, '-')}`,
    })
  const form = from === 'event' ? links.signup(shiftId) : `${links.signup(shiftId)}?from=${encodeURIComponent(from)}`
  // Others rely on a confirmed place, and companions leave too, so a page asks before it is given up.
  const isAsked = state === STATE.confirmed || data.companions.count > 0
  const isOnEvent = from !== 'home'
  const mayBring = isIn(state) && isOnEvent && (data.companions.max > 0 || data.companions.count > 0)
  // No decline button for people who cannot sign up and have no participation, and none beside offers on the home page.
  const canAnswer = state !== undefined || (eligibility.isFit && isOnEvent)
  const decline = words.t(
    state === STATE.confirmed ? 'signup.cant_come' : state === STATE.requested ? 'signup.withdraw' : 'signup.decline',
  )
  const kind = isIn(state) ? 'secondary' : 'quiet'
  return [
    canSignUp && needsForm && link(words.t('signup.sign_up_form'), form, 'primary'),
    canSignUp && !needsForm && post(words.t('signup.sign_up'), links.signup(shiftId), 'primary', { quick: '1' }),
    // On the home page, the title links to the event page.
    canSignUp && !needsForm && isOnEvent && link(words.t('signup.with_times'), form, 'quiet'),
    canDecline &&
      canAnswer &&
      (isAsked
        ? link(decline, `${links.decline(shiftId)}?from=${encodeURIComponent(from)}`, kind)
        : post(decline, links.decline(shiftId), kind)),
    canCustomize && link(words.t('signup.change_times'), form, 'quiet'),
    mayBring &&
      links.companions &&
      linkButtonView({
        href: links.companions(shiftId),
        label: words.t('signup.bring_others'),
        kind: 'quiet',
        icon: 'users',
        attributes: named(words.t('signup.bring_others')),
      }),
  ].filter((button) => button !== false && button !== undefined)
}

/** False if there is no possible action. */
export function signupActionsView(actionContext: ActionContext, data: SignupData, shift: string): Html | false {
  const buttons = signupButtons(actionContext, data, shift)
  return buttons.length > 0 && html`${buttons}`
}
