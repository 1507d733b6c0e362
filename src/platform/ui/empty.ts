import { type Child, type Html, html } from '#platform/html/html.ts'
import { type IconName, iconView } from './icon.ts'

/** Empty state: one icon, one sentence, one action. */
export function emptyView({ icon, text, action }: { icon: IconName; text: string; action?: Child }): Html {
  return html`<div class="empty"><span class="empty-icon">${iconView(icon, { size: 28 })}</span><p>${text}</p>${action}</div>`
}
