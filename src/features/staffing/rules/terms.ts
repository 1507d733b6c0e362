import type { Opening } from './opening.ts'
import type { Reason } from './reasons.ts'

/** What a shift's flow says, told by its configuration. */
export type FlowTerms = Opening & {
  hasRequestStage: boolean
  /** Why nobody signs up or declines here by themselves. */
  closedToAll: Reason | undefined
  mayDeclineConfirmed: boolean
  mayChooseTimes: boolean
  /** From then on, somebody who is confirmed and changes details is asked about again. */
  asksAgainFrom: Date | null
}
