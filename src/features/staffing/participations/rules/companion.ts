import type { State } from '#features/staffing/staffing/rules/model.ts'

/** A person whom a participant brings: a placeholder. */
export type Companion = { id: number; name: string; state: State; version: number }
