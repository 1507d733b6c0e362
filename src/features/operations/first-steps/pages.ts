import { dismissFirstSteps } from '#features/operations/settings/commands.ts'
import { isStaff } from '#platform/auth/actor.ts'
import type { Html } from '#platform/html/html.ts'
import { staff } from '#platform/http/access.ts'
import { actionPage, type Page, type PageRequest } from '#platform/http/page.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { getStoredState } from './queries.ts'
import { stepsOf } from './rules.ts'
import { DISMISS, firstStepsView } from './views.ts'

/** What the configuration of the server decides. */
type Installation = { hasMail: boolean; isTimeZoneSet: boolean; getLastBackup: (() => Promise<Date | undefined>) | undefined }

/** The list on the home page of administrators, until everything is done or they dismiss it. */
export const firstSteps =
  ({ hasMail, isTimeZoneSet, getLastBackup }: Installation) =>
  async ({ context: { db, words, actor }, csrfToken }: Pick<PageRequest, 'context' | 'csrfToken'>): Promise<Html | false> => {
    if (!isStaff(actor)) return false
    const { isDismissed, ...stored } = await getStoredState(db)
    if (isDismissed) return false
    const steps = stepsOf({
      ...stored,
      hasTimeZone: stored.hasTimeZone || isTimeZoneSet,
      hasMail,
      hasBackup: (await getLastBackup?.()) !== undefined,
    })
    return !Object.values(steps).every(Boolean) && firstStepsView({ words, csrfToken, steps })
  }

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
