import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { linkButtonView } from './form.ts'

type ErrorData = {
  words: Words
  status: number
  title: string
  text: string
  requestId?: string | undefined
  /** Link to the next step. */
  action?: { href: string; label: string } | undefined
}

/** Rendered as the `main` of a layout. */
export function errorView({ words, status, title, text, requestId, action }: ErrorData): Html {
  return html`<section class="error-page"><p class="error-status">${status}</p><h1>${title}</h1><p>${text}</p>
<p>${linkButtonView({ ...(action ?? { href: '/', label: words.t('ui.to_start') }), kind: 'primary' })}</p>
${requestId && html`<p class="request-id">${words.t('ui.request_id', { id: requestId })}</p>`}</section>`
}
