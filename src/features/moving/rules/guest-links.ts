import type { State } from '#features/staffing/rules/model.ts'

export type LinkedEvent = { title: string; start: Date | null; end: Date | null }
export type Registration = { label: string; start: Date; end: Date; state: State }
