/** A directed graph that refuses edges which would close a cycle. */
export class AcyclicGraph {
  readonly #edges = new Map<number, Set<number>>()

  /** False if the edge would close a cycle and was not added. */
  addEdge(from: number, to: number): boolean {
    if (from === to || this.#reaches(to, from)) return false
    const targets = this.#edges.get(from) ?? new Set()
    this.#edges.set(from, targets.add(to))
    return true
  }

  #reaches(from: number, to: number): boolean {
    const pending = [from]
    const seen = new Set<number>()
    for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
      if (node === to) return true
      if (seen.has(node)) continue
      seen.add(node)
      pending.push(...(this.#edges.get(node) ?? []))
    }
    return false
  }
}
