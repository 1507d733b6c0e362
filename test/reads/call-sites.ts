import { lineOf } from './lines.ts'

/** A `sql<Row>` template in a source file. */
export type CallSite = {
  /** From the root of the project. */
  path: string
  line: number
  /** Line and column of the opening backtick, where a stack trace points to. */
  templateLine: number
  templateColumn: number
  /** The text between the angle brackets, and where it stands in the file. */
  rowType: string
  start: number
  end: number
  /** From the comment `// unchecked read: reason`. */
  uncheckedReason?: string
  /** From the comment `// never null: column, column (reason)`. */
  neverNull: string[]
}

/** All templates with a row type. Comments are skipped; strings that contain `sql<` do not occur in sources. */
export function findCallSites(path: string, text: string): CallSite[] {
  const code = blankComments(text)
  return [...code.matchAll(/(?<![\w.$])sql</g)].flatMap(({ index }) => {
    const start = index + 'sql<'.length
    const end = endOfTypeArguments(code, start)
    const template = end === undefined ? undefined : /^>\s*`/.exec(code.slice(end))
    if (end === undefined || !template) return []
    const backtick = end + template[0].length - 1
    const comments = commentsAbove(text, index)
    const uncheckedReason = comments.map((line) => /^unchecked read: (.+)$/.exec(line)?.[1]).find(Boolean)
    const neverNull = comments.flatMap((line) => /^never null: ([\w, ]+?) \(.+\)$/.exec(line)?.[1]?.split(/, */) ?? [])
    return {
      path,
      line: lineOf(text, index),
      templateLine: lineOf(text, backtick),
      templateColumn: backtick - (text.lastIndexOf('\n', backtick - 1) + 1) + 1,
      rowType: text.slice(start, end),
      start,
      end,
      neverNull,
      ...(uncheckedReason === undefined ? {} : { uncheckedReason }),
    }
  })
}

/** The index of the `>` that closes the type arguments which begin at `start`. */
function endOfTypeArguments(code: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < code.length; at++) {
    const character = code[at]!
    if ('<({['.includes(character)) depth++
    else if (')}]'.includes(character)) depth--
    else if (character === '>' && code[at - 1] !== '=') {
      if (depth === 0) return at
      depth--
    } else if (character === '`') return undefined
  }
  return undefined
}

/** Replaces comments by spaces, so that positions stay the same. Leaves `//` in strings such as addresses alone. */
function blankComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/[^\n]*/g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
}

/** The lines of `//` directly above the statement in which the template stands. */
function commentsAbove(text: string, index: number): string[] {
  const lines = text.slice(0, index).split('\n').slice(0, -1)
  const found: string[] = []
  while (lines.length) {
    const comment = /^\s*\/\/ (.*)$/.exec(lines.pop()!)
    if (!comment) break
    found.unshift(comment[1]!)
  }
  return found
}
