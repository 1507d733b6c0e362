import type { Answer, Json } from '#test/support/api-response.ts'

type Schema = Record<string, Json>
type Check = (value: Json, path: string) => string | undefined

const FORMATS: Record<string, RegExp> = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?[+-]\d\d:\d\d$/,
  date: /^\d{4}-\d\d-\d\d$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^[a-z][a-z0-9+.-]*:\S+$/,
}
const NUMBERS = new Set(['int32', 'int64', 'double', 'float'])
/** Keywords that do not restrict values. */
const SILENT = new Set(['description', 'examples', 'example', 'title', 'default', 'propertyNames', 'readOnly', 'deprecated'])

function typeOf(value: Json): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** The subset of JSON Schema that the document uses; throws on unknown keywords. `partial`: records may lack keys (`fields`). */
export function compile(schema: Schema, document: Json, { partial = false } = {}): Check {
  const known = new Map<Schema, Check>()
  const resolve = (reference: string): Schema =>
    reference
      .slice(2)
      .split('/')
      .reduce((at, key) => at[key.replaceAll('~1', '/')], document)
  const make = (each: Schema): Check => {
    let check = known.get(each)
    if (!check) {
      // Registered before it is compiled, for recursive schemas.
      known.set(each, (value, path) => check!(value, path))
      const checks = Object.entries(each).flatMap(([word, meaning]) => wordCheck(word, meaning, each))
      check = (value, path) => {
        for (const one of checks) {
          const fault = one(value, path)
          if (fault) return fault
        }
        return undefined
      }
    }
    return check
  }
  const wordCheck = (word: string, meaning: Json, whole: Schema): Check[] => {
    if (SILENT.has(word)) return []
    const when = (isGood: (value: Json) => boolean): Check[] => [
      (value, path) =>
        isGood(value) ? undefined : `${path} breaks ${word} ${JSON.stringify(meaning)}: ${JSON.stringify(value)}`,
    ]
    switch (word) {
      case '$ref':
        return [make(resolve(meaning))]
      case 'type': {
        const types: string[] = [meaning].flat()
        return when((value) => types.includes(typeOf(value)) || (types.includes('number') && typeof value === 'number'))
      }
      case 'enum':
        return when((value) => meaning.includes(value))
      case 'const':
        return when((value) => value === meaning)
      case 'minimum':
        return when((value) => typeof value !== 'number' || value >= meaning)
      case 'maximum':
        return when((value) => typeof value !== 'number' || value <= meaning)
      case 'exclusiveMinimum':
        return when((value) => typeof value !== 'number' || value > meaning)
      case 'minLength':
        return when((value) => typeof value !== 'string' || [...value].length >= meaning)
      case 'maxLength':
        return when((value) => typeof value !== 'string' || [...value].length <= meaning)
      case 'minItems':
        return when((value) => !Array.isArray(value) || value.length >= meaning)
      case 'maxItems':
        return when((value) => !Array.isArray(value) || value.length <= meaning)
      case 'pattern':
        return when((value) => typeof value !== 'string' || new RegExp(meaning).test(value))
      case 'format': {
        if (NUMBERS.has(meaning)) return []
        const format = FORMATS[meaning]
        if (!format) throw new Error(`unknown format ${meaning}`)
        return when((value) => typeof value !== 'string' || format.test(value))
      }
      case 'required':
        if (partial) return []
        return when((value) => typeOf(value) !== 'object' || meaning.every((key: string) => Object.hasOwn(value, key)))
      case 'properties':
        return [propertiesCheck(meaning, whole.additionalProperties)]
      case 'additionalProperties':
        return []
      case 'items': {
        const item = make(meaning)
        return [(value, path) => (Array.isArray(value) ? firstFault(value, (each, n) => item(each, `${path}[${n}]`)) : undefined)]
      }
      case 'anyOf':
      case 'oneOf': {
        const options = meaning.map(make) as Check[]
        return [(value, path) => (options.some((option) => !option(value, path)) ? undefined : `${path} is none of ${word}`)]
      }
      case 'allOf':
        return meaning.map(make)
      default:
        throw new Error(`unknown keyword ${word}`)
    }
  }
  /** Stricter than the document, which allows additional keys for later versions. */
  const propertiesCheck = (properties: Record<string, Schema>, additional: unknown): Check => {
    const checks = new Map(Object.entries(properties).map(([key, each]) => [key, make(each)]))
    return (value, path) => {
      if (typeOf(value) !== 'object') return undefined
      return firstFault(Object.entries(value), ([key, each]) => {
        const check = checks.get(key)
        if (!check) return additional ? undefined : `${path}.${key} is unknown`
        return check(each, `${path}.${key}`)
      })
    }
  }
  return make(schema)
}

function firstFault<T>(items: T[], check: (item: T, index: number) => string | undefined): string | undefined {
  for (const [index, item] of items.entries()) {
    const fault = check(item, index)
    if (fault) return fault
  }
  return undefined
}

type Response = { types: string[]; check: Check | undefined; partialCheck: Check | undefined }
export type Operation = Map<number, Response>
export type Description = { operationOf: (method: string, path: string) => Operation | undefined; problem: Check }

/** The responses that the document declares. */
export function describeAnswers(document: Json): Description {
  const operations = new Map<string, Operation>()
  const resolved = (each: Json) => (each.$ref ? document.components.responses[each.$ref.split('/').at(-1)] : each)
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Json>>))
    for (const [method, { responses }] of Object.entries(methods)) {
      const operation: Operation = new Map()
      for (const [status, reference] of Object.entries(responses)) {
        const { content = {} } = resolved(reference)
        const schema = Object.entries(content as Record<string, Json>).find(([type]) => type.endsWith('json'))?.[1].schema
        operation.set(Number(status), {
          types: Object.keys(content),
          check: schema && compile(schema, document),
          partialCheck: schema && compile(schema, document, { partial: true }),
        })
      }
      operations.set(`${method.toUpperCase()} ${path}`, operation)
    }
  return {
    operationOf: (method, path) => operations.get(`${method === 'HEAD' ? 'GET' : method} ${path}`),
    problem: compile({ $ref: '#/components/schemas/Problem' }, document),
  }
}

const plainType = (type: string | undefined): string => (type ?? '').split(';')[0]!.trim()

/** Undefined if the response matches the document. */
export function faultOf(
  method: string,
  operation: Operation | undefined,
  answer: Answer,
  { problem }: Description,
  { partial = false } = {},
): string | undefined {
  const { status, headers, text, body } = answer
  if (status >= 500) return `status ${status}`
  if (method === 'HEAD' || [204, 301, 304].includes(status)) {
    if (text !== '') return 'a body where there must be none'
    return status === 301 || !operation || operation.has(status) ? undefined : `status ${status} is not in the document`
  }
  if (status >= 400 || status === 308) {
    if (plainType(headers['content-type']) !== 'application/problem+json') return `a problem as ${headers['content-type']}`
    if (body.status !== status) return `status ${status} with ${body.status} in its body`
    if (status !== 308 && operation && !operation.has(status)) return `status ${status} is not in the document`
    return problem(body, 'problem')
  }
  if (method === 'OPTIONS') return typeof body?.name === 'string' ? undefined : 'OPTIONS without a name'
  const declared = operation?.get(status)
  if (!declared) return `status ${status} is not in the document`
  if (!declared.types.includes(plainType(headers['content-type']))) return `an answer as ${headers['content-type']}`
  const check = partial ? declared.partialCheck : declared.check
  return body === undefined ? undefined : check?.(body, 'body')
}
