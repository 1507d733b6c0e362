// The generated part of the Python client: types of records and bodies, and a method for each operation. `npm run api` writes them.

type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  description?: string
}
type Parameter = { $ref?: string; name: string; in: string; required?: boolean; deprecated?: boolean; schema: Schema }
type Content = Record<string, { schema: Schema }>
type Operation = {
  operationId: string
  summary: string
  parameters?: Parameter[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

const HEADER = '# Written by `npm run api` from docs/api/openapi.json. Do not edit.\nfrom __future__ import annotations\n'
const KEYWORDS = new Set([
  'from',
  'class',
  'import',
  'global',
  'pass',
  'in',
  'is',
  'not',
  'or',
  'and',
  'if',
  'else',
  'for',
  'def',
])
const isIdentifier = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !KEYWORDS.has(name)
const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) => first.toUpperCase())
const literal = (value: unknown): string =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)

/** Writes a TypedDict for every object, also for those inside of others. */
class Types {
  readonly #classes: string[] = []
  readonly #aliases: string[] = []
  readonly #names: Set<string>
  constructor(taken: Iterable<string>) {
    this.#names = new Set([...taken, 'Page', 'Any'])
  }

  addComponent(name: string, schema: Schema): void {
    const item = schema.properties?.results?.items
    if (item && schema.properties?.previous) this.#aliases.push(`${name} = Page[${this.typeOf(item, `${name}Item`)}]`)
    else if (schema.properties) this.#addClass(name, schema)
    else this.#aliases.push(`${name} = ${this.typeOf(schema, name)}`)
  }

  typeOf(schema: Schema, name: string): string {
    if (schema.$ref) return schema.$ref.split('/').at(-1)!
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`
    if (schema.anyOf) return union(schema.anyOf.map((each) => this.typeOf(each, name)))
    if (Array.isArray(schema.type)) return union(schema.type.map((type) => this.typeOf({ ...schema, type }, name)))
    if (schema.type === 'array') return `list[${this.typeOf(schema.items ?? {}, `${name}Item`)}]`
    if (schema.type !== 'object') return PLAIN[schema.type ?? ''] ?? 'Any'
    if (schema.properties) return this.#addClass(this.#free(name), schema)
    const { additionalProperties: values } = schema
    return `dict[str, ${typeof values === 'object' ? this.typeOf(values, `${name}Value`) : 'Any'}]`
  }

  /** `EventType` is a component, so the type of an event is `EventType_`. */
  #free(name: string): string {
    const free = this.#names.has(name) ? this.#free(`${name}_`) : name
    this.#names.add(free)
    return free
  }

  #addClass(name: string, schema: Schema): string {
    const required = new Set(schema.required)
    const fields = Object.entries(schema.properties!).map(([key, part]) => {
      const type = this.typeOf(part, name + pascal(key))
      return [key, required.has(key) ? type : `NotRequired[${type}]`, part.description] as const
    })
    if (fields.every(([key]) => isIdentifier(key))) {
      const lines = fields.map(([key, type, about]) => `    ${key}: ${type}${about ? `  # ${oneLine(about)}` : ''}`)
      this.#classes.push(`class ${name}(TypedDict):\n${lines.join('\n') || '    pass'}\n`)
    } else {
      const lines = fields.map(([key, type]) => `    ${JSON.stringify(key)}: ${JSON.stringify(type)},`)
      this.#classes.push(`${name} = TypedDict(${JSON.stringify(name)}, {\n${lines.join('\n')}\n})\n`)
    }
    return name
  }

  toString(): string {
    const page =
      'class Page(TypedDict, Generic[T]):\n    count: int | None\n    next: str | None\n    previous: str | None\n    results: list[T]\n'
    const imports = 'from typing import Any, Generic, Literal, NotRequired, TypedDict, TypeVar\n\nT = TypeVar("T")\n'
    return `${[HEADER, imports, '', page, '', this.#classes.join('\n\n'), this.#aliases.join('\n')].join('\n').trimEnd()}\n`
  }
}

const PLAIN: Record<string, string> = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' }
const union = (types: string[]): string => [...new Set(types)].join(' | ')
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

/** Written answers of tokens without a READ scope are left out: the types are those of tokens that may read the record. */
function answerOf({ operationId, responses }: Operation, types: Types): string | undefined {
  const seen = new Set<string>()
  const answers = Object.entries(responses).flatMap(([status, { content }]) => {
    const isKnown = seen.has(JSON.stringify(content))
    seen.add(JSON.stringify(content))
    if (!status.startsWith('2') || isKnown) return []
    if (!content) return ['None']
    const schema = content['application/json']?.schema
    if (!schema || content['text/event-stream'] || Object.keys(content).length > 1) return []
    const readable = schema.anyOf?.filter(({ $ref }) => !$ref?.endsWith('/Written')) ?? [schema]
    return readable.map((each) => types.typeOf(each, `${pascal(operationId)}Answer`))
  })
  return answers.length ? union(answers) : undefined
}

type Argument = { text: string; isKeyword: boolean }

function methodOf(verb: string, path: string, operation: Operation, document: Document, types: Types): string[] {
  const answer = answerOf(operation, types)
  if (answer === undefined) return []
  const all = (operation.parameters ?? [])
    .map((each) => (each.$ref ? document.components.parameters[each.$ref.split('/').at(-1)!]! : each))
    .filter(({ deprecated }) => !deprecated)
  const inside = all.filter((each) => each.in === 'path')
  const query = all.filter((each) => each.in === 'query')
  const ifMatch = all.find(({ name }) => name === 'If-Match')
  const hasKey = all.some(({ name }) => name === 'Idempotency-Key')
  const body = operation.requestBody?.content['application/json']?.schema
  const args: Argument[] = inside.map(({ name, schema }) => ({
    text: `${name}: ${types.typeOf(schema, name)}`,
    isKeyword: false,
  }))
  if (body) {
    const type = types.typeOf(body, `${pascal(operation.operationId)}Body`)
    args.push({ text: body.required?.length ? `body: ${type}` : `body: ${type} | None = None`, isKeyword: false })
  }
  const keyword = (text: string) => args.push({ text, isKeyword: true })
  if (ifMatch) keyword(ifMatch.required ? 'if_match: str' : 'if_match: str | None = None')
  if (hasKey) keyword('idempotency_key: str | None = None')
  for (const { name, schema } of query) keyword(`${name}: ${types.typeOf(schema, name)} | None = None`)
  const sent = [
    literal(verb.toUpperCase()),
    `${inside.length ? 'f' : ''}"${path.replaceAll(/\{(\w+)\}/g, "{quote(str($1), safe='')}")}"`,
    ...(query.length ? [`query={${query.map(({ name }) => `"${name}": ${name}`).join(', ')}}`] : []),
    ...(body ? ['body=body'] : []),
    ...(ifMatch ? ['if_match=if_match'] : []),
    ...(hasKey ? ['idempotency_key=idempotency_key'] : []),
  ]
  const positional = args.filter(({ isKeyword }) => !isKeyword).map(({ text }) => text)
  const named = args.filter(({ isKeyword }) => isKeyword).map(({ text }) => text)
  const signature = ['self', ...positional, ...(named.length ? ['*', ...named] : [])]
  return [
    `    def ${operation.operationId}(${signature.join(', ')}) -> ${answer}:`,
    `        """${oneLine(operation.summary)}"""`,
    `        return self._call(${sent.join(', ')})`,
    '',
  ]
}

/** The text of `types.py` and of `api.py`. */
export function makePythonClient(openapi: object): { types: string; api: string } {
  const document = openapi as Document
  const types = new Types(Object.keys(document.components.schemas))
  for (const [name, schema] of Object.entries(document.components.schemas)) types.addComponent(name, schema)
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([verb, operation]) => methodOf(verb, path, operation, document, types)),
  )
  const api = [
    // The answer has the type that the document declares; nothing checks it at run time.
    `# mypy: disable-error-code="no-any-return"\n${HEADER}`,
    'from typing import Any, Literal',
    'from urllib.parse import quote',
    '',
    'from .types import *  # noqa: F403',
    '',
    '',
    'class Api:',
    '    """One method for each operation of the API, named by its operation id."""',
    '',
    '    def _call(self, method: str, path: str, *, query: Any = None, body: Any = None, if_match: str | None = None, idempotency_key: str | None = None) -> Any:',
    '        raise NotImplementedError',
    '',
    ...methods,
  ]
  return { types: String(types), api: `${api.join('\n').trimEnd()}\n` }
}
