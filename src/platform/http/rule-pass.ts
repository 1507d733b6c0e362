import { z } from 'zod'
import type { InputError } from './problem.ts'

type JsonSchema = {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  minimum?: number
  minLength?: number
  required?: string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

/** A body whose wrong values are left out or replaced, and which places the rules cannot judge therefore. */
type Repaired = { body: unknown; isJudged: (error: InputError) => boolean }

/**
 * Makes a body that the schema accepts, so that the rules can judge the rest of it: optional values that are wrong are left out,
 * required ones are replaced. Undefined if that does not help.
 */
export function repairBody(value: unknown, schema: z.ZodType, errors: readonly InputError[]): Repaired | undefined {
  const described = describe(schema)
  const wrong = errors.map(({ pointer = '' }) => pointer)
  if (!described || wrong.includes('') || !isContainer(value)) return undefined
  const copy = structuredClone(value) as Container
  const untold = new Set<string>()
  for (const pointer of wrong) {
    const found = repairAt(copy, described, pathOf(pointer))
    if (!found) return undefined
    // Times are compared with those beside them.
    if (found.format?.startsWith('date')) untold.add(parentOf(pointer))
  }
  const parsed = schema.safeParse(copy)
  const isJudged = ({ pointer }: InputError) =>
    pointer !== undefined &&
    isGiven(value, pathOf(pointer)) &&
    !untold.has(parentOf(pointer)) &&
    !wrong.some((each) => isWithin(pointer, each) || isWithin(each, pointer))
  return parsed.success ? { body: parsed.data, isJudged } : undefined
}

const schemas = new WeakMap<z.ZodType, JsonSchema>()

function describe(schema: z.ZodType): JsonSchema | undefined {
  const known = schemas.get(schema)
  if (known) return known
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema
  schemas.set(schema, made)
  return made
}

type Container = Record<string, unknown>
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
/** Whether the body has a value there. Rules that miss one may do so because it, or one beside it, was left out. */
const isGiven = (value: unknown, [key, ...rest]: string[]): boolean =>
  key !== undefined && isContainer(value) && Object.hasOwn(value, key) && (!rest.length || isGiven(value[key], rest))
const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'))
const isWithin = (pointer: string, place: string): boolean => pointer === place || pointer.startsWith(`${place}/`)

/** Leaves the value out or replaces it; tells its schema. Undefined if the schema does not say enough. */
function repairAt(root: Container, schema: JsonSchema, path: string[]): JsonSchema | undefined {
  let [place, described] = [root, schema]
  for (const key of path.slice(0, -1)) {
    const [next, inner] = [place[key], partOf(described, key)]
    if (!isContainer(next) || !inner) return undefined
    ;[place, described] = [next, inner]
  }
  const key = path.at(-1)!
  const part = partOf(described, key)
  if (Array.isArray(place)) {
    if (!part) return undefined
    place[Number(key)] = replacementFor(part)
  } else if (part && described.required?.includes(key)) place[key] = replacementFor(part)
  else delete place[key]
  return part ?? {}
}

const partOf = (schema: JsonSchema, key: string): JsonSchema | undefined =>
  schema.properties && Object.hasOwn(schema.properties, key)
    ? schema.properties[key]
    : (schema.items ?? schema.anyOf?.map((each) => partOf(each, key)).find(Boolean))

const TEXTS: Record<string, string> = { 'date-time': '2020-01-01T00:00:00Z', date: '2020-01-01' }

function replacementFor(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return replacementFor(schema.anyOf[0]!)
  const type = [schema.type].flat()[0]
  if (type === 'string') return TEXTS[schema.format ?? ''] ?? 'x'.repeat(schema.minLength ?? 1)
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'boolean') return false
  return type === 'array' ? [] : {}
}
