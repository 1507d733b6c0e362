/** Ids as a short text: `12-19,21`. Copies are made one after the other, so their ids are mostly consecutive. */
export function writeIdRanges(ids: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const id of [...ids].sort((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range && id === range[1] + 1) range[1] = id
    else ranges.push([id, id])
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',')
}

/** At most `most` ids; what is not a range is left out. */
export function readIdRanges(text: string, most: number): number[] {
  const ids = new Set<number>()
  for (const part of text.split(',')) {
    const [, first, last = first] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(part) ?? []
    if (first === undefined) continue
    for (let id = Number(first); id <= Number(last) && ids.size < most; id++) ids.add(id)
  }
  return [...ids]
}
