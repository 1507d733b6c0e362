import type { Shift } from '#features/events/events/rules/shifts.ts'
import type { State } from '#features/staffing/staffing/rules/model.ts'
import type { Span } from '#platform/time-span.ts'

/** `own`: the reader takes part, has asked, declined or was rejected. */
export type TimelineShift = Shift & { own: State | undefined }

/** A confirmed person of the shift with another shift at that time. `title` null: the reader may not see its event. */
export type Overlap = Span & { name: string; title: string | null; label: string }
