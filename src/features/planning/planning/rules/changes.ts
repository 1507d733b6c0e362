/** `{ field: [before, after] }` of what differs, in the format of the journal. Times are ISO strings. */
export function changesBetween(
  before: Record<string, unknown> | undefined,
  after: Record<string, unknown>,
): Record<string, [unknown, unknown]> {
  return Object.fromEntries(
    Object.entries(after).flatMap(([name, value]) => {
      const [former, now] = [plain(before?.[name] ?? null), plain(value)]
      return stableStringify(former) === stableStringify(now) ? [] : [[name, [former, now]]]
    }),
  )
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
