import type { RequestContext } from '#platform/auth/context.ts'
import { extensionPoint, hookPoint } from '#platform/features/extension-points.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import type { Child } from '#platform/html/html.ts'
import type { PlainKey } from '#platform/i18n/words.ts'
import type { Settings } from './schema/define-settings.ts'

/** Settings of a feature. Those with the same legend stand together. */
export type SettingsSection = { legend: PlainKey; help?: PlainKey; settings: Settings }

/** `isGood` undefined: neither good nor bad. */
export type HealthFact = { name: string; isGood: boolean | undefined; text: Child }

/** What features add to the page of the organisation. */
export const settingsPage = {
  section: extensionPoint<SettingsSection>('settings.page.section'),
  /** Lines about the state of the installation. */
  health: extensionPoint<(context: RequestContext, runtime: Runtime) => Promise<readonly HealthFact[]>>('settings.page.health'),
}

/** What other features know about the state of the installation. */
type InstallationHooks = {
  /** The time of the newest nightly backup in this folder. */
  getLastBackup: (folder: string) => Promise<Date | undefined>
}

export const installationHooks = hookPoint<InstallationHooks>('settings.installation', { getLastBackup: async () => undefined })
