export type Span = { start: Date; end: Date }

/** Half-open: whoever leaves at noon can begin elsewhere at noon. A span of no length is a moment of its own. */
export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end
}

export function spansWhole(outer: Span, inner: Span): boolean {
  return outer.start <= inner.start && outer.end >= inner.end
}

/** Milliseconds between two spans that do not overlap. */
export function gapBetween(a: Span, b: Span): number {
  return a.start >= b.end ? a.start.getTime() - b.end.getTime() : b.start.getTime() - a.end.getTime()
}
