import type { RequestContext } from '#platform/auth/context.ts'
import { hookPoint } from '#platform/features/extension-points.ts'
import type { MailHealth } from './views.ts'

/** What other features know about the state of the installation. */
type InstallationHooks = {
  /** The time of the newest nightly backup in this folder. */
  getLastBackup: (folder: string) => Promise<Date | undefined>
  /** Whether mails are sent, and why the last one was not. */
  getMail: (context: RequestContext) => Promise<MailHealth>
}

export const installationHooks = hookPoint<InstallationHooks>('settings.installation', {
  getLastBackup: async () => undefined,
  getMail: async () => ({ isSetUp: false, failure: undefined, late: 0, addresses: 0 }),
})
