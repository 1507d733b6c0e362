/** Names in one cell, separated by semicolons, commas, bars or line breaks; a name in quotation marks can contain them. */
export function splitNames(cell: string, isKnown: (name: string) => boolean): string[] {
  const text = cell.trim()
  if (!text) return []
  if (isKnown(text)) return [text]
  const pieces = splitOutsideQuotes(text, /[;|\n]/)
  // A comma can be a part of a name.
  return pieces.flatMap((piece) => (isKnown(piece) ? [piece] : splitOutsideQuotes(piece, /,/))).map(unquote)
}

const isQuoted = (text: string): boolean => /^".*"$/s.test(text)
const unquote = (text: string): string => (isQuoted(text) ? text.slice(1, -1).replaceAll('""', '"') : text)

function splitOutsideQuotes(text: string, separator: RegExp): string[] {
  const pieces: string[] = []
  let piece = ''
  let isInside = false
  for (const character of text) {
    if (character === '"') isInside = !isInside
    if (separator.test(character) && !isInside) {
      pieces.push(piece)
      piece = ''
    } else piece += character
  }
  pieces.push(piece)
  return pieces.map((each) => each.trim()).filter(Boolean)
}

/** The inverse of `splitNames`. */
export const joinNames = (names: readonly string[]): string =>
  names.map((name) => (/[;,|\n"]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join('; ')

const IN_PARENTHESES =
  /^(.+?)\s*\((?:(?:valid\s+)?(?:until|to)\s|(?:gültig\s+)?bis\s|exp(?:ires)?\.?:?\s)?\s*([^()]*\d{2}[^()]*)\)$/iu
const AFTER_A_WORD = /^(.+?)[,:]?\s+(?:(?:valid\s+)?until|(?:gültig\s+)?bis|expires)\s+(\S.*\d)$/iu

/** `First aid (until 2027-05-31)` → the name and the text of the day. Names can end with parentheses, such as `Truck (C1)`. */
export function splitUntil(text: string, isDay: (text: string) => boolean): { name: string; until: string | undefined } {
  for (const pattern of [IN_PARENTHESES, AFTER_A_WORD]) {
    const [, name, until] = pattern.exec(text) ?? []
    if (name !== undefined && until !== undefined && isDay(until.trim())) return { name, until: until.trim() }
  }
  return { name: text, until: undefined }
}

/** The inverse of `splitUntil`. */
export const joinUntil = (name: string, until: string | null): string => (until === null ? name : `${name} (${until})`)
