import { layoutPart } from '#platform/features/layout.ts'

/** A notice until a required second factor is set up. */
export const factorPart = layoutPart({
  show: (_value: null, { actor, words }) => {
    const dueAt = actor.kind === 'user' && actor.via.kind === 'session' ? actor.via.factorDueAt : undefined
    if (!dueAt) return {}
    const link = { href: '/settings/security/second-factor/', label: words.t('factor.due_link') }
    return { notices: [{ tone: 'warn', text: words.t('factor.due', { date: words.date(dueAt) }), link }] }
  },
})
