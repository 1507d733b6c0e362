const SPACE = /[ \t\n\r]*/y
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR =
  /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * Where a text stops being JSON: the place of the first token that does not belong there, or the end if something is missing.
 * Messages of JSON.parse name it only for some faults.
 */
export function findJsonFault(text: string): { line: number; column: number } | undefined {
  const at = findFault(text)
  if (at === undefined) return undefined
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}

function findFault(text: string): number | undefined {
  const open: ('{' | '[')[] = []
  let at = 0
  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found !== null
  }
  const take = (mark: string): boolean => {
    skip(SPACE)
    if (text[at] !== mark) return false
    at++
    return true
  }
  /** The name of a property with its colon. */
  const takeName = (): boolean => {
    skip(SPACE)
    return skip(STRING) && take(':')
  }
  for (;;) {
    if (take('[')) {
      open.push('[')
      if (!take(']')) continue
      open.pop()
    } else if (take('{')) {
      open.push('{')
      if (!take('}')) {
        if (takeName()) continue
        return at
      }
      open.pop()
    } else if (!skip(SCALAR)) return at
    // A value has ended: close what ends with it, and go on after a comma.
    while (open.length && take(open.at(-1) === '{' ? '}' : ']')) open.pop()
    if (!open.length) {
      skip(SPACE)
      return at === text.length ? undefined : at
    }
    if (!take(',') || (open.at(-1) === '{' && !takeName())) return at
  }
}
