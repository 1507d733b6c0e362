import { type Child, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
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

/** Heading and tabs of all pages of the own account. */
export function settingsView({ words, current, main }: { words: Words; current: SettingsTab; main: Child }): Html {
  const tabs = TABS.map((tab) => ({
    href: `/settings/${tab}/`,
    label: words.t(`settings.${tab}`),
    current: tab === current,
  }))
  return html`${pageHeadView({ title: words.t('settings.title') })}
${tabsView({ label: words.t('settings.title'), tabs })}
<div class="settings">${main}</div>`
}

/** For pages below one of the tabs. */
export const settingsCrumbs = (words: Words, tab: SettingsTab): Crumb[] => [
  { href: `/settings/${tab}/`, label: words.t(`settings.${tab}`) },
]
