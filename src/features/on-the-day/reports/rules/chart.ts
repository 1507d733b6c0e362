/** A column of a bar chart: parts from the bottom to the top. */
export type ChartColumn = { label: string; parts: readonly number[] }

export const CHART = { width: 400, height: 180, left: 40, bottom: 20, top: 8, right: 4 } as const

type Bar = { column: number; part: number; x: number; y: number; width: number; height: number }
type Layout = {
  bars: Bar[]
  /** Lines of the scale with their values. */
  lines: { y: number; value: number }[]
  labels: { x: number; label: string }[]
}

const STEPS = [1, 2, 2.5, 5, 10]

/** The smallest step of 1, 2, 2.5 or 5 times a power of ten that reaches the highest value in at most four steps. */
export function niceStep(highest: number): number {
  const least = Math.max(highest, 1) / 4
  const power = 10 ** Math.floor(Math.log10(least))
  const step = power * STEPS.find((factor) => factor * power >= least)!
  // Counts have no fractions.
  return Math.max(1, Math.ceil(step))
}

const round = (value: number): number => Math.round(value * 100) / 100
/** More labels would overlap. */
const MAX_LABELS = 12

export function layOutChart(columns: readonly ChartColumn[]): Layout {
  const { width, height, left, bottom, top, right } = CHART
  const highest = Math.max(0, ...columns.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0)))
  const step = niceStep(highest)
  const count = Math.max(1, Math.ceil(highest / step))
  const scale = (height - top - bottom) / (step * count)
  const floor = height - bottom
  const slot = (width - left - right) / Math.max(columns.length, 1)
  const every = Math.ceil(columns.length / MAX_LABELS)
  const bars = columns.flatMap(({ parts }, column) => {
    let y = floor
    return parts.flatMap((value, part): Bar[] => {
      if (value <= 0) return []
      const size = value * scale
      y -= size
      return [
        { column, part, x: round(left + slot * (column + 0.15)), y: round(y), width: round(slot * 0.7), height: round(size) },
      ]
    })
  })
  return {
    bars,
    lines: Array.from({ length: count + 1 }, (_, index) => ({ y: round(floor - index * step * scale), value: index * step })),
    labels: columns.flatMap(({ label }, index) =>
      index % every === 0 ? [{ x: round(left + slot * (index + 0.5)), label }] : [],
    ),
  }
}
