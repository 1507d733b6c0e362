/** A rule for `test/mutation-worker.test.ts`, whose tests notice some changes of it. */
export function priceOf(count: number, isMember: boolean): number {
  if (count > 10) return count * 4
  return isMember ? count * 4 : count * 5
}
