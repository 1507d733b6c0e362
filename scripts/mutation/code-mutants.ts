import { stripTypeScriptTypes } from 'node:module'
import type { Mutant } from './mutants.ts'
import { type Edit, EXPRESSION, findSqlEdits, looksLikeSql } from './sql-mutants.ts'
import { type Node, parse, walk } from './syntax.ts'

type Place = { start: number; end: number; isStatement: boolean }
/**
 * `place`: the expression or statement that is written twice, with the change (`text`) and without. `isSql`: it changes a statement of the
 * database. `isStatic`: it is outside of functions, so it has an effect only when the file is loaded.
 */
export type CodeMutant = Mutant & { place: Place; text: string; isSql: boolean; isStatic: boolean }

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
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
}
/** Methods with a method that takes the same arguments. */
const METHODS: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  filter: 'slice',
  leftJoin: 'innerJoin',
  and: 'or',
  or: 'and',
}
/** Methods of a query that can be left out. */
const DROPPED = new Set(
  'where whereRef having forUpdate forShare forNoKeyUpdate forKeyShare skipLocked noWait distinct onConflict limit offset filterWhere on onRef'.split(
    ' ',
  ),
)
/** Operators of conditions in queries. */
const OPERATORS: Record<string, string[]> = {
  '=': ['!='],
  '!=': ['='],
  '<>': ['='],
  '<': ['<=', '>'],
  '<=': ['<'],
  '>': ['>=', '<'],
  '>=': ['>'],
  is: ['is not'],
  'is not': ['is'],
  in: ['not in'],
  'not in': ['in'],
}
/** Texts for people in descriptions of the API, which its document contains. */
const DESCRIPTIONS = new Set(['summary', 'description', 'title', 'example'])
/** Methods with a text that decides something; other methods get names of columns, without which there is no statement. */
const DECIDING = new Set(['has', 'includes', 'startsWith', 'endsWith', 'get'])
/** Arguments of these are columns with their values. */
const ASSIGNING = new Set(['set', 'values', 'doUpdateSet'])

type Found = Edit & { place: Node; text?: string; isSql?: boolean }

const nameOf = (node: Node | undefined): string => (node?.type === 'Identifier' ? String(node.name) : '')
const methodOf = (call: Node): string => {
  const callee = call.callee as Node
  return callee.type === 'MemberExpression' && !callee.computed ? nameOf(callee.property as Node) : ''
}
const argumentsOf = (call: Node): Node[] => call.arguments as Node[]
const whole = (place: Node, to: string): Found => ({ start: place.start, end: place.end, to, place })

function* changeOperator(node: Node, code: string): Generator<Found> {
  const [left, right, operator] = [node.left as Node, node.right as Node, String(node.operator)]
  const isText = (side: Node) => side.type === 'TemplateLiteral' || typeof side.value === 'string'
  if (operator === '+' && (isText(left) || isText(right))) return
  // Parentheses may stand between the operator and its sides.
  const start = code.indexOf(operator, left.end)
  const [before, after] = [code.slice(node.start, start), code.slice(start + operator.length, node.end)]
  for (const to of SWAPS[operator] ?? []) {
    // `??` must not stand beside `&&` without parentheses.
    const text = operator === '??' ? `(${before}) ${to} (${after})` : before + to + after
    yield { start, end: start + operator.length, to, text, place: node }
  }
}

function* changeLiteral(node: Node, around: readonly Node[]): Generator<Found> {
  const parent = around.at(-1)
  const isKey = parent !== undefined && parent.key === node && !parent.computed
  const isName = /^(?:Import|Export)/.test(parent?.type ?? '') || isKey || 'directive' in (parent ?? {})
  if (isName) return
  const { value } = node
  if (typeof value === 'boolean') yield whole(node, String(!value))
  if (typeof value === 'number') yield whole(node, `(${node.raw} + 1)`)
  if (typeof value !== 'string' || value === '' || looksLikeSql(value)) return
  if (parent?.type === 'Property' && DESCRIPTIONS.has(nameOf(parent.key as Node))) return
  if (parent?.type === 'CallExpression') {
    const method = methodOf(parent)
    if ((parent.callee as Node).type === 'MemberExpression' && !DECIDING.has(method)) return
    if (argumentsOf(parent).length === 3 && OPERATORS[value]) return
    if (['import', 'eb', 'Symbol', 'require'].includes(nameOf(parent.callee as Node))) return
  }
  // Lists of columns.
  if (parent?.type === 'ArrayExpression' && around.at(-2)?.type === 'CallExpression' && methodOf(around.at(-2)!)) return
  yield whole(node, "''")
}

function* changeCall(node: Node, chain: Node): Generator<Found> {
  const callee = node.callee as Node
  const method = methodOf(node)
  const given = argumentsOf(node)
  if (Object.hasOwn(METHODS, method)) {
    const { start, end } = callee.property as Node
    yield { start, end, to: METHODS[method]!, place: chain }
  }
  if (DROPPED.has(method)) yield { start: (callee.object as Node).end, end: node.end, to: '', place: chain, isSql: true }
  const operator = given[1]?.value
  if (given.length === 3 && typeof operator === 'string' && OPERATORS[operator])
    for (const to of OPERATORS[operator]) yield { ...whole(given[1]!, `'${to}'`), isSql: true }
  if (method === 'orderBy') {
    if (given[1]?.value === 'desc') yield { ...whole(given[1], "'asc'"), isSql: true }
    else if (given.length === 1) yield { start: given[0]!.end, end: given[0]!.end, to: ", 'desc'", place: chain, isSql: true }
  }
  if (ASSIGNING.has(method))
    for (const object of given) if (object.type === 'ObjectExpression') yield* dropProperties(object, chain)
}

/** One column is not written. */
function* dropProperties(object: Node, place: Node): Generator<Found> {
  const properties = object.properties as Node[]
  if (properties.length < 2) return
  for (const [index, { start, end }] of properties.entries()) {
    const next = properties[index + 1]
    if (next) yield { start, end: next.start, to: '', place, isSql: true }
    else yield { start: properties[index - 1]!.end, end, to: '', place, isSql: true }
  }
}

function* changeTemplate(template: Node, place: Node, code: string): Generator<Found> {
  const characters = code.slice(template.start + 1, template.end - 1).split('')
  for (const { start, end } of template.expressions as Node[]) {
    const from = code.lastIndexOf('${', start)
    const to = code.indexOf('}', end) + 1
    characters.fill(EXPRESSION, from - template.start - 1, to - template.start - 1)
  }
  for (const { start, end, to } of findSqlEdits(characters.join('')))
    yield { start: start + template.start + 1, end: end + template.start + 1, to, place, isSql: true }
}

function* changeNode(node: Node, around: readonly Node[], code: string): Generator<Found> {
  const parent = around.at(-1)
  // A part of `a?.b.c()` cannot stand in parentheses.
  const chain = around.findLast(({ type }) => !['MemberExpression', 'CallExpression'].includes(type))
  const place = chain?.type === 'ChainExpression' ? chain : node
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      yield* changeOperator(node, code)
      return
    case 'UnaryExpression':
      if (node.operator === '!') yield whole(node, code.slice((node.argument as Node).start, (node.argument as Node).end))
      return
    case 'Literal':
      yield* changeLiteral(node, around)
      if (typeof node.value === 'string' && !String(node.raw).includes('\\') && looksLikeSql(node.value))
        for (const edit of findSqlEdits(node.value))
          yield { start: node.start + 1 + edit.start, end: node.start + 1 + edit.end, to: edit.to, place: node, isSql: true }
      return
    case 'IfStatement':
    case 'ConditionalExpression':
      for (const to of ['true', 'false']) yield whole(node.test as Node, to)
      return
    case 'WhileStatement':
      yield whole(node.test as Node, 'false')
      return
    case 'CallExpression':
      yield* changeCall(node, place)
      return
    case 'ExpressionStatement': {
      const expression = node.expression as Node
      const inner = expression.type === 'AwaitExpression' ? (expression.argument as Node) : expression
      const isCall = inner.type === 'CallExpression' || inner.type === 'ChainExpression'
      const isSuper = isCall && (inner.callee as Node | undefined)?.type === 'Super'
      // Hooks and lists at the top level run when the file is loaded.
      if (isCall && !isSuper && around.length > 1) yield whole(node, '')
      return
    }
    case 'TaggedTemplateExpression':
      if (nameOf(node.tag as Node) === 'sql') yield* changeTemplate(node.quasi as Node, node, code)
      return
    case 'TemplateLiteral':
      if (parent?.type !== 'TaggedTemplateExpression' && looksLikeSql(code.slice(node.start + 1, node.end - 1)))
        yield* changeTemplate(node, node, code)
  }
}

/** All mutants of a TypeScript file with commands, queries or the like. */
export function findCodeMutants(source: string): CodeMutant[] {
  // Replaces types by blanks, so offsets stay the same.
  const code = stripTypeScriptTypes(source)
  const lines = source.split('\n')
  const found: CodeMutant[] = []
  walk(parse(code), (node, around) => {
    for (const { start, end, to, place, text: given, isSql = false } of changeNode(node, around, code)) {
      const line = source.slice(0, start).split('\n').length
      const from = source.slice(start, end).replace(/\s+/g, ' ')
      const text = given ?? code.slice(place.start, start) + to + code.slice(end, place.end)
      const isStatic = !around.some(({ type }) => /Function/.test(type))
      const written = { start: place.start, end: place.end, isStatement: place.type === 'ExpressionStatement' }
      found.push({ start, end, from, to, line, code: lines[line - 1]!.trim(), text, isSql, isStatic, place: written })
    }
  })
  return found.sort((a, b) => a.start - b.start || a.end - b.end)
}

const NAME = '__isMutant'

/**
 * The file as JavaScript with all mutants: `__isMutant(3) ? changed : original`. `__isMutant` comes from the object `mutation` of the
 * process, for this file.
 */
export function writeWithMutants(file: string, source: string, mutants: readonly CodeMutant[]): string {
  const code = stripTypeScriptTypes(source)
  const numbered: Numbered[] = mutants.map((mutant, index) => ({ place: mutant.place, mutant, index }))
  const starts = new Set(mutants.map(({ place }) => place.start))
  // A line must not begin with a parenthesis, because the line before may have no semicolon: such statements are written in braces.
  walk(parse(code), ({ type, start, end }) => {
    if (type === 'ExpressionStatement' && starts.has(start)) numbered.push({ place: { start, end, isStatement: true } })
  })
  const byPlace = Map.groupBy(numbered, ({ place }) => `${place.start} ${place.end} ${place.isStatement}`)
  const places = [...byPlace.values()].sort((a, b) => order(a[0]!.place, b[0]!.place))
  let next = 0
  /** Writes a range; places inside of it are written with their mutants. */
  const write = (start: number, end: number): string => {
    let text = ''
    let at = start
    while (next < places.length && places[next]![0]!.place.start < end) {
      const all = places[next++]!
      const { place } = all[0]!
      text += code.slice(at, place.start)
      text += writePlace(all, write(place.start, place.end))
      at = place.end
    }
    return text + code.slice(at, end)
  }
  return `const ${NAME}=globalThis.mutation.of(${JSON.stringify(file)});${write(0, code.length)}`
}

type Numbered = { place: Place; mutant?: CodeMutant; index?: number }

const order = (a: Place, b: Place): number => a.start - b.start || b.end - a.end || Number(b.isStatement) - Number(a.isStatement)

function writePlace(all: readonly Numbered[], original: string): string {
  const changes = all.filter((each): each is Required<Numbered> => each.mutant !== undefined)
  if (all[0]!.place.isStatement) return `${changes.map(({ index }) => `if(${NAME}(${index})){}else`).join('')}{${original}}`
  const choices = changes.map(({ index, mutant }) => `${NAME}(${index})?(${mutant.text}):`)
  return `(${choices.join('')}(${original}))`
}
