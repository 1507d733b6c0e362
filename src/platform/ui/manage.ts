import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { iconView } from './icon.ts'
import type { NavItem } from './layout.ts'
import { type Crumb, pageHeadView } from './page-head.ts'

export const MANAGE = '/manage/'

const MANAGE_GROUPS = ['people', 'events', 'instance', 'technology'] as const
export type ManageGroup = (typeof MANAGE_GROUPS)[number]

/** A management area: a card on the overview, and a tab above the pages of its group. */
export type ManagePlace = NavItem & { group: ManageGroup; text: string }

/** Breadcrumb of a management page, from the overview down. */
export const manageCrumbs = (words: Words, ...between: Crumb[]): Crumb[] => [
  { href: MANAGE, label: words.t('manage.title') },
  ...between,
]

export function manageIndexView({ words, places }: { words: Words; places: readonly ManagePlace[] }): Html {
  return html`${pageHeadView({ title: words.t('manage.title'), facts: words.t('manage.intro') })}
${MANAGE_GROUPS.map((group) => {
  const members = places.filter((place) => place.group === group)
  return (
    members.length > 0 &&
    html`<section class="section-block"><header class="section-head"><h2>${words.t(`manage.group_${group}`)}</h2></header><ul class="places" role="list">${members.map(placeView)}</ul></section>`
  )
})}`
}

const placeView = ({ href, label, icon, text }: ManagePlace): Html =>
  html`<li><a class="place" href="${href}"><span class="place-icon">${iconView(icon, { size: 24 })}</span><span><b>${label}</b><small>${text}</small></span></a></li>`
