import type { RequestContext } from '#platform/auth/context.ts'
import { isOn, type ModuleName } from '#platform/features/modules.ts'
import { attrs, type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { iconView } from '#platform/ui/icon.ts'
import type { Crumb } from '#platform/ui/page-head.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tabsView } from '#platform/ui/tabs.ts'

const TABS = [
  'profile',
  'qualifications',
  'answers',
  'notifications',
  'calendar',
  'security',
  'tokens',
  'applications',
  'webhooks',
  'data',
] as const
type SettingsTab = (typeof TABS)[number]

/** Tabs of modules. */
const MODULES: Partial<Record<SettingsTab, ModuleName>> = {
  qualifications: 'qualification_requests',
  answers: 'questionnaires',
  webhooks: 'integrations',
}

type SettingsData = { context: Pick<RequestContext, 'words' | 'site'>; current: SettingsTab; main: Child }

/** Heading and tabs of all pages of the own account; on phones a folded list instead of tabs. */
export function settingsView({ context: { words, site }, current, main }: SettingsData): Html {
  const shown = TABS.filter((tab) => MODULES[tab] === undefined || isOn(site, MODULES[tab]))
  const tabs = shown.map((tab) => ({
    href: `/settings/${tab}/`,
    label: words.t(`settings.${tab}`),
    current: tab === current,
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
