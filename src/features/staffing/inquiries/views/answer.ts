import { type AnswerFacts, answerFactsView } from '#features/staffing/participations/views/answer-facts.ts'
import type { Reason, ReasonContext } from '#features/staffing/staffing/rules/model.ts'
import { reasonText } from '#features/staffing/staffing/views/reasons.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { textareaField } from '#platform/ui/fields.ts'
import { buttonView, type FormError, linkButtonView } from '#platform/ui/form.ts'
import { errorOf } from '#platform/ui/form-values.ts'
import { type IconName, iconView } from '#platform/ui/icon.ts'

type AnswerData = ReasonContext & {
  action: string
  /** Something has to be chosen, so “I can” leads to the form. */
  formPath: string | undefined
  facts: AnswerFacts
  /** With “I can”, the person has the place; otherwise those who plan decide. */
  isInstant: boolean
  name: string
  reasons: readonly Reason[]
  /** Came by the link “I can’t”. */
  prefersNo: boolean
  reason: string
  errors: readonly FormError[]
}

export function answerView(data: AnswerData): Html {
  const { words, action, formPath, reasons, prefersNo, name } = data
  const isBlocked = reasons.length > 0
  const can = isBlocked
    ? html`<div class="notice tone-warn">${iconView('triangle-alert')}<div><p class="notice-title">${words.t('inquiries.not_possible')}</p><ul>${reasons.map((reason) => html`<li>${reasonText(data, reason)}</li>`)}</ul></div></div>`
    : formPath
      ? linkButtonView({ href: formPath, label: words.t('inquiries.can_choose'), kind: 'primary', icon: 'check' })
      : html`<form method="post" action="${action}"><input type="hidden" name="answer" value="can">${buttonView({ label: words.t('inquiries.can'), icon: 'check', kind: prefersNo ? 'secondary' : 'primary' })}<p class="muted">${words.t(data.isInstant ? 'inquiries.effect_confirmed' : 'inquiries.effect_requested')}</p></form>`
  const cannot = html`<form class="answer-no" method="post" action="${action}"><input type="hidden" name="answer" value="cannot">
${textareaField({ words, name: 'reason', label: words.t('inquiries.reason'), help: words.t('inquiries.reason_help'), rows: 2, value: data.reason, error: errorOf(data.errors, 'reason'), attributes: { maxlength: 255 } })}
${buttonView({ label: words.t('inquiries.cannot'), icon: 'x', kind: prefersNo || isBlocked ? 'primary' : 'secondary' })}</form>`
  return html`<div class="answer"><p class="muted">${words.t('inquiries.hello', { name })}</p><h1>${words.t('inquiries.question')}</h1>
${answerFactsView(data.facts)}
${data.errors.filter(({ field }) => field === undefined).map(({ text }) => html`<p class="field-error" role="alert">${iconView('circle-alert', { size: 16 })}<span>${text}</span></p>`)}
${prefersNo ? html`${cannot}${can}` : html`${can}${cannot}`}
<p class="muted">${words.t('inquiries.only_this')}</p></div>`
}

export type DoneState =
  | ('unknown' | 'answered' | 'withdrawn' | 'enough' | 'expired' | 'too_late')
  | ('confirmed' | 'requested' | 'cannot')

const ICONS: Record<DoneState, IconName> = {
  unknown: 'link',
  answered: 'circle-check',
  withdrawn: 'circle-check',
  enough: 'circle-check',
  expired: 'clock',
  too_late: 'users',
  confirmed: 'circle-check',
  requested: 'hourglass',
  cannot: 'circle-check',
}

/** `text`: instead of that of the state. */
type DoneData = {
  words: Words
  state: DoneState
  text: string | undefined
  eventPath: string | undefined
  facts: AnswerFacts | undefined
  /** The other answer, if the person can still give it. `formPath`: something has to be chosen for it. */
  change: { answer: 'can' | 'cannot'; action: string; formPath: string | undefined } | undefined
}

export function answerDoneView({ words, state, text, eventPath, facts, change }: DoneData): Html {
  return html`<div class="answer answer-done"><span class="empty-icon">${iconView(ICONS[state], { size: 28 })}</span><h1>${words.t(`inquiries.state.${state}_title`)}</h1><p>${text ?? words.t(`inquiries.state.${state}`)}</p>${facts && answerFactsView(facts)}${change && changeView(words, change)}${eventPath !== undefined && linkButtonView({ href: eventPath, label: words.t('inquiries.see_event'), kind: 'quiet' })}</div>`
}

function changeView(words: Words, { answer, action, formPath }: NonNullable<DoneData['change']>): Html {
  const label = words.t(`inquiries.change_${answer}`)
  if (formPath) return linkButtonView({ href: formPath, label, kind: 'secondary' })
  return html`<form method="post" action="${action}"><input type="hidden" name="answer" value="${answer}">${buttonView({ label, kind: 'secondary' })}</form>`
}
