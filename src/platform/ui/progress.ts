import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'

/** Without `total`, the bar is indeterminate. */
export function progressView({
  words,
  label,
  done,
  total,
}: {
  words: Words
  label: string
  /** Undefined: how much is done cannot be said. */
  done?: number | undefined
  total?: number | undefined
}): Html {
  const value = total === undefined || done === undefined ? {} : { value: done, max: Math.max(total, 1) }
  const amount = done !== undefined && (total === undefined ? words.number(done) : words.t('ui.done', { done, total }))
  return html`<label class="progress"><span class="progress-label"><span>${label}</span><span>${amount}</span></span><progress ${attrs(value)}></progress></label>`
}
