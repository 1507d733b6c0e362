/** The changes of these fields; undefined if none of them changed. */
export function pickChanges<All extends object, Field extends keyof All & string>(
  changes: All,
  fields: readonly Field[],
): Partial<Pick<All, Field>> | undefined {
  const found = fields.filter((field) => changes[field] !== undefined)
  return found.length
    ? (Object.fromEntries(found.map((field) => [field, changes[field]])) as Partial<Pick<All, Field>>)
    : undefined
}

export const INDIVIDUAL_TIMES = ['individual_start_time', 'individual_end_time'] as const

export const commentIdIn = ({ comment_id }: { comment_id?: number }): { comment_id?: number } =>
  comment_id === undefined ? {} : { comment_id }
