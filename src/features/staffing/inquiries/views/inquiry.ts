import { whenText } from '#features/staffing/exchanges/views/search.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { postButtonView } from '#platform/ui/form.ts'
import { iconView } from '#platform/ui/icon.ts'
import { tableView } from '#platform/ui/table.ts'
import type { Inquiry, InquiryPerson } from '../queries/inquiries.ts'
import { stopPath } from '../rules/links.ts'
import { nextWaveOf, stateOf } from '../rules/status.ts'

export type { Inquiry }

type InquiryData = {
  words: Words
  now: Date
  csrfToken: string
  shift: { id: number; start: Date; end: Date }
  title: string
  notifiedAt: (askedAt: Date) => Date
  /** When sign-up closes: answers count until then. */
  closesAt: Date
}

const TONES = { can: 'good', cannot: 'quiet', too_late: 'warn', withdrawn: 'quiet', waiting: 'quiet', open: 'info' } as const

function badgeOf({ words, now, closesAt }: InquiryData, person: InquiryPerson): { tone: Tone; text: string } {
  const state = stateOf(person)
  if (state === 'open' && closesAt < now) return { tone: 'quiet', text: words.t('inquiries.answer.expired') }
  return { tone: TONES[state], text: words.t(`inquiries.answer.${state}`) }
}

/** When the message went out, or will. */
function askedText({ words, now, notifiedAt }: InquiryData, { askedAt, withdrawnAt }: InquiryPerson): string {
  if (!askedAt) return '–'
  const notified = notifiedAt(askedAt)
  if (notified <= now) return words.relative(notified, now)
  return withdrawnAt && withdrawnAt < notified ? '–' : words.t('inquiries.goes_out', { when: whenText(words, notified, now) })
}

function statusOf({ words, now }: InquiryData, inquiry: Inquiry): string {
  const { endReason, endedAt } = inquiry
  const next = nextWaveOf([inquiry])
  if (endReason) return words.t(`inquiries.ended.${endReason}`, { when: words.relative(endedAt!, now) })
  return next
    ? words.t('inquiries.next_wave', { count: next.count, when: whenText(words, next.at, now) })
    : words.t('inquiries.all_asked')
}

/** The text of the message as those who read the language of the planner get it. */
function sentView({ words, now, shift, title }: InquiryData, { createdBy, message }: Inquiry): Html {
  const name = createdBy ?? words.t('inquiries.former')
  const about = `${title}, ${words.span(shift.start, shift.end, now)}`
  const line = message
    ? words.t('notification.inquiry.line_message', { name, shift: about, message })
    : words.t('notification.inquiry.line', { name, shift: about })
  const buttons = words.list([words.t('notification.inquiry.can'), words.t('notification.inquiry.cannot')])
  return html`<details class="fold"><summary>${iconView('mail', { size: 18 })}<span>${words.t('inquiries.what_sent')}</span>${iconView('chevron-down', { size: 18 })}</summary><blockquote class="answer-message">${line}</blockquote><p class="muted">${words.t('inquiries.sent_buttons', { buttons })}</p></details>`
}

/** One time that people were asked: what happens next, who answered, what was sent, and how to take it back. */
export function inquiryView(data: InquiryData, inquiry: Inquiry): Html {
  const { words, csrfToken, shift } = data
  const { id, createdAt, createdBy, people, endReason } = inquiry
  const open = people.filter(({ answer, withdrawnAt }) => !answer && !withdrawnAt)
  const sent = open.filter(({ askedAt }) => askedAt).length
  return cardView({
    title: words.t('inquiries.asked_at', { when: words.dateTime(createdAt), name: createdBy ?? words.t('inquiries.former') }),
    body: html`<p>${statusOf(data, inquiry)}</p>${tableView<InquiryPerson>({
      caption: words.t('inquiries.asked_people'),
      rows: people,
      columns: [
        { label: words.t('inquiries.person'), main: true, cell: ({ name }) => name },
        { label: words.t('inquiries.when'), cell: (person) => askedText(data, person) },
        { label: words.t('inquiries.answer'), cell: (person) => badgeView(badgeOf(data, person)) },
        { label: words.t('inquiries.why'), cell: ({ reason }) => reason },
      ],
    })}${sentView(data, inquiry)}`,
    footer:
      endReason !== 'stopped' &&
      open.length > 0 &&
      html`${postButtonView({
        action: stopPath(shift.id, id),
        csrfToken,
        label: sent > 0 ? words.t('inquiries.stop', { count: sent }) : words.t('inquiries.stop_waiting'),
        kind: 'secondary',
        icon: 'undo-2',
      })}<p class="help">${words.t('inquiries.stop_help')}</p>`,
  })
}
