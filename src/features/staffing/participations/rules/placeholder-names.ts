export const MAX_PLACEHOLDER_NAME_LENGTH = 254

/** `count` names `base (n)`, n from 1, without those that are taken. A long base is shortened so that the number fits. */
export function numberedNames(base: string, count: number, taken: ReadonlySet<string>): string[] {
  const names: string[] = []
  for (let n = 1; names.length < count; n++) {
    const name = numbered(base, n)
    if (!taken.has(name)) names.push(name)
  }
  return names
}

/** Counts code points, as PostgreSQL does. */
function numbered(base: string, n: number): string {
  const number = ` (${n})`
  const characters = [...base]
  const available = MAX_PLACEHOLDER_NAME_LENGTH - number.length
  return (characters.length > available ? `${characters.slice(0, available - 1).join('')}…` : base) + number
}
