export const MAX_PLACEHOLDER_NAME_LENGTH = 254

/** So many names `base (n)`, n counted from 1, leaving out those that are taken. A long base is shortened so that the number fits. */
export function numberedNames(base: string, count: number, taken: ReadonlySet<string>): string[] {
  const names: string[] = []
  for (let n = 1; names.length < count; n++) {
    const name = numbered(base, n)
    if (!taken.has(name)) names.push(name)
  }
  return names
}

/** Counted in code points, as the database does. */
function numbered(base: string, n: number): string {
  const number = ` (${n})`
  const characters = [...base]
  const room = MAX_PLACEHOLDER_NAME_LENGTH - number.length
  return (characters.length > room ? `${characters.slice(0, room - 1).join('')}…` : base) + number
}
