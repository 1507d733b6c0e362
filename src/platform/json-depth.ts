/** Far more than any real document has. Parsers and validators work recursively, so deep nesting costs time and stack. */
const MAX_DEPTH = 64

/** Parses JSON of others; throws a SyntaxError for deep nesting, too. */
export function parseForeignJson(text: string, reviver?: (name: string, value: unknown) => unknown): unknown {
  if (isTooDeep(text)) throw new SyntaxError(`JSON with more than ${MAX_DEPTH} levels`)
  return JSON.parse(text, reviver)
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [34, 92, 91, 93, 123, 125]

function isTooDeep(text: string): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inText) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) inText = false
    } else if (code === QUOTE) inText = true
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
  return false
}
