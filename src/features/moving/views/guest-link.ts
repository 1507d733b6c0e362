import { shortStateBadge } from '#features/staffing/views/state.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { LinkedEvent, Registration } from '../rules/guest-links.ts'

type GuestLinkData = {
  words: Words
  now: Date
  organisation: string | undefined
  hasImprint: boolean
  event: LinkedEvent | undefined
  registrations: readonly Registration[]
}

export function guestLinkView({ words, now, organisation, hasImprint, event, registrations }: GuestLinkData): Html {
  const name = organisation ?? words.t('guest_link.organisation')
  const contact = hasImprint
    ? html`<p>${words.t('guest_link.contact_imprint')} <a href="/imprint/">${words.t('instance.imprint')}</a>.</p>`
    : html`<p>${words.t('guest_link.contact')}</p>`
  return html`<h1>${words.t('guest_link.title')}</h1>
<p>${words.t('guest_link.text', { name })}</p>
${event ? eventView(words, now, event) : html`<p>${words.t('guest_link.unknown')}</p>`}
${registrations.length > 0 && registrationsView(words, now, registrations)}
${contact}`
}

function eventView(words: Words, now: Date, { title, start, end }: LinkedEvent): Html {
  return html`<p>${words.t('guest_link.event')} <strong>${title}</strong>${start && end && html`, ${words.span(start, end, now)}`}</p>`
}

function registrationsView(words: Words, now: Date, registrations: readonly Registration[]): Html {
  return html`<p>${words.t('guest_link.registered')}</p>
<ul>${registrations.map(
    ({ label, start, end, state }) =>
      html`<li>${label && `${label}, `}${words.span(start, end, now)}: ${shortStateBadge(words, state, end < now)!.text}</li>`,
  )}</ul>`
}
