import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { inPlace } from './form.ts'
import { type IconName, iconView } from './icon.ts'

type FlashKind = 'good' | 'info' | 'warn' | 'bad'
export type Flash = {
  kind: FlashKind
  text: string
  undo?: { action: string; label?: string; fields?: Record<string, string> } | undefined
}

const ICONS: Record<FlashKind, IconName> = { good: 'circle-check', info: 'info', warn: 'triangle-alert', bad: 'circle-x' }

/** The result of the last action. The dismiss button needs JavaScript. */
export function flashView({ words, flash, csrfToken }: { words: Words; flash: Flash; csrfToken: string }): Html {
  const { kind, text, undo } = flash
  return html`<div class="flash tone-${kind}" role="${kind === 'bad' ? 'alert' : 'status'}" data-flash>
${iconView(ICONS[kind])}<p>${text}</p>
${
  undo &&
  html`<form method="post" action="${undo.action}" ${attrs(inPlace(undo.action, `undo${undo.action.replaceAll(/\W+/g, '-')}`))}><input type="hidden" name="csrf_token" value="${csrfToken}">${Object.entries(
    undo.fields ?? {},
  ).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<button class="button small quiet">${iconView('undo-2', { size: 18 })}${undo.label ?? words.t('ui.undo')}</button></form>`
}
<button type="button" class="button icon-only quiet flash-close" data-dismiss hidden>${iconView('x', { title: words.t('ui.dismiss') })}</button>
</div>`
}
