import { bridge, findAnyCycle } from './inclusion.ts'

/** One entry of a catalogue that instances hand to each other. */
export type ExchangedQualification = {
  uuid: string
  title: string
  abbreviation: string
  category: { uuid: string; title: string }
  includes: string[]
  included_by: string[]
}

export type Known = { uuid: string; title: string; abbreviation: string; category: string; includes: readonly string[] }
export type Change = { field: 'title' | 'abbreviation' | 'category'; from: string; to: string }
/** `changed`: it is here already and would be told differently. */
export type Line = { entry: ExchangedQualification; state: 'new' | 'changed' | 'same'; changes: Change[] }

/** What the file says about each of its entries, compared with what is here. */
export function compareCatalogue(entries: readonly ExchangedQualification[], known: readonly Known[]): Line[] {
  const byUuid = new Map(known.map((one) => [one.uuid, one]))
  return entries.map((entry) => {
    const here = byUuid.get(entry.uuid)
    if (!here) return { entry, state: 'new', changes: [] }
    const pairs: Change[] = [
      { field: 'title', from: here.title, to: entry.title },
      { field: 'abbreviation', from: here.abbreviation, to: entry.abbreviation },
      { field: 'category', from: here.category, to: entry.category.title },
    ]
    const changes = pairs.filter(({ from, to }) => from !== to)
    return { entry, state: changes.length ? 'changed' : 'same', changes }
  })
}

/** An inclusion may be told by either end. */
export function edgesOfFile(entries: readonly ExchangedQualification[]): Map<string, string[]> {
  const edges = new Map(entries.map(({ uuid, includes }) => [uuid, [...includes]]))
  for (const { uuid, included_by } of entries) for (const above of included_by) edges.get(above)?.push(uuid)
  return new Map([...edges].map(([uuid, included]) => [uuid, [...new Set(included)]]))
}

export type Plan =
  | { ok: true; entries: ExchangedQualification[]; includes: Map<string, string[]> }
  | { ok: false; reason: 'cycle'; path: string[] }

/**
 * What is to be stored when some entries are chosen. Those that are here already always count as chosen. What the file includes
 * through entries that are left out is included directly; what is included here stays.
 */
export function planImport(
  entries: readonly ExchangedQualification[],
  known: readonly Known[],
  chosen: ReadonlySet<string>,
): Plan {
  const here = new Map(known.map(({ uuid, includes }) => [uuid, includes]))
  const isTaken = (uuid: string) => here.has(uuid) || chosen.has(uuid)
  const inFile = edgesOfFile(entries)
  const ownCycle = findAnyCycle(inFile)
  if (ownCycle) return { ok: false, reason: 'cycle', path: ownCycle }
  const listed = new Set(inFile.keys())
  const taken = bridge(inFile, (uuid) => (listed.has(uuid) ? isTaken(uuid) : here.has(uuid)))
  const together = new Map<string, string[]>([...here].map(([uuid, includes]) => [uuid, [...includes]]))
  for (const [uuid, included] of taken) {
    const known = included.filter(isTaken)
    together.set(uuid, [...new Set([...(together.get(uuid) ?? []), ...known])])
  }
  const cycle = findAnyCycle(together)
  if (cycle) return { ok: false, reason: 'cycle', path: cycle }
  return { ok: true, entries: entries.filter(({ uuid }) => isTaken(uuid)), includes: together }
}
