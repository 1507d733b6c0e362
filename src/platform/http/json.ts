/** JSON that is written already: kept bodies go out without being printed or encoded again. */
export class JsonBytes {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
}

export const jsonBytes = (value: unknown): Buffer =>
  value instanceof JsonBytes ? value.bytes : Buffer.from(JSON.stringify(value))

const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g

/** JSON text for reading, its numbers and the order of its keys as they were. */
export function indentJson(text: string, width: number): string {
  let depth = 0
  let printed = ''
  let last = ''
  const newLine = () => `\n${' '.repeat(width * depth)}`
  for (const [token] of text.matchAll(TOKENS)) {
    const closes = token === '}' || token === ']'
    const follows = last === '{' || last === '[' || last === ','
    if (closes) depth--
    if (closes ? last !== '{' && last !== '[' : follows) printed += newLine()
    printed += token === ':' ? ': ' : token
    if (token === '{' || token === '[') depth++
    last = token
  }
  return printed
}
