/** The text from `start` to `end` becomes `to`. */
export type Edit = { start: number; end: number; to: string }

/** Marks an expression in a template, character by character, so that positions stay. */
export const EXPRESSION = '\uE000'
/** Marks the text of a literal or a comment. */
const LITERAL = '\uE001'

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*/g
const TOKEN = /[a-z_][\w$]*|\uE000+|\uE001+|->>?|#>>?|<=|>=|<>|!=|<@|@>|\|\||&&|<<|>>|:=|=>|::|[a-z0-9_.]+|[^\s]/gi

type Token = { text: string; start: number; end: number; depth: number; clause: string }
type Operand = { from: number; to: number; before: string; after: string }

/** Keywords that begin another part of a statement; an operand of `and` ends there. */
const CLAUSES = new Set(
  'where on having when then else end group order limit offset union intersect except select from returning for left right inner full cross join set values using window filter over as do conflict with case and or'.split(
    ' ',
  ),
)
const CONDITIONS = new Set(['where', 'on', 'having', 'when'])
const COMPARISONS: Record<string, string[]> = {
  '<': ['<=', '>'],
  '<=': ['<'],
  '>': ['>=', '<'],
  '>=': ['>'],
  '=': ['<>'],
  '<>': ['='],
  '!=': ['='],
}
const FUNCTIONS: Record<string, string> = { min: 'max', max: 'min', least: 'greatest', greatest: 'least', bool_and: 'bool_or' }

/** `clause`: the keyword that began the part of the statement in which the token stands, at its depth of parentheses. */
function tokenize(text: string): Token[] {
  const masked = text.replace(QUOTED, (quoted) => LITERAL.repeat(quoted.length))
  const clauses = ['']
  const tokens: Token[] = []
  for (const match of masked.matchAll(TOKEN)) {
    const word = match[0].toLowerCase()
    // An assignment ends at the next part; conditions may contain "and", "or" and parts of a case.
    if (CLAUSES.has(word) && !['and', 'or', 'as'].includes(word)) clauses[clauses.length - 1] = word
    tokens.push({
      text: word,
      start: match.index,
      end: match.index + match[0].length,
      depth: clauses.length,
      clause: clauses.at(-1)!,
    })
    if (word === '(') clauses.push('')
    if (word === ')' && clauses.length > 1) clauses.pop()
  }
  return tokens
}

const indexOfEnd = (tokens: readonly Token[], from: number, ends: (token: Token) => boolean): number => {
  const depth = tokens[from]?.depth ?? 0
  for (let index = from; index < tokens.length; index++) {
    const token = tokens[index]!
    if (token.depth < depth || (token.depth === depth && (token.text === ')' || ends(token)))) return index
  }
  return tokens.length
}

/** The parts between `and`, `or` and the ends of conditions. */
function findOperands(tokens: readonly Token[]): Operand[] {
  const found: Operand[] = []
  const isEnd = ({ text }: Token) => CLAUSES.has(text) || text === ',' || text === ';'
  // A part of a statement may begin with a condition.
  for (const [index, { text, depth }] of [[-1, { text: '', depth: 1 }] as const, ...tokens.entries()]) {
    const isStart = ['', 'and', 'or', '('].includes(text) || CONDITIONS.has(text)
    const first = tokens[index + 1]
    if (!isStart || !first || (text === '(' ? first.depth !== depth + 1 : first.depth !== depth)) continue
    if (text === 'and' && isBetween(tokens, index)) continue
    let end = indexOfEnd(tokens, index + 1, isEnd)
    // `between a and b` is one operand.
    while (tokens[end]?.text === 'and' && isBetween(tokens, end)) end = indexOfEnd(tokens, end + 1, isEnd)
    if (end > index + 1) found.push({ from: index + 1, to: end, before: text, after: tokens[end]?.text ?? '' })
  }
  return found
}

function isBetween(tokens: readonly Token[], index: number): boolean {
  const { depth } = tokens[index]!
  for (let at = index - 1; at >= 0 && tokens[at]!.depth >= depth; at--) {
    const token = tokens[at]!
    if (token.depth > depth) continue
    if (token.text === 'between') return true
    if (CLAUSES.has(token.text) || token.text === ',') return false
  }
  return false
}

function* changeConditions(tokens: readonly Token[]): Generator<Edit> {
  for (const { from, to, before, after } of findOperands(tokens)) {
    const isJoined = [before, after].some((word) => word === 'and' || word === 'or')
    if (!isJoined && before !== 'where') continue
    const [start, end] = [tokens[from]!.start, tokens[to - 1]!.end]
    // `and` binds stronger than `or`.
    const isConjunct = before === 'and' || after === 'and' || !isJoined
    const all = tokens.slice(from, to)
    if (all.length === 1 && (all[0]!.text === 'true' || all[0]!.text === 'false')) continue
    yield { start, end, to: isConjunct ? 'true' : 'false' }
  }
}

const drop = (start: number, end: number): Edit => ({ start, end, to: '' })

/** Words that can be left out or swapped, with those that follow them. */
function* changeWords(tokens: readonly Token[]): Generator<Edit> {
  for (const [index, token] of tokens.entries()) {
    const { text, start, end, clause } = token
    const [before, next, second] = [tokens[index - 1], tokens[index + 1], tokens[index + 2]]
    const isOperator = clause !== 'set' || token.depth !== setDepth(tokens, index)
    if (COMPARISONS[text] && isOperator && before?.text !== 'any') for (const to of COMPARISONS[text]) yield { start, end, to }
    if (text === 'is' && next?.text === 'null') yield { start: end, end, to: ' not' }
    if (text === 'is' && next?.text === 'not') yield drop(next.start, next.end)
    if (text === 'is' && next?.text === 'distinct') yield { start: end, end, to: ' not' }
    if (text === 'exists' && before?.text === 'not') yield drop(before.start, before.end)
    else if (text === 'exists' && next?.text === '(' && before?.text !== 'if') yield { start, end: start, to: 'not ' }
    if (text === 'not' && !['is', 'do', 'if'].includes(before?.text ?? '') && next?.text !== 'exists' && next?.text !== 'null')
      yield drop(start, end)
    if (text === 'distinct' && before?.text !== 'is' && before?.text !== 'not' && next?.text !== 'on') yield drop(start, end)
    if (text === 'for' && ['update', 'share', 'no', 'key'].includes(next?.text ?? ''))
      yield drop(start, tokens[findLockEnd(tokens, index) - 1]!.end)
    if (text === 'skip' && next?.text === 'locked') yield drop(start, next.end)
    if (text === 'on' && next?.text === 'conflict')
      yield drop(start, tokens[indexOfEnd(tokens, index + 1, (each) => each.text === 'returning') - 1]!.end)
    if (/^pg_(try_)?advisory_\w*lock/.test(text) && next?.text === '(')
      yield { start, end: tokens[closing(tokens, index + 1)]!.end, to: text.includes('try') ? 'true' : 'null' }
    if (text === 'desc') yield { start, end, to: 'asc' }
    if (text === 'asc') yield { start, end, to: 'desc' }
    if (text === 'left' && next?.text === 'join' && second?.text !== 'lateral') yield drop(start, end)
    if (Object.hasOwn(FUNCTIONS, text) && next?.text === '(') yield { start, end, to: FUNCTIONS[text]! }
    if (text === 'limit' && next) yield drop(start, tokens[indexOfEnd(tokens, index + 1, endsLimit) - 1]!.end)
  }
}

const endsLimit = ({ text }: Token): boolean => CLAUSES.has(text) || text === ';'

function findLockEnd(tokens: readonly Token[], from: number): number {
  const isPart = /^(?:for|update|share|no|key|of|skip|locked|nowait|,|[a-z]\w*)$/
  let end = from
  while (end < tokens.length && isPart.test(tokens[end]!.text) && (end === from || !CLAUSES.has(tokens[end]!.text))) end++
  return end
}

const closing = (tokens: readonly Token[], open: number): number =>
  tokens.findIndex(({ text, depth }, index) => index > open && text === ')' && depth === tokens[open]!.depth + 1)

/** The depth at which the assignments of `set` stand. */
function setDepth(tokens: readonly Token[], index: number): number {
  const { depth } = tokens[index]!
  return tokens.slice(0, index).findLast(({ text }) => text === 'set')?.depth ?? depth
}

/** One of several assignments is left out. */
function* dropAssignments(tokens: readonly Token[]): Generator<Edit> {
  for (const [index, { text }] of tokens.entries()) {
    if (text !== 'set') continue
    const isEnd = ({ text: word }: Token) => CLAUSES.has(word) && word !== 'case' && word !== 'end'
    const end = indexOfEnd(tokens, index + 1, isEnd)
    const { depth } = tokens[index]!
    const commas = tokens.slice(index + 1, end).filter((token) => token.text === ',' && token.depth === depth)
    for (const [at, comma] of commas.entries()) {
      const stop = commas[at + 1]?.start ?? tokens[end - 1]!.end
      yield drop(comma.start, stop)
    }
    const first = commas[0]
    if (first) yield drop(tokens[index + 1]!.start, first.end)
  }
}

const keyOf = ({ start, end, to }: Edit): string => `${start} ${end} ${to}`

/** Changes of a statement or a part of one. Expressions in it are written as `EXPRESSION`. */
export function findSqlEdits(text: string): Edit[] {
  const tokens = tokenize(text)
  const edits = [...changeConditions(tokens), ...changeWords(tokens), ...dropAssignments(tokens)]
  return [...new Map(edits.map((edit) => [keyOf(edit), edit])).values()].sort((a, b) => a.start - b.start || a.end - b.end)
}

/** A text that is SQL even without the tag. */
export const looksLikeSql = (text: string): boolean =>
  /^\s*(?:select|insert into|update|delete from|with|lock table)\b[\s\S]*\s/i.test(text) && / (?:from|set|into|as) |\(/.test(text)
