/** Keeps a graph without circles: an edge that would close one is not taken. */
export class Circles {
  readonly #next = new Map<number, Set<number>>()

  /** False: it was not taken. */
  join(from: number, to: number): boolean {
    if (from === to || this.#reaches(to, from)) return false
    const next = this.#next.get(from) ?? new Set()
    this.#next.set(from, next.add(to))
    return true
  }

  #reaches(from: number, to: number): boolean {
    const waiting = [from]
    const seen = new Set<number>()
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (at === to) return true
      if (seen.has(at)) continue
      seen.add(at)
      waiting.push(...(this.#next.get(at) ?? []))
    }
    return false
  }
}
