/** The integers are part of the public API; never renumber. `gettingDispatched` exists in imported rows only. */
export const STATE = { requested: 0, confirmed: 1, declinedByUser: 2, rejectedByResponsible: 3, gettingDispatched: 4 } as const

export type State = (typeof STATE)[keyof typeof STATE]
