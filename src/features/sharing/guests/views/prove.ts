import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { postButtonView } from '#platform/ui/form.ts'
import type { OwnGuest } from '../rules.ts'

type ProveData = { words: Words; now: Date; csrfToken: string; action: string; guest: OwnGuest; retentionDays: number }

/** Behind the link from a mail: who registered for what, and a button. */
export function proveView({ words, now, csrfToken, action, guest, retentionDays }: ProveData): Html {
  const { name, email, eventTitle: event, start, end } = guest
  return html`<h1>${words.t('guests.prove_title')}</h1>
<p>${words.t('guests.prove_text', { name, email })}</p>
<p><strong>${event}</strong>${start && end && html`<br>${words.span(start, end, now)}`}</p>
<p>${words.t('guests.prove_effect')}</p>
${postButtonView({ action, csrfToken, label: words.t('guests.prove'), kind: 'primary', icon: 'check' })}
<p class="muted">${words.t('guests.prove_stranger', { count: retentionDays })}</p>`
}
