/** Sorts tables so that each comes after the tables it refers to. References of a table to itself are ignored. */
export function sortByReferences(tables: readonly string[], references: readonly { from: string; to: string }[]): string[] {
  const pending = new Map(tables.map((table) => [table, new Set<string>()]))
  for (const { from, to } of references) if (from !== to && pending.has(to)) pending.get(from)?.add(to)
  const ordered: string[] = []
  while (pending.size) {
    const ready = [...pending.keys()].filter((table) => [...pending.get(table)!].every((other) => !pending.has(other)))
    if (!ready.length) throw new Error(`these tables refer to each other in a cycle: ${[...pending.keys()].join(', ')}`)
    for (const table of ready.sort()) {
      ordered.push(table)
      pending.delete(table)
    }
  }
  return ordered
}
