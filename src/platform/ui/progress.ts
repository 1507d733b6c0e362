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
  done: number
  total?: number | undefined
}): Html {
  const value = total === undefined ? {} : { value: done, max: Math.max(total, 1) }
  return html`<label class="progress"><span class="progress-label"><span>${label}</span><span>${total === undefined ? words.number(done) : words.t('ui.done', { done, total })}</span></span><progress ${attrs(value)}></progress></label>`
}
