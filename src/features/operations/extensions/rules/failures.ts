const WINDOW_MS = 10 * 60_000
const MAX_FAILURES = 10

/** The failures that count at this time, the new one among them. */
export const addFailure = (earlier: readonly number[], now: number): number[] => [
  ...earlier.filter((at) => now - at < WINDOW_MS),
  now,
]

export const isTooMany = (failures: readonly number[]): boolean => failures.length >= MAX_FAILURES
