import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { isAddress, shownAddress } from '#platform/no-address.ts'
import { formatPhone, phoneHref } from '#platform/phone.ts'
import { iconView } from './icon.ts'

/** A phone number that calls when it is tapped. */
export function phoneView(stored: string): Html {
  const href = phoneHref(stored)
  const text = formatPhone(stored)
  return href ? html`<a class="contact-link" href="${href}">${iconView('phone', { size: 14 })}${text}</a>` : html`${text}`
}

/** The address of a person within a sentence. */
export const addressText = (words: Words, email: string): string => shownAddress(email) ?? words.t('ui.no_address')

/** Nothing for people without an address of their own. */
export const mailView = (email: string): Html =>
  html`${isAddress(email) && html`<a class="contact-link wrap" href="mailto:${encodeURIComponent(email).replaceAll('%40', '@')}">${iconView('mail', { size: 14 })}${email}</a>`}`

export type Contact = { name: string; email: string | null; phone: string | null }

/** People with what reaches them. */
export function contactListView(contacts: readonly Contact[]): Html {
  return html`<ul class="contacts" role="list">${contacts.map(
    ({ name, email, phone }) =>
      html`<li><b>${name}</b>${email !== null && mailView(email)}${phone !== null && phoneView(phone)}</li>`,
  )}</ul>`
}

/** People within a sentence, with links to what reaches them. */
export function contactLinksView(contacts: readonly Contact[]): Html {
  return html`${contacts.map(({ email, phone }) => html`${email !== null && html`${mailView(email)} `}${phone !== null && html`${phoneView(phone)} `}`)}`
}
