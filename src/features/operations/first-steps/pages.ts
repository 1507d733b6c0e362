import { dismissFirstSteps } from '#features/operations/settings/commands.ts'
import { type InstallationHooks, installationHooks } from '#features/operations/settings/points.ts'
import { isStaff } from '#platform/auth/actor.ts'
import type { Runtime } from '#platform/features/runtime.ts'
import type { Html } from '#platform/html/html.ts'
import { staff } from '#platform/http/access.ts'
import { actionPage, type Page, type PageRequest } from '#platform/http/page.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { getStoredState } from './queries.ts'
import { halfDone, type InstanceState, stepsOf } from './rules.ts'
import { DISMISS, firstStepsView } from './views.ts'

/** The list on the home page of administrators, until everything is done or they dismiss it. The demo is an instance that is complete. */
export const firstStepsIntro =
  ({ config, site, hasMail }: Runtime) =>
  async ({ context: { db, words, actor }, csrfToken }: PageRequest): Promise<Html | false> => {
    if (!isStaff(actor) || config.mode === 'try-out') return false
    const stored = await getStoredState(db)
    if (!stored) return false
    const lastBackup = config.backupDir && (await findLastBackup(installationHooks.of(site), config.backupDir))
    const state: InstanceState = {
      ...stored,
      hasTimeZone: stored.hasTimeZone || config.isTimeZoneSet,
      hasLanguage: stored.hasLanguage || config.isLanguageSet,
      hasMail,
      hasBackupFolder: config.backupDir !== undefined,
      hasBackup: lastBackup instanceof Date,
    }
    const steps = stepsOf(state)
    if (Object.values(steps).every(Boolean)) return false
    return firstStepsView({ words, csrfToken, steps, half: halfDone(state) })
  }

/** A folder that cannot be read has none for this list; the system status says why. */
const findLastBackup = ({ getLastBackup }: InstallationHooks, folder: string) => getLastBackup(folder).catch(() => undefined)

export const firstStepsPages: Page[] = [
  actionPage({
    path: DISMISS,
    access: staff,
    form: emptyForm,
    submit: async ({ context: { words }, commandContext }) => {
      await dismissFirstSteps(commandContext)
      return { redirect: '/', flash: { kind: 'good', text: words.t('steps.dismissed') } }
    },
  }),
]
