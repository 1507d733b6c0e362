import { isStaff } from '#platform/auth/actor.ts'
import { layoutPart } from '#platform/features/layout.ts'
import { stoppedNames } from './queries/extensions.ts'

/** Above every page of administrators, until they switch the extension on again or the operator leaves it out. */
export const stoppedPart = layoutPart({
  read: () => stoppedNames,
  show: (names: readonly string[], { actor, words }) => {
    if (!names.length || !isStaff(actor)) return {}
    const link = { href: '/manage/modules/', label: words.t('extensions.stopped_more') }
    return { notices: [{ tone: 'warn', text: words.t('extensions.stopped_notice', { names: words.list(names) }), link }] }
  },
})
