import { sql } from 'kysely'
import { isStaff } from '#platform/auth/actor.ts'
import { layoutPart } from '#platform/features/layout.ts'
import { type StoredState, storedState } from './queries.ts'
import { PLACES, stepAfter, stepAt, stepsOf } from './rules.ts'

/** Leads from the page of a step to the next one, so that nobody has to go back to the list each time. */
export const nextStepPart = layoutPart({
  read: ({ actor, site }) => (isStaff(actor) && !site.isTryOut ? storedState : sql`null::json`),
  show: (stored: StoredState | null, { words, path, site }) => {
    const step = stepAt(path)
    if (!stored || !step) return {}
    const steps = stepsOf({
      ...stored,
      hasTimeZone: stored.hasTimeZone || site.isTimeZoneSet === true,
      hasLanguage: stored.hasLanguage || site.isLanguageSet === true,
      hasMail: !site.isMailOff,
      hasBackupFolder: false,
      // Its folder is not read on every page. The server does this step, so it is the last one and nothing waits for it.
      hasBackup: false,
    })
    const next = stepAfter(step, steps)
    if (!next || Object.entries(steps).every(([name, isDone]) => isDone || name === 'backup')) return {}
    const link = { href: PLACES[next], label: words.t('steps.next', { step: words.t(`steps.${next}`) }) }
    const text = words.t(steps[step] ? 'steps.is_done' : 'steps.is_open', { step: words.t(`steps.${step}`) })
    return { notices: [{ tone: 'info', icon: 'list-checks', text, link }] }
  },
})
