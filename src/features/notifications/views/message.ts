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
import { type Candidate, type Circle, isIn } from '../rules/message.ts'
import { CIRCLES, LONGEST_SUBJECT } from '../schema.ts'

export const messagePath = (eventId: number): string => `/events/${eventId}/message/`

export type MessageValues = { to: readonly string[]; people: readonly string[]; shift: string; subject: string; text: string }
export type SentLine = {
  subject: string
  author: string | null
  at: Date
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
  event: { id: number; title: string; isCancelled: boolean }
  shifts: readonly { id: number; label: string; start: Date; end: Date }[]
  candidates: readonly Candidate[]
  values: MessageValues
  errors: readonly FormError[]
  earlier: readonly SentLine[]
}

export function messageFormView(data: MessagePageData): Html {
  const { words, now, csrfToken, event, shifts, candidates, values, errors } = data
  const errorOf = (name: string) => errors.find(({ field }) => field === name)?.text
  const count = (circle: Circle) => candidates.filter((candidate) => isIn(circle, candidate)).length
  const taking = candidates.filter(({ takes }) => takes.length > 0)
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
      options: CIRCLES.map((circle) => ({
        value: circle,
        label: words.t(`message.${circle}`, { count: count(circle) }),
        help: words.t(`message.${circle}_help`),
      })),
    })}${
      shifts.length > 1 &&
      selectField({
        words,
        name: 'shift',
        label: words.t('message.shift'),
        value: values.shift,
        placeholder: words.t('message.all_shifts'),
        options: shifts.map(({ id, label, start, end }) => {
          const span = words.span(start, end, now)
          return { value: id, label: label ? `${span}, ${label}` : span }
        }),
      })
    }${
      taking.length > 0 &&
      html`<details ${attrs({ class: 'single-people', open: values.people.length > 0 })}><summary>${words.t('message.people')}</summary>${checkboxGroup(
        {
          words,
          name: 'people',
          label: words.t('message.people'),
          help: words.t('message.people_help'),
          values: values.people,
          options: taking.map(({ key, name, noMail }) => ({
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
      attributes: { maxlength: LONGEST_SUBJECT },
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
${earlierView(data)}`
}

function earlierView({ words, now, earlier }: MessagePageData): Html | false {
  if (!earlier.length) return false
  return cardView({
    title: words.t('message.earlier'),
    body: html`<ul class="sent-messages" role="list">${earlier.map(
      (line) =>
        html`<li><p><b>${line.subject}</b></p><p class="muted">${words.t('message.by', { author: line.author ?? words.t('notification.someone'), time: words.relative(line.at, now) })}</p><p class="cluster">${badgeView({ tone: line.sent === line.total ? 'good' : 'info', text: words.t('message.progress', { sent: line.sent, total: line.total }) })}${line.waiting > 0 && badgeView({ tone: 'warn', text: words.t('message.waiting', { count: line.waiting }) })}${line.failed > 0 && badgeView({ tone: 'bad', text: words.t('message.failed', { count: line.failed }) })}${line.skipped > 0 && badgeView({ tone: 'quiet', text: words.t('message.skipped', { count: line.skipped }) })}</p></li>`,
    )}</ul>`,
  })
}

export type MessagePreviewData = {
  words: Words
  csrfToken: string
  event: { id: number; title: string }
  values: MessageValues
  readers: readonly Candidate[]
  without: readonly Candidate[]
}

/** Everything as it was typed goes along, so that both buttons lead on from here. */
export function messagePreviewView({ words, csrfToken, event, values, readers, without }: MessagePreviewData): Html {
  const kept = html`${csrfField(csrfToken)}${values.to.map((value) => hiddenField('to', value))}${values.people.map((value) => hiddenField('people', value))}${hiddenField('shift', values.shift)}${hiddenField('subject', values.subject)}${hiddenField('text', values.text)}`
  return html`${pageHeadView({ title: words.t('message.preview_title'), facts: words.t('message.preview_intro') })}
${cardView({
  title: values.subject,
  body: html`<div class="message-preview">${markdownView(values.text)}</div>`,
})}
${cardView({
  title: words.t('message.recipients', { count: readers.length }),
  body: html`<ul class="name-list" role="list">${readers.map(({ name }) => html`<li>${name}</li>`)}</ul>${
    without.length > 0 &&
    html`<h3>${words.t('message.without')}</h3><ul class="name-list" role="list">${without.map(({ name, noMail }) => html`<li>${name} <span class="muted">(${words.t(`message.no_mail.${noMail!}`)})</span></li>`)}</ul>`
  }`,
})}
<form class="form" method="post" action="${messagePath(event.id)}">${kept}<div class="form-actions">${buttonView({ label: words.t('message.send', { count: readers.length }), icon: 'send', name: 'doing', value: 'send' })}${buttonView({ label: words.t('message.back'), kind: 'quiet', name: 'doing', value: 'edit' })}</div></form>`
}
