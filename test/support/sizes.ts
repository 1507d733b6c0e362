/**
 * How much a test tries: `usual` in `npm test`, `full` in `npm run check:exhaustive`, which runs exactly the test files that import
 * this file. Both must be able to fail for the same reasons.
 */
export const IS_EXHAUSTIVE = process.env.TURNOUT_EXHAUSTIVE === '1'

export function chooseSize<T>(sizes: { usual: T; full: T }): T {
  return IS_EXHAUSTIVE ? sizes.full : sizes.usual
}
