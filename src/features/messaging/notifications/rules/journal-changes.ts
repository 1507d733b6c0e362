/** `changes` of a journal entry: pairs of the value before and the value after, by field. */
export type Changes = Readonly<Record<string, unknown>>
export type Change = readonly [before: unknown, after: unknown]

export function changeOf(changes: Changes, field: string): Change | undefined {
  const pair = changes[field]
  return Array.isArray(pair) && pair.length === 2 ? (pair as unknown as Change) : undefined
}

/** The changes of these fields; undefined if none of them changed. */
export function pickChanges(changes: Changes, fields: readonly string[]): Record<string, Change> | undefined {
  const found = fields.flatMap((field) => {
    const change = changeOf(changes, field)
    return change ? [[field, change] as const] : []
  })
  return found.length ? Object.fromEntries(found) : undefined
}

export const INDIVIDUAL_TIMES = ['individual_start_time', 'individual_end_time']

export const commentIdIn = ({ comment_id }: Changes): { comment_id?: number } =>
  typeof comment_id === 'number' ? { comment_id } : {}
