import type { ShiftValues } from '#features/events/events/rules/shift-fields.ts'
import type { Configuration } from '#features/planning/shift-forms/rules/flow-form.ts'
import type { Changes, Stored } from '#platform/journal/kinds.ts'

/** The values of a shift for the journal and for form versions. */
export type ShiftSnapshot = ShiftValues & {
  meeting_time: string
  start_time: string
  end_time: string
  signup_flow_slug: string
  signup_flow_configuration: Configuration
  structure_slug: string
  structure_configuration: Configuration
  /** Null instead of an empty list, so that the journal leaves it out. */
  questions: readonly number[] | null
}

/** Null: there was or is no value. */
export type ValueChanges<Values> = Changes<{ [Name in keyof Values]: Stored<Values[Name]> | null }>

/** `{ field: [before, after] }` of what differs, in the format of the journal. Times are ISO strings. */
export function changesBetween<Values extends object>(before: NoInfer<Values> | undefined, after: Values): ValueChanges<Values> {
  const changes = Object.entries(after).flatMap(([name, value]) => {
    const [former, now] = [plain(before?.[name as keyof Values] ?? null), plain(value)]
    return stableStringify(former) === stableStringify(now) ? [] : [[name, [former, now]]]
  })
  return Object.fromEntries(changes) as ValueChanges<Values>
}

/** Sorts object keys, because jsonb does not keep their order. */
export function stableStringify(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null))
