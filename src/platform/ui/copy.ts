import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { iconView } from './icon.ts'

/** A value with a copy button. Without JavaScript, its text can be selected. */
export function copyView({
  words,
  id,
  label,
  value,
  help,
}: {
  words: Words
  id: string
  label: string
  value: string
  help?: Child
}): Html {
  return html`<div class="field copy"><label for="${id}">${label}</label><div class="copy-row"><input id="${id}" type="text" value="${value}" readonly spellcheck="false" autocomplete="off"><button type="button" class="button secondary" data-copy="${id}" hidden>${iconView('copy')}<span aria-live="polite">${words.t('ui.copy')}</span></button></div>${help && html`<p class="help">${help}</p>`}</div>`
}
