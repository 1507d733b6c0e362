import type { Change } from '#platform/journal/kinds.ts'
import type { Weights } from './rules/ledger.ts'

declare module '#platform/journal/kinds.ts' {
  interface JournalKinds {
    'fill_weights.changed': { subject: 'instance'; changes: { [Name in keyof Weights as `weight_${Name}`]?: Change<number> } }
  }
}
