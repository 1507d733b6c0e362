/** Tables with those that they refer to before them; a table that refers to itself stands anywhere. */
export function inOrder(tables: readonly string[], references: readonly { from: string; to: string }[]): string[] {
  const waiting = new Map(tables.map((table) => [table, new Set<string>()]))
  for (const { from, to } of references) if (from !== to && waiting.has(to)) waiting.get(from)?.add(to)
  const ordered: string[] = []
  while (waiting.size) {
    const ready = [...waiting.keys()].filter((table) => [...waiting.get(table)!].every((other) => !waiting.has(other)))
    if (!ready.length) throw new Error(`these tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}`)
    for (const table of ready.sort()) {
      ordered.push(table)
      waiting.delete(table)
    }
  }
  return ordered
}
