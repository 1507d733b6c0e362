import { type Html, html } from '#platform/html/html.ts'
import { type IconName, iconView } from './icon.ts'

/** good: confirmed, full · warn: requested, needs people soon · bad: missing, refused · info · quiet: past, off. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet'

/** State is always said in words; colour and icon only repeat it. */
export function badgeView({ tone, text, icon }: { tone: Tone; text: string; icon?: IconName | undefined }): Html {
  return html`<span class="badge tone-${tone}">${icon && iconView(icon, { size: 14 })}${text}</span>`
}
