import type { SignupData } from '#features/staffing/participations/views/signup.ts'
import { type SignupStats, STATE, type State } from '#features/staffing/staffing/rules/model.ts'
import { shortReasonText } from '#features/staffing/staffing/views/reasons.ts'
import { placesState, staffingState } from '#features/staffing/staffing/views/staffing.ts'
import { stateBadge, toStaffing } from '#features/staffing/staffing/views/state.ts'
import type { OwnWaitingList } from '#features/staffing/waiting-list/rules/waiting-list.ts'
import { waitingListPill } from '#features/staffing/waiting-list/views/waiting-list.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'

type Pill = { tone: Tone; text: string; icon?: IconName | undefined }

type PillContext = { words: Words; now: Date; isPlanner: boolean; isCancelled: boolean }
type PillShift = SignupStats & {
  end: Date
  own: { state: State } | undefined
  waitingList: OwnWaitingList | undefined
  signup: SignupData | undefined
}

export const isShiftOpen = ({ now, isCancelled }: { now: Date; isCancelled: boolean }, { end }: { end: Date }): boolean =>
  !isCancelled && end >= now

/** What the reader needs to know in two words: about themselves first, then about the places. */
export function pillsOf(context: PillContext, shift: PillShift): Pill[] {
  const { words, now, isPlanner, isCancelled } = context
  const { own, waitingList, signup } = shift
  const isOwn = own?.state === STATE.confirmed || own?.state === STATE.requested
  if (isCancelled) return [{ tone: isOwn ? 'bad' : 'quiet', text: words.t('event.cancelled') }]
  if (shift.end < now) return own ? [stateBadge(words, own.state, true)!] : []
  const staffing = isPlanner ? [staffingState(words, toStaffing(shift))] : []
  if (own?.state === STATE.confirmed) return [{ tone: 'good', icon: 'check', text: words.t('signup.pill.in') }, ...staffing]
  if (own?.state === STATE.requested)
    return [{ tone: 'warn', icon: 'hourglass', text: words.t('signup.pill.requested') }, ...staffing]
  const waiting = waitingList && waitingListPill(words, waitingList)
  const ownState = waiting ?? stateBadge(words, own?.state, false)
  const reasons = signup && !signup.eligibility.canSignUp ? signup.eligibility.reasons['sign-up'] : []
  const why = reasons.flatMap((reason) => shortReasonText({ words, now }, reason) ?? [])[0]
  if (isPlanner) return [...(ownState ? [ownState] : []), ...staffing]
  if (ownState && (waiting || !signup?.eligibility.canSignUp)) return [ownState]
  const places: Pill =
    why === undefined ? placesState(words, toStaffing(shift), waitingList?.canJoin) : { tone: 'quiet', text: why }
  return ownState ? [ownState, places] : [places]
}

type When = { start: Date; end: Date; meeting?: Date }

/** `hasDay`: names the day, which else stands above the shifts of a day. `more`: what else stands in this line. */
export function whenView(
  { words, now }: { words: Words; now: Date },
  { start, end, meeting = start }: When,
  { hasDay, more = '' }: { hasDay: boolean; more?: string },
): Html {
  const meets = meeting < start ? words.t('ui.meet', { time: words.time(meeting) }) : ''
  const rest = [meets, more].filter(Boolean).join(' · ')
  return html`<span class="shift-when"><time datetime="${start.toISOString()}">${hasDay && html`<b>${words.day(start, now)}</b> `}<span class="hours">${words.hours(start, end, now)}</span></time>${rest && html` <span class="muted">· ${rest}</span>`}</span>`
}

type ShiftCard = {
  words: Words
  /** Of the row that keeps its place after its button was pressed. */
  row: string
  id?: string
  isPlanned?: boolean
  /** No heading stands between the one of the page and this one. */
  isTop?: boolean
  title: Child
  when: Html
  /** What the reader has to know before anything else. */
  notes?: Child
  /** A few words above the state, beside the button. */
  brief?: Child
  pills: readonly Pill[]
  primary: Child
  /** Names the shift for people who hear the page. */
  name: string
  /** Behind “…”. Without it there is nothing more to do or to know. */
  fold?: Child
  below?: Child
}

const titleView = (title: Child, isTop = false): Html =>
  isTop ? html`<h2 class="shift-title">${title}</h2>` : html`<h3 class="shift-title">${title}</h3>`

/** A shift with one button, and all else behind “…”. */
export function shiftCardView({
  words,
  row,
  id,
  isPlanned,
  isTop,
  title,
  when,
  notes,
  brief,
  pills,
  primary,
  name,
  fold,
  below,
}: ShiftCard): Html {
  const more =
    fold !== undefined &&
    html`<details class="shift-more"><summary class="button quiet icon-only">${iconView('ellipsis')}<span class="sr-only">${words.t('find.about_shift', { shift: name })}</span></summary>
<div class="shift-fold">${fold}</div></details>`
  return html`<li id="${row}" data-row><article class="shift-card compact${isPlanned && ' planned'}" ${attrs({ id })}>
<header class="shift-head">${title && titleView(title, isTop)}${when}</header>
${notes}
<div class="shift-foot"><div class="shift-state">${brief}<p class="shift-pills">${pills.map((pill) => badgeView(pill))}</p></div><div class="shift-actions">${primary}</div></div>
${more}${below}</article></li>`
}
