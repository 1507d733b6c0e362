/** Who is proposed: people who requested to take part, or also other people who see the event. */
export const POOLS = ['requested', 'everyone'] as const
export type Pool = (typeof POOLS)[number]
