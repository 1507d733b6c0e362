/**
 * How much a test tries: `usual` in `npm test`, `full` in `npm run check:exhaustive`, which runs exactly the test files that import
 * this file. Both must be able to fail for the same reasons.
 */
export const IS_EXHAUSTIVE = process.env.TURNOUT_EXHAUSTIVE === '1'

export function chooseSize<T>(sizes: { usual: T; full: T }): T {
  return IS_EXHAUSTIVE ? sizes.full : sizes.usual
}

/**
 * All variants in full size, usually one of them: the files take turns, so that every width, colour scheme, language and way to work
 * with or without scripts occurs in many journeys.
 */
export function chooseVariants<T>(variants: readonly T[], turn: number): readonly T[] {
  return IS_EXHAUSTIVE ? variants : [variants[turn % variants.length]!]
}
