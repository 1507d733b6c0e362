import { stripTypeScriptTypes } from 'node:module'

/** One small change of a source file: the text from `start` to `end` becomes `to`. */
export type Mutant = { start: number; end: number; from: string; to: string; line: number; code: string }

/** `file` is relative to the project. */
export type Placed = Mutant & { file: string }

type Token = { kind: 'name' | 'number' | 'string' | 'punctuator'; text: string; start: number; end: number }

const SKIPPED = /\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\//y
const NAME = /#?[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*/uy
const NUMBER = /(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:e[+-]?\d+)?)n?/iy
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y
const REGEX = /\/(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const PUNCTUATOR =
  /=>|\.\.\.|===|!==|\*\*=?|\?\?=?|&&=?|\|\|=?|\?\.(?!\d)|[-+*/%&|^]=|<<=?|>>>?=?|[<>=!]=|\+\+|--|[-+*/%&|^!~<>=?:;,.()[\]{}@]/y
/** After these a slash starts a regular expression, not a division. */
const BEFORE_REGEX =
  /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|yield|await|[-+*/%&|^!~<>=?:;,([{}]|=>|\.\.\.|&&|\|\||\?\?|===?|!==?|<=|>=)$/

/** Tokens of JavaScript. The text of templates is left out; their expressions are scanned. */
function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  /** Depth of braces for each open `${`. */
  const templates: number[] = []
  let depth = 0
  let at = 0
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  const skipTemplate = () => {
    while (at < source.length) {
      if (source[at] === '\\') at += 2
      else if (source[at] === '`') {
        at++
        return
      } else if (source.startsWith('${', at)) {
        at += 2
        templates.push(depth)
        return
      } else at++
    }
  }
  const add = (kind: Token['kind'], text: string) => {
    tokens.push({ kind, text, start: at, end: at + text.length })
    at += text.length
  }
  while (at < source.length) {
    const skipped = match(SKIPPED)
    if (skipped) {
      at += skipped.length
      continue
    }
    if (source[at] === '`') {
      at++
      skipTemplate()
      continue
    }
    if (source[at] === '}' && templates.at(-1) === depth) {
      templates.pop()
      at++
      skipTemplate()
      continue
    }
    const regex = BEFORE_REGEX.test(tokens.at(-1)?.text ?? ';') ? match(REGEX) : undefined
    if (regex) {
      at += regex.length
      continue
    }
    const [name, number, string] = [match(NAME), match(NUMBER), match(STRING)]
    if (name) add('name', name)
    else if (number) add('number', number)
    else if (string) add('string', string)
    else {
      const punctuator = match(PUNCTUATOR)
      if (punctuator === '{') depth++
      if (punctuator === '}') depth--
      add('punctuator', punctuator ?? source[at]!)
    }
  }
  return tokens
}

const SWAPS: Record<string, string[]> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '*': ['/'],
  '%': ['*'],
}
const METHODS: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
}

/** A minus or plus between two values, not a sign. */
const isBinary = (before: Token | undefined): boolean =>
  before !== undefined && (before.kind !== 'punctuator' || before.text === ')' || before.text === ']') && before.text !== 'return'

/** All mutants of a TypeScript file. Types and imports are not changed, because they have no effect at run time. */
export function findMutants(source: string): Mutant[] {
  // Replaces types by blanks, so offsets stay the same.
  const tokens = tokenize(stripTypeScriptTypes(source))
  const found: Mutant[] = []
  const lines = source.split('\n')
  const add = ({ start, end }: { start: number; end: number }, to: string) => {
    const line = source.slice(0, start).split('\n').length
    found.push({ start, end, from: source.slice(start, end), to, line, code: lines[line - 1]!.trim() })
  }
  let isImport = false
  for (const [index, token] of tokens.entries()) {
    const [before, after] = [tokens[index - 1], tokens[index + 1]]
    const { kind, text, start } = token
    if (kind === 'name' && text === 'import' && after?.text !== '(') isImport = true
    if (isImport) {
      if (kind === 'string') isImport = false
      continue
    }
    const isProperty = before?.text === '.' || before?.text === '?.'
    const isKey = after?.text === ':' && (before?.text === '{' || before?.text === ',')
    if (kind === 'punctuator') {
      for (const to of SWAPS[text] ?? []) add(token, to)
      if (text === '+' && isBinary(before) && after?.kind !== 'string' && before?.kind !== 'string') add(token, '-')
      if (text === '-' && isBinary(before)) add(token, '+')
      if (text === '!') add(token, '')
    }
    if (kind === 'name' && !isProperty && !isKey) {
      if (text === 'true') add(token, 'false')
      if (text === 'false') add(token, 'true')
    }
    if (kind === 'name' && isProperty && after?.text === '(' && Object.hasOwn(METHODS, text)) add(token, METHODS[text]!)
    if (kind === 'name' && isProperty && text === 'filter' && after?.text === '(') add(token, 'slice')
    if (kind === 'number' && !isProperty && !isKey) add(token, `(${text} + 1)`)
    if (kind === 'string' && !isKey && text.length > 2) add({ start, end: token.end }, "''")
    if (kind === 'name' && text === 'if' && after?.text === '(') {
      const end = closingOf(tokens, index + 1)
      if (end) for (const to of ['(true)', '(false)']) add({ start: after.start, end: end.end }, to)
    }
  }
  return found
}

function closingOf(tokens: readonly Token[], from: number): Token | undefined {
  let depth = 0
  for (const token of tokens.slice(from)) {
    if (token.kind !== 'punctuator') continue
    if (token.text === '(') depth++
    if (token.text === ')' && --depth === 0) return token
  }
  return undefined
}
