import type { ShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { type AnswerFacts, answerFactsView } from '#features/staffing/participations/views/answer-facts.ts'
import type { Reason, ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { reasonText } from '#features/staffing/staffing/views/reasons.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Contact } from '#platform/ui/contact.ts'
import { buttonView, linkButtonView } from '#platform/ui/form.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'

type OfferData = ReasonContext & {
  action: string
  /** Something has to be chosen, so the answer leads to the form. */
  formPath: string | undefined
  shift: ShiftForSignup
  contacts: readonly Contact[]
  calendarPath: string
  name: string
  question: string
  lines: readonly string[]
  yes: string
  no: string
  /** What happens with the answer yes. */
  effect: string
  reasons: readonly Reason[]
}

export function offerView(data: OfferData): Html {
  const { words, action, formPath, reasons, name } = data
  const yes = reasons.length
    ? html`<div class="notice tone-warn">${iconView('triangle-alert')}<div><p class="notice-title">${words.t('offers.not_possible')}</p><ul>${reasons.map((reason) => html`<li>${reasonText(data, reason)}</li>`)}</ul></div></div>`
    : formPath
      ? linkButtonView({ href: formPath, label: words.t('offers.yes_choose'), kind: 'primary', icon: 'check' })
      : html`<form method="post" action="${action}"><input type="hidden" name="answer" value="yes">${buttonView({ label: data.yes, icon: 'check', kind: 'primary' })}<p class="muted">${data.effect}</p></form>`
  const no = html`<form method="post" action="${action}"><input type="hidden" name="answer" value="no">${buttonView({ label: data.no, icon: 'x', kind: 'secondary' })}</form>`
  return html`<div class="answer"><p class="muted">${words.t('offers.hello', { name })}</p><h1>${data.question}</h1>
${answerFactsView({ ...data, more: data.lines.map((line) => html`<p class="muted">${line}</p>`) })}
${yes}${no}<p class="muted">${words.t('offers.only_this')}</p></div>`
}

export type DoneState =
  | 'unknown'
  | 'accepted'
  | 'declined'
  | 'answered'
  | 'expired'
  | 'withdrawn'
  | 'taken'
  | 'found'
  | 'gone'
  | 'filled'
  | 'stand_in_declined'
  | 'given_up'
  | 'swapped'
  | 'swap_accepted'
  | 'swap_declined'
  | 'swap_gone'
  | 'swap_expired'

const ICONS: Record<DoneState, IconName> = {
  unknown: 'link',
  accepted: 'circle-check',
  declined: 'circle-check',
  answered: 'circle-check',
  expired: 'clock',
  withdrawn: 'circle-check',
  taken: 'circle-check',
  found: 'hourglass',
  gone: 'circle-check',
  filled: 'circle-check',
  stand_in_declined: 'circle-check',
  given_up: 'circle-check',
  swapped: 'circle-check',
  swap_accepted: 'hourglass',
  swap_declined: 'circle-check',
  swap_gone: 'circle-check',
  swap_expired: 'clock',
}

/** `facts`: the shift, unless the reader does not see it any more. `change`: the other answer, while it is possible. */
type DoneData = {
  words: Words
  state: DoneState
  eventPath: string | undefined
  facts: AnswerFacts | undefined
  change: { answer: 'yes' | 'no'; action: string } | undefined
}

export function offerDoneView({ words, state, eventPath, facts, change }: DoneData): Html {
  const label = change && words.t(state === 'swap_declined' ? 'offers.change_swap' : `offers.change_${change.answer}`)
  const other =
    change &&
    html`<form method="post" action="${change.action}"><input type="hidden" name="answer" value="${change.answer}">${buttonView({ label: label!, kind: 'secondary' })}</form>`
  return html`<div class="answer answer-done"><span class="empty-icon">${iconView(ICONS[state], { size: 28 })}</span><h1>${words.t(`offers.done.${state}_title`)}</h1><p>${words.t(`offers.done.${state}`)}</p>${facts && answerFactsView(facts)}${other}${eventPath !== undefined && linkButtonView({ href: eventPath, label: words.t('offers.see_event'), kind: 'quiet' })}</div>`
}
