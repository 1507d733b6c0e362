import { eventPath } from '#features/events/events/rules/slug.ts'
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
  shift: { label: string; event_title: string; location?: string; meeting_time: Date; start_time: Date; end_time: Date }
  name: string
  message: string
  askedBy: string | null
  reasons: readonly Reason[]
  /** Came by the link “I can’t”. */
  prefersNo: boolean
  reason: string
  errors: readonly FormError[]
}

export function answerView(data: AnswerData): Html {
  const { words, now, action, formPath, shift, message, askedBy, reasons, prefersNo, name } = data
  const title = shift.label ? `${shift.event_title}, ${shift.label}` : shift.event_title
  const meeting = shift.meeting_time < shift.start_time && words.t('inquiries.meet', { time: words.time(shift.meeting_time) })
  const isBlocked = reasons.length > 0
  const can = isBlocked
    ? html`<div class="notice tone-warn">${iconView('triangle-alert')}<div><p class="notice-title">${words.t('inquiries.not_possible')}</p><ul>${reasons.map((reason) => html`<li>${reasonText(data, reason)}</li>`)}</ul></div></div>`
    : formPath
      ? linkButtonView({ href: formPath, label: words.t('inquiries.can_choose'), kind: 'primary', icon: 'check' })
      : html`<form method="post" action="${action}"><input type="hidden" name="answer" value="can">${buttonView({ label: words.t('inquiries.can'), icon: 'check', kind: prefersNo ? 'secondary' : 'primary' })}</form>`
  const cannot = html`<form class="answer-no" method="post" action="${action}"><input type="hidden" name="answer" value="cannot">
${textareaField({ words, name: 'reason', label: words.t('inquiries.reason'), help: words.t('inquiries.reason_help'), rows: 2, value: data.reason, error: errorOf(data.errors, 'reason'), attributes: { maxlength: 255 } })}
${buttonView({ label: words.t('inquiries.cannot'), icon: 'x', kind: prefersNo || isBlocked ? 'primary' : 'secondary' })}</form>`
  return html`<div class="answer"><p class="muted">${words.t('inquiries.hello', { name })}</p><h1>${words.t('inquiries.question')}</h1>
<div class="card"><div class="card-body"><p class="answer-time">${words.span(shift.start_time, shift.end_time, now)}</p><p class="answer-shift">${title}</p>${meeting && html`<p class="muted">${meeting}</p>`}${message && html`<blockquote class="answer-message">${message}</blockquote>`}${askedBy && html`<p class="muted">${words.t('inquiries.asked_by', { name: askedBy })}</p>`}</div></div>
${data.errors.filter(({ field }) => field === undefined).map(({ text }) => html`<p class="field-error" role="alert">${iconView('circle-alert', { size: 16 })}<span>${text}</span></p>`)}
${prefersNo ? html`${cannot}${can}` : html`${can}${cannot}`}
<p class="muted">${words.t('inquiries.only_this')}</p></div>`
}

type DoneState = 'unknown' | 'answered' | 'withdrawn' | 'expired' | 'too_late' | 'confirmed' | 'requested' | 'cannot'

const ICONS: Record<DoneState, IconName> = {
  unknown: 'link',
  answered: 'circle-check',
  withdrawn: 'circle-check',
  expired: 'clock',
  too_late: 'users',
  confirmed: 'circle-check',
  requested: 'hourglass',
  cannot: 'circle-check',
}

/** `text`: instead of that of the state. */
type DoneData = { words: Words; state: DoneState; text: string | undefined; eventId: number | undefined }

export function answerDoneView({ words, state, text, eventId }: DoneData): Html {
  return html`<div class="answer answer-done"><span class="empty-icon">${iconView(ICONS[state], { size: 28 })}</span><h1>${words.t(`inquiries.state.${state}_title`)}</h1><p>${text ?? words.t(`inquiries.state.${state}`)}</p>${eventId !== undefined && linkButtonView({ href: eventPath(eventId, ''), label: words.t('inquiries.see_event'), kind: 'secondary' })}</div>`
}
