import { findAnyCycle, skipRemoved } from './inclusion.ts'

/** One entry of an exported catalogue. */
export type ExchangedQualification = {
  uuid: string
  title: string
  abbreviation: string
  category: { uuid: string; title: string }
  includes: string[]
  included_by: string[]
  /** Absent: the file says nothing about it. */
  valid_months?: number | null | undefined
}

export type ExistingQualification = {
  uuid: string
  title: string
  abbreviation: string
  category: string
  includes: readonly string[]
  valid_months: number | null
}
export type Change =
  | { field: 'title' | 'abbreviation' | 'category'; from: string; to: string }
  | { field: 'valid_months'; from: number | null; to: number | null }
/** `changed`: the qualification exists and differs from the entry. */
export type CatalogueLine = { entry: ExchangedQualification; state: 'new' | 'changed' | 'same'; changes: Change[] }

export function compareCatalogue(
  entries: readonly ExchangedQualification[],
  known: readonly ExistingQualification[],
): CatalogueLine[] {
  const byUuid = new Map(known.map((one) => [one.uuid, one]))
  return entries.map((entry) => {
    const here = byUuid.get(entry.uuid)
    if (!here) return { entry, state: 'new', changes: [] }
    const pairs: Change[] = [
      { field: 'title', from: here.title, to: entry.title },
      { field: 'abbreviation', from: here.abbreviation, to: entry.abbreviation },
      { field: 'category', from: here.category, to: entry.category.title },
      {
        field: 'valid_months',
        from: here.valid_months,
        to: entry.valid_months === undefined ? here.valid_months : entry.valid_months,
      },
    ]
    const changes = pairs.filter(({ from, to }) => from !== to)
    return { entry, state: changes.length ? 'changed' : 'same', changes }
  })
}

/** Either side of an inclusion may declare it: `includes` or `included_by`. */
export function readInclusions(entries: readonly ExchangedQualification[]): Map<string, string[]> {
  const edges = new Map(entries.map(({ uuid, includes }) => [uuid, [...includes]]))
  for (const { uuid, included_by } of entries) for (const above of included_by) edges.get(above)?.push(uuid)
  return new Map([...edges].map(([uuid, included]) => [uuid, [...new Set(included)]]))
}

type ImportPlan =
  | { ok: true; entries: ExchangedQualification[]; includes: Map<string, string[]> }
  | { ok: false; reason: 'cycle'; path: string[] }

/**
 * What to store for the chosen entries. Entries of existing qualifications always count as chosen. Inclusions through
 * entries that are not chosen become direct; existing inclusions stay.
 */
export function planImport(
  entries: readonly ExchangedQualification[],
  known: readonly ExistingQualification[],
  chosen: ReadonlySet<string>,
): ImportPlan {
  const here = new Map(known.map(({ uuid, includes }) => [uuid, includes]))
  const isTaken = (uuid: string) => here.has(uuid) || chosen.has(uuid)
  const inFile = readInclusions(entries)
  const ownCycle = findAnyCycle(inFile)
  if (ownCycle) return { ok: false, reason: 'cycle', path: ownCycle }
  const listed = new Set(inFile.keys())
  const taken = skipRemoved(inFile, (uuid) => (listed.has(uuid) ? isTaken(uuid) : here.has(uuid)))
  const together = new Map<string, string[]>([...here].map(([uuid, includes]) => [uuid, [...includes]]))
  for (const [uuid, included] of taken) {
    const known = included.filter(isTaken)
    together.set(uuid, [...new Set([...(together.get(uuid) ?? []), ...known])])
  }
  const cycle = findAnyCycle(together)
  if (cycle) return { ok: false, reason: 'cycle', path: cycle }
  return { ok: true, entries: entries.filter(({ uuid }) => isTaken(uuid)), includes: together }
}
