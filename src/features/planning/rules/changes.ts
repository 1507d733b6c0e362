/** `{ field: [before, after] }` of what differs, in the words of the journal. Times are written as ISO strings. */
export function changesBetween(
  before: Record<string, unknown> | undefined,
  after: Record<string, unknown>,
): Record<string, [unknown, unknown]> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const [former, now] = [plain(before?.[name] ?? null), plain(value)]
      return written(former) === written(now) ? [] : [[name, [former, now]]]
    }),
  )
}

/** The same for values that mean the same: the database keeps the keys of an object in an order of its own. */
export function written(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

const plain = (value: unknown): unknown => (value instanceof Date ? value.toISOString() : (value ?? null))
