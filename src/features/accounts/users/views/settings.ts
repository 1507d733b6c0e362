import type { RequestContext } from '#platform/auth/context.ts'
import { accountPages } from '#platform/features/layout.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { PlainKey, Words } from '#platform/i18n/words.ts'
import { iconView } from '#platform/ui/icon.ts'
import type { Crumb } from '#platform/ui/page-head.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tabsView } from '#platform/ui/tabs.ts'

type NameIn<Key> = Key extends `settings.${infer Name}` ? Name : never
/** The last part of the address, which is that of the words as well. */
type SettingsTab = NameIn<PlainKey>

type SettingsData = { context: Pick<RequestContext, 'words' | 'site'>; current: SettingsTab; main: Child }

/** Heading and tabs of all pages of the own account; on phones a folded list instead of tabs. */
export function settingsView({ context: { words, site }, current, main }: SettingsData): Html {
  const tabs = site.added(accountPages).map(({ href, label }) => ({
    href,
    label: words.t(label),
    current: href === `/settings/${current}/`,
  }))
  return html`${pageHeadView({ title: words.t('settings.title') })}
<details class="fold settings-list"><summary>${words.t(`settings.${current}`)}${iconView('chevron-down', { size: 18 })}</summary><ul class="tap-list" role="list">${tabs.map(({ href, label, current: isCurrent }) => html`<li><a ${attrs({ href, 'aria-current': isCurrent && 'page' })}><span>${label}</span>${iconView('chevron-right', { size: 18 })}</a></li>`)}</ul></details>
${tabsView({ label: words.t('settings.title'), tabs })}
<div class="settings">${main}</div>`
}

/** For pages below one of the tabs. */
export const settingsCrumbs = (words: Words, tab: SettingsTab): Crumb[] => [
  { href: `/settings/${tab}/`, label: words.t(`settings.${tab}`) },
]
