type StateName = 'requested' | 'confirmed' | 'declined' | 'rejected'

const NAMES: Record<number, StateName> = { 0: 'requested', 1: 'confirmed', 2: 'declined', 3: 'rejected' }

/** Name of a state in the stored data of a notification. */
export const stateName = (stored: unknown): StateName => (typeof stored === 'number' && NAMES[stored]) || 'rejected'
