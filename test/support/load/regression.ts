/** Slope of the values per unit of `at`, with the ends of the 95 % confidence interval. */
export type Trend = { mean: number; slope: number; low: number; high: number }

export type Point = { at: number; value: number }

/** 97.5 % quantile of Student's distribution by degrees of freedom; between entries the larger one holds. */
const STUDENT: [degrees: number, quantile: number][] = [
  [1, 12.71],
  [2, 4.31],
  [3, 3.19],
  [4, 2.78],
  [5, 2.58],
  [6, 2.45],
  [8, 2.37],
  [10, 2.23],
  [15, 2.14],
  [20, 2.09],
  [30, 2.05],
  [60, 2.01],
]
const quantileOf = (degrees: number): number => STUDENT.findLast(([most]) => most <= degrees)?.[1] ?? 12.71

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Neighbouring samples depend on each other, which would make the interval too narrow: means of blocks nearly do not. */
export function meansOfBlocks(points: readonly Point[], blocks: number): Point[] {
  const size = Math.max(1, Math.ceil(points.length / blocks))
  const groups = Array.from({ length: Math.ceil(points.length / size) }, (_, n) => points.slice(n * size, (n + 1) * size))
  return groups.map((group) => ({ at: meanOf(group.map(({ at }) => at)), value: meanOf(group.map(({ value }) => value)) }))
}

/** Least squares. Needs three points at least. */
export function trendOf(points: readonly Point[]): Trend {
  const [middle, mean] = [meanOf(points.map(({ at }) => at)), meanOf(points.map(({ value }) => value))]
  const spread = points.reduce((sum, { at }) => sum + (at - middle) ** 2, 0)
  const slope = points.reduce((sum, { at, value }) => sum + (at - middle) * (value - mean), 0) / spread
  const residuals = points.reduce((sum, { at, value }) => sum + (value - mean - slope * (at - middle)) ** 2, 0)
  const degrees = points.length - 2
  const half = quantileOf(degrees) * Math.sqrt(residuals / degrees / spread)
  return { mean, slope, low: slope - half, high: slope + half }
}

export type Verdict = 'level' | 'grows' | 'undecided'

/** `allowed`: growth that is still level. The whole interval decides: a short run with much noise is undecided. */
export function judgeTrend({ low, high }: Pick<Trend, 'low' | 'high'>, allowed: number): Verdict {
  if (low > allowed) return 'grows'
  return high <= allowed ? 'level' : 'undecided'
}
