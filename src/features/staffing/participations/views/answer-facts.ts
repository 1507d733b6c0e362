import { mapLinkView } from '#features/events/events/views/map-link.ts'
import type { ShiftForSignup } from '#features/staffing/eligibility/queries/reachable-shifts.ts'
import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { type Contact, contactListView } from '#platform/ui/contact.ts'
import { iconView } from '#platform/ui/icon.ts'

export type AnswerFacts = {
  words: Words
  now: Date
  shift: ShiftForSignup
  contacts: readonly Contact[]
  /** Of a file with this shift. */
  calendarPath?: string | undefined
  /** Above the time, where the page shows several shifts. */
  heading?: string | undefined
  more?: Child
}

/** What somebody who answers by a link needs to know, before and after the answer. */
export function answerFactsView({ words, now, shift, contacts, calendarPath, heading, more }: AnswerFacts): Html {
  const { label, event_title, location, meeting_time, start_time, end_time } = shift
  const title = label ? `${event_title}, ${label}` : event_title
  return html`<div class="card"><div class="card-body">${heading && html`<p class="muted">${heading}</p>`}<p class="answer-time">${words.span(start_time, end_time, now)}</p><p class="answer-shift">${title}</p>
${meeting_time < start_time && html`<p class="muted">${words.t('ui.meet', { time: words.time(meeting_time) })}</p>`}
${location && html`<p class="answer-place"><span>${location}</span> ${mapLinkView(words, location)}</p>`}${more}
${calendarPath && html`<p><a class="contact-link" href="${calendarPath}" download>${iconView('calendar-plus', { size: 14 })}${words.t('signup.add_to_calendar')}</a></p>`}
${contacts.length > 0 && html`<details class="answer-contacts"><summary>${words.t('signup.questions_to')}</summary>${contactListView(contacts)}</details>`}</div></div>`
}
