import fc from 'fast-check'
import { z } from 'zod'

/** Existing values, so that some bodies name records. */
type KnownValues = { ids: number[]; emails: string[] }
type JsonSchema = {
  $ref?: string
  $defs?: Record<string, JsonSchema>
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  additionalProperties?: JsonSchema | boolean
  propertyNames?: JsonSchema
  items?: JsonSchema | boolean
  minItems?: number
  maxItems?: number
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

const TEXTS = ['a', 'Ann', 'Übung', '2', '👩‍🚒', 'two\nlines', '# *text*', 'https://a.example/', 'en', '<b>', "o'neill"]
const MOMENTS = [
  '2031-05-04T08:00:00+02:00',
  '2031-05-04T12:00:00Z',
  '2031-05-03T08:00:00.123456Z',
  '2031-03-30T02:30:00+01:00',
  '0001-01-01T00:00:00+14:00',
  '9999-12-31T23:59:59-12:00',
]
const DAYS = ['2031-05-04', '2031-02-28', '0001-01-01', '9999-12-31']
/** Values in the place of others: other types, limits, and texts that are hard to store. */
const WRONG: unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  '',
  ' ',
  '0',
  '\0',
  'a\0b',
  '\ud800',
  'x'.repeat(5_000),
  'null',
  '__proto__',
  '2031-02-30T00:00:00Z',
  [],
  [null],
  [[]],
  {},
  { a: 1 },
  { __proto__: null, constructor: 1 },
]
const MAX_ITEMS = 3
const MAX_DEPTH = 8

/** Bodies that the schema accepts, as far as JSON Schema can tell. */
function valid(schema: JsonSchema, root: JsonSchema, known: KnownValues, depth = 0): fc.Arbitrary<unknown> {
  const of = (part: JsonSchema) => valid(part, root, known, depth + 1)
  if (depth > MAX_DEPTH) return fc.constant(null)
  if (schema.$ref) return of(root.$defs?.[schema.$ref.split('/').at(-1)!] ?? {})
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return fc.oneof(...choices.map(of))
  if (schema.allOf) return of(Object.assign({}, schema, { allOf: undefined }, ...schema.allOf))
  switch (schema.type) {
    case 'object':
      return validObject(schema, of, known)
    case 'array': {
      const { minItems = 0, maxItems = MAX_ITEMS } = schema
      const items = typeof schema.items === 'object' ? of(schema.items) : fc.constantFrom(...WRONG)
      return fc.array(items, { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, MAX_ITEMS)) })
    }
    case 'string':
      return validText(schema, known)
    case 'integer':
    case 'number':
      return validNumber(schema, known)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.constantFrom(...WRONG)
  }
}

function validObject(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  of: (part: JsonSchema) => fc.Arbitrary<unknown>,
  { ids }: KnownValues,
): fc.Arbitrary<unknown> {
  const parts = Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, of(part)]))
  if (typeof additionalProperties !== 'object') return fc.record(parts, { requiredKeys: required })
  const key = fc.constantFrom(...ids).map(String)
  return fc
    .tuple(fc.record(parts, { requiredKeys: required }), fc.dictionary(key, of(additionalProperties), { maxKeys: MAX_ITEMS }))
    .map(([own, more]) => ({ ...own, ...more }))
}

function validText({ format, pattern, minLength = 0, maxLength = 500 }: JsonSchema, known: KnownValues): fc.Arbitrary<string> {
  if (format === 'date-time') return fc.constantFrom(...MOMENTS)
  if (format === 'date') return fc.constantFrom(...DAYS)
  if (format === 'email') return fc.constantFrom(...known.emails, 'new@a.example', 'Ü@ü.example')
  const plausible = fc.constantFrom(...TEXTS, ...known.emails).filter(({ length }) => length >= minLength && length <= maxLength)
  if (pattern === undefined)
    return fc.oneof(
      { weight: 4, arbitrary: plausible },
      { weight: 1, arbitrary: fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) }) },
    )
  const expression = new RegExp(pattern, 'u')
  try {
    return fc.oneof(fc.stringMatching(expression), fc.constantFrom(...known.ids).map(String))
  } catch {
    return plausible
  }
}

function validNumber({ type, minimum, maximum, exclusiveMinimum }: JsonSchema, { ids }: KnownValues): fc.Arbitrary<number> {
  const min = Math.max(minimum ?? -1_000, (exclusiveMinimum ?? -1_001) + 1)
  const max = Math.max(min, Math.min(maximum ?? 1_000, Number.MAX_SAFE_INTEGER))
  const fitting = ids.filter((id) => id >= min && id <= max)
  const any = type === 'integer' ? fc.integer({ min, max }) : fc.integer({ min: min * 4, max: max * 4 }).map((n) => n / 4)
  return fitting.length ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: any }) : any
}

/** Replaces, removes or adds one value somewhere in the body. */
function mutate(body: unknown, at: number, wrong: unknown): unknown {
  const places: [container: Record<string, unknown>, key: string][] = []
  const copy: unknown = structuredClone(body)
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key])
      walk((value as Record<string, unknown>)[key])
    }
  }
  walk(copy)
  const [container, key] = places[at % (places.length + 1)] ?? []
  if (!container || key === undefined)
    return typeof copy === 'object' && copy !== null && !Array.isArray(copy) ? { ...copy, unknown_key: wrong } : wrong
  if (at % 5 === 0 && !Array.isArray(container)) delete container[key]
  else container[key] = wrong
  return copy
}

const RAW = ['', '[]', 'null', '{"a":', '{"a":1,"a":2}', '[{}]', '1', '"x"', `${'['.repeat(70)}${']'.repeat(70)}`, 'a=b&c=d']

/** Texts of bodies for an endpoint with this schema: valid, with one wrong value, and hostile. */
export function bodyFor(schema: z.ZodType | undefined, known: KnownValues): fc.Arbitrary<string> {
  const root = z.toJSONSchema(schema ?? z.strictObject({}), { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const fitting = valid(root, root, known)
  const wrong = fc.oneof(fc.constantFrom(...WRONG), fc.jsonValue({ maxDepth: 2 }))
  return fc.oneof(
    { weight: 6, arbitrary: fitting.map((body) => JSON.stringify(body)) },
    {
      weight: 3,
      arbitrary: fc.tuple(fitting, fc.nat(), wrong).map(([body, at, value]) => JSON.stringify(mutate(body, at, value)) ?? 'null'),
    },
    { weight: 1, arbitrary: fc.constantFrom(...RAW) },
  )
}
