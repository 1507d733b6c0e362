import { eventPath } from '#features/events/events/rules/slug.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import { markdownView } from '#platform/html/markdown.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { hiddenField } from '#platform/ui/fields.ts'
import { buttonView, csrfField, linkButtonView } from '#platform/ui/form.ts'
import { type FormState, fieldValues } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { type Candidate, isInGroup, type RecipientGroup, type SentMessage } from './rules.ts'
import { type MessageForm, messageForm, RECIPIENT_GROUPS } from './schema.ts'

export const messagePath = (eventId: number): string => `/events/${eventId}/message/`

type MessagePageData = {
  words: Words
  now: Date
  csrfToken: string
  event: {
    id: number
    title: string
    isCancelled: boolean
    shifts: readonly { id: number; label: string; start: Date; end: Date }[]
  }
  /** Those with a participation. */
  candidates: readonly Candidate[]
  /** How many may sign up and have not. */
  unanswered: number
  state: FormState
  sentMessages: readonly SentMessage[]
}

export function messageFormView(data: MessagePageData): Html {
  const { words, now, csrfToken, event, candidates, unanswered, state } = data
  const count = (group: RecipientGroup) =>
    group === 'unanswered' ? unanswered : candidates.filter((candidate) => isInGroup(group, candidate)).length
  const groups = RECIPIENT_GROUPS.map((group) => ({
    value: group,
    label: words.t(`message.${group}`, { count: count(group) }),
    help: words.t(`message.${group}_help`),
  }))
  const shifts = event.shifts.map(({ id, label, start, end }) => {
    const span = words.span(start, end, now)
    return { value: id, label: label ? `${span}, ${label}` : span }
  })
  const participants = candidates
    .filter(({ participations }) => participations.length > 0)
    .map(({ key, name, noMail }) => ({
      value: key,
      label: name,
      disabled: noMail !== null,
      help: noMail ? words.t(`message.no_mail.${noMail}`) : undefined,
    }))
  const hasPeople = fieldValues(state.values, 'people').length > 0
  const form = messageForm.view({
    words,
    csrfToken,
    state,
    action: messagePath(event.id),
    submit: { label: words.t('message.preview'), icon: 'eye', name: 'doing', value: 'preview' },
    cancel: { href: eventPath(event.id, event.title) },
    layout: (field) => [
      field('to', { options: groups }),
      shifts.length > 1 && field('shift', { options: shifts }),
      participants.length > 0 &&
        html`<details ${attrs({ class: 'single-people', open: hasPeople })}><summary>${words.t('message.people')}</summary>${field('people', { options: participants })}</details>`,
      field('subject'),
      field('text'),
    ],
  })
  return html`${pageHeadView({ title: words.t('message.title') })}
${event.isCancelled && html`<div class="notice tone-quiet">${iconView('info')}<div><p>${words.t('message.cancelled')}</p></div></div>`}
${cardView({ body: form })}
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

type MessagePreviewData = {
  words: Words
  /** What each mail says besides the message. */
  added: { paragraphs: readonly string[]; card?: { title: string; lines: readonly string[] } | undefined }
  csrfToken: string
  event: { id: number; title: string; path: string }
  message: MessageForm
  recipients: readonly Candidate[]
  unreachable: readonly Candidate[]
}

/** Hidden fields hold the filled-in form for both buttons. */
/** Nobody reads the names of a whole organisation. */
const MAX_NAMES = 200

const namesView = (words: Words, people: readonly Candidate[], nameOf: (person: Candidate) => Html): Html =>
  html`<ul class="name-list" role="list">${people.slice(0, MAX_NAMES).map((person) => html`<li>${nameOf(person)}</li>`)}</ul>${
    people.length > MAX_NAMES &&
    html`<p class="muted">${words.t('message.more_people', { count: people.length - MAX_NAMES })}</p>`
  }`

export function messagePreviewView({
  words,
  csrfToken,
  event,
  message,
  added,
  recipients,
  unreachable,
}: MessagePreviewData): Html {
  const { to, people, shift, subject, text } = message
  const hiddenFields = html`${csrfField(csrfToken)}${to.map((value) => hiddenField('to', value))}${people.map((value) => hiddenField('people', value))}${hiddenField('shift', shift ?? '')}${hiddenField('subject', subject)}${hiddenField('text', text)}`
  return html`${pageHeadView({ title: words.t('message.preview_title'), facts: words.t('message.preview_intro') })}
${cardView({
  title: subject,
  body: html`<div class="message-preview"><p>${words.t('mail.greeting', { name: recipients[0]?.name ?? '' })}</p>${added.paragraphs.map((line) => html`<p>${line}</p>`)}<blockquote>${markdownView(text)}</blockquote>${added.card && html`<p><b>${added.card.title}</b>${added.card.lines.map((line) => html`<br>${line}`)}</p>`}<p>${linkButtonView({ href: event.path, label: words.t('notification.open_event') })}</p><p class="muted">${words.t('notification.event_message.explanation')}</p></div>`,
  footer: html`<p class="muted">${words.t('message.preview_note')}</p>`,
})}
${cardView({
  title: words.t('message.recipients', { count: recipients.length }),
  body: html`${namesView(words, recipients, ({ name }) => html`${name}`)}${
    unreachable.length > 0 &&
    html`<h3>${words.t('message.unreachable')}</h3>${namesView(words, unreachable, ({ name, noMail }) => html`${name} <span class="muted">(${words.t(`message.no_mail.${noMail!}`)})</span>`)}`
  }`,
})}
<form class="form" method="post" action="${messagePath(event.id)}">${hiddenFields}<div class="form-actions">${buttonView({ label: words.t('message.send', { count: recipients.length }), icon: 'send', name: 'doing', value: 'send' })}${buttonView({ label: words.t('message.back'), kind: 'quiet', name: 'doing', value: 'edit' })}</div></form>`
}
