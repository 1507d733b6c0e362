import { hasPermission } from '#platform/auth/actor.ts'
import { layoutPart } from '#platform/features/layout.ts'

const PLANNING = '/planning/'

/** For those who may add events; others who are responsible for some find the same on the start page. */
export const planningPart = layoutPart({
  show: (_value: null, { actor, words, isAt }) =>
    hasPermission(actor, 'add_event')
      ? { nav: [{ href: PLANNING, label: words.t('shortages.nav'), icon: 'users', current: isAt(PLANNING) }] }
      : {},
})
