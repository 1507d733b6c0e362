export type RequestState = 'open' | 'granted' | 'failed' | 'refused' | 'withdrawn'
export type Decision = 'grant' | 'refuse'

/** States in which a request can still be decided. A refusal can be reverted by granting the request; a grant is final. */
const DECIDABLE: Record<Decision, readonly RequestState[]> = {
  grant: ['open', 'failed', 'refused'],
  refuse: ['open', 'failed'],
}

export const canDecide = (state: RequestState, decision: Decision): boolean => DECIDABLE[decision].includes(state)
