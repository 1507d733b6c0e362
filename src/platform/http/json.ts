/** JSON that is text already: cached fragments go out without being parsed and printed again. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export const toJson = (value: unknown): string => (value instanceof JsonText ? value.text : JSON.stringify(value))

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
