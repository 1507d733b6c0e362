import { layoutPart } from '#platform/features/layout.ts'
import { STOP } from './rules.ts'

/** Above every page, as long as an administrator looks as somebody else. */
export const viewingPart = layoutPart({
  show: (_value: null, { actor, words }) => {
    if (actor.kind !== 'user' || !actor.viewedBy) return {}
    const text = words.t('viewing.banner', { name: actor.displayName, time: words.time(actor.viewedBy.until) })
    const button = { action: STOP, label: words.t('viewing.stop') }
    return { notices: [{ tone: 'warn', icon: 'eye', text, button }] }
  },
})
