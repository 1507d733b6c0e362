export type Span = { start: Date; end: Date }

/** Half-open: whoever leaves at noon can begin elsewhere at noon. A span of no length is a moment of its own. */
export function overlaps(a: Span, b: Span): boolean {
  // Numbers: dates take several times as long to compare, and tables of people compare thousands.
  return a.start.getTime() < b.end.getTime() && b.start.getTime() < a.end.getTime()
}

export function spansWhole(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && outer.end >= inner.end
}

/** Milliseconds between two spans that do not overlap. */
export function gapBetween(a: Span, b: Span): number {
  return Math.max(a.start.getTime() - b.end.getTime(), b.start.getTime() - a.end.getTime())
}
