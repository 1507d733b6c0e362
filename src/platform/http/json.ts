/** Serialized JSON: cached bodies are sent without serializing them again. */
export class JsonBytes {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

export const jsonBytes = (value: unknown): Buffer =>
  value instanceof JsonBytes ? value.bytes : Buffer.from(JSON.stringify(value))

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** Indents JSON text without changing numbers or key order. */
export function indentJson(text: string, width: number): string {
  let depth = 0
  let indented = ''
  let last = ''
  const newLine = () => `\n${' '.repeat(width * depth)}`
  for (const [token] of text.matchAll(TOKENS)) {
    const closes = token === '}' || token === ']'
    const follows = last === '{' || last === '[' || last === ','
    if (closes) depth--
    if (closes ? last !== '{' && last !== '[' : follows) indented += newLine()
    indented += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth++
    last = token
  }
  return indented
}
