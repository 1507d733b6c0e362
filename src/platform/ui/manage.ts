import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { iconView } from './icon.ts'
import type { NavItem } from './layout.ts'
import { type Crumb, pageHeadView } from './page-head.ts'

export const MANAGE = '/manage/'

/** A management area: a tab above its pages and a card on the overview. */
export type ManagePlace = NavItem & { text: string }

/** Breadcrumb of a management page, from the overview down. */
export const manageCrumbs = (words: Words, ...between: Crumb[]): Crumb[] => [
  { href: MANAGE, label: words.t('manage.title') },
  ...between,
]

export function manageIndexView({ words, places }: { words: Words; places: readonly ManagePlace[] }): Html {
  return html`${pageHeadView({ title: words.t('manage.title'), facts: words.t('manage.intro') })}
<ul class="places" role="list">${places.map(
    ({ href, label, icon, text }) =>
      html`<li><a class="place" href="${href}"><span class="place-icon">${iconView(icon, { size: 24 })}</span><span><b>${label}</b><small>${text}</small></span></a></li>`,
  )}</ul>`
}
