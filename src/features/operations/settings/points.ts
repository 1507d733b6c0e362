import { extensionPoint, hookPoint } from '#platform/features/extension-points.ts'
import type { PlainKey } from '#platform/i18n/words.ts'
import type { Settings } from './schema/define-settings.ts'

/** Settings of a feature. Those with the same legend stand together. */
export type SettingsSection = { legend: PlainKey; help?: PlainKey; settings: Settings }

/** What features add to the page of the organisation. */
export const settingsPage = {
  section: extensionPoint<SettingsSection>('settings.page.section'),
}

/** What other features know about the state of the installation. */
export type InstallationHooks = {
  /** The time of the newest nightly backup in this folder. */
  getLastBackup: (folder: string) => Promise<Date | undefined>
}

export const installationHooks = hookPoint<InstallationHooks>('settings.installation', { getLastBackup: async () => undefined })
