import { eventPath } from '#features/events/rules/slug.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { checkboxGroup, hiddenField, selectField, textareaField, textField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, type FormError, formView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { type Candidate, isInGroup, type RecipientGroup } from '../rules/message.ts'
import { MAX_SUBJECT_LENGTH, RECIPIENT_GROUPS } from '../schema.ts'

export const messagePath = (eventId: number): string => `/events/${eventId}/message/`

export type MessageValues = { to: readonly string[]; people: readonly string[]; shift: string; subject: string; text: string }
export type SentMessage = {
  subject: string
  author: string | null
  created_at: Date
  total: number
  sent: number
  waiting: number
  failed: number
  skipped: number
}
export type MessagePageData = {
  words: Words
  now: Date
  csrfToken: string
  event: {
    id: number
    title: string
    isCancelled: boolean
    shifts: readonly { id: number; label: string; start: Date; end: Date }[]
  }
  candidates: readonly Candidate[]
  values: MessageValues
  errors: readonly FormError[]
  sentMessages: readonly SentMessage[]
}

export function messageFormView(data: MessagePageData): Html {
  const { words, now, csrfToken, event, candidates, values, errors } = data
  const errorOf = (name: string) => errors.find(({ field }) => field === name)?.text
  const count = (group: RecipientGroup) => candidates.filter((candidate) => isInGroup(group, candidate)).length
  const participants = candidates.filter(({ participations }) => participations.length > 0)
  return html`${pageHeadView({ title: words.t('message.title') })}
${event.isCancelled && html`<div class="notice tone-quiet">${iconView('info')}<div><p>${words.t('message.cancelled')}</p></div></div>`}
${cardView({
  body: formView({
    words,
    csrfToken,
    errors,
    action: messagePath(event.id),
    submit: { label: words.t('message.preview'), icon: 'eye', name: 'doing', value: 'preview' },
    cancel: { href: eventPath(event.id, event.title) },
    fields: html`${checkboxGroup({
      words,
      name: 'to',
      label: words.t('message.to'),
      help: words.t('message.to_help'),
      error: errorOf('to'),
      values: values.to,
      options: RECIPIENT_GROUPS.map((group) => ({
        value: group,
        label: words.t(`message.${group}`, { count: count(group) }),
        help: words.t(`message.${group}_help`),
      })),
    })}${
      event.shifts.length > 1 &&
      selectField({
        words,
        name: 'shift',
        label: words.t('message.shift'),
        value: values.shift,
        placeholder: words.t('message.all_shifts'),
        options: event.shifts.map(({ id, label, start, end }) => {
          const span = words.span(start, end, now)
          return { value: id, label: label ? `${span}, ${label}` : span }
        }),
      })
    }${
      participants.length > 0 &&
      html`<details ${attrs({ class: 'single-people', open: values.people.length > 0 })}><summary>${words.t('message.people')}</summary>${checkboxGroup(
        {
          words,
          name: 'people',
          label: words.t('message.people'),
          help: words.t('message.people_help'),
          values: values.people,
          options: participants.map(({ key, name, noMail }) => ({
            value: key,
            label: name,
            disabled: noMail !== null,
            help: noMail ? words.t(`message.no_mail.${noMail}`) : undefined,
          })),
        },
      )}</details>`
    }${textField({
      words,
      name: 'subject',
      label: words.t('message.subject'),
      value: values.subject,
      required: true,
      error: errorOf('subject'),
      attributes: { maxlength: MAX_SUBJECT_LENGTH },
    })}${textareaField({
      words,
      name: 'text',
      label: words.t('message.text'),
      help: words.t('message.text_help'),
      value: values.text,
      required: true,
      rows: 8,
      error: errorOf('text'),
    })}`,
  }),
})}
${sentMessagesView(data)}`
}

function sentMessagesView({ words, now, sentMessages }: MessagePageData): Html | false {
  if (!sentMessages.length) return false
  return cardView({
    title: words.t('message.earlier'),
    body: html`<ul class="sent-messages" role="list">${sentMessages.map(
      (message) =>
        html`<li><p><b>${message.subject}</b></p><p class="muted">${words.t('message.by', { author: message.author ?? words.t('notification.someone'), time: words.relative(message.created_at, now) })}</p><p class="cluster">${badgeView({ tone: message.sent === message.total ? 'good' : 'info', text: words.t('message.progress', { sent: message.sent, total: message.total }) })}${message.waiting > 0 && badgeView({ tone: 'warn', text: words.t('message.waiting', { count: message.waiting }) })}${message.failed > 0 && badgeView({ tone: 'bad', text: words.t('message.failed', { count: message.failed }) })}${message.skipped > 0 && badgeView({ tone: 'quiet', text: words.t('message.skipped', { count: message.skipped }) })}</p></li>`,
    )}</ul>`,
  })
}

export type MessagePreviewData = {
  words: Words
  csrfToken: string
  event: { id: number; title: string }
  values: MessageValues
  recipients: readonly Candidate[]
  unreachable: readonly Candidate[]
}

/** Hidden fields hold the filled-in form for both buttons. */
export function messagePreviewView({ words, csrfToken, event, values, recipients, unreachable }: MessagePreviewData): Html {
  const hiddenFields = html`${csrfField(csrfToken)}${values.to.map((value) => hiddenField('to', value))}${values.people.map((value) => hiddenField('people', value))}${hiddenField('shift', values.shift)}${hiddenField('subject', values.subject)}${hiddenField('text', values.text)}`
  return html`${pageHeadView({ title: words.t('message.preview_title'), facts: words.t('message.preview_intro') })}
${cardView({
  title: values.subject,
  body: html`<div class="message-preview">${markdownView(values.text)}</div>`,
})}
${cardView({
  title: words.t('message.recipients', { count: recipients.length }),
  body: html`<ul class="name-list" role="list">${recipients.map(({ name }) => html`<li>${name}</li>`)}</ul>${
    unreachable.length > 0 &&
    html`<h3>${words.t('message.unreachable')}</h3><ul class="name-list" role="list">${unreachable.map(({ name, noMail }) => html`<li>${name} <span class="muted">(${words.t(`message.no_mail.${noMail!}`)})</span></li>`)}</ul>`
  }`,
})}
<form class="form" method="post" action="${messagePath(event.id)}">${hiddenFields}<div class="form-actions">${buttonView({ label: words.t('message.send', { count: recipients.length }), icon: 'send', name: 'doing', value: 'send' })}${buttonView({ label: words.t('message.back'), kind: 'quiet', name: 'doing', value: 'edit' })}</div></form>`
}
