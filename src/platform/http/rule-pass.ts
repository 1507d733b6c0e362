import { z } from 'zod'
import { readFailure } from '#platform/db/failure.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { judgeWriteBody } from './body.ts'
import { type InputError, Problem } from './problem.ts'
import type { AnyWrite } from './write.ts'

type JsonSchema = {
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  minLength?: number
  minItems?: number
  required?: string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

/** A body with mistakes in its types. */
type Wrong = { value: unknown; endpoint: Pick<AnyWrite, 'body' | 'prepare'>; errors: readonly InputError[] }

/**
 * Mistakes in the types of a body, and what the rules say about the rest of it, so that clients learn all at once. `attempt` runs the
 * write without effect. What the rules say depends on a value that is wrong, unless they say it of all repaired bodies.
 */
export async function collectMistakes(
  wrong: Wrong,
  language: Language,
  attempt: (body: unknown) => Promise<unknown>,
): Promise<Problem> {
  const { value, endpoint, errors } = wrong
  const isWrong = ({ pointer = '' }: InputError) => errors.some((each) => isWithin(pointer, each.pointer ?? ''))
  let found: InputError[] | undefined
  let isSure = true
  // What takes long is not begun for a body that is refused anyway.
  for (const repaired of endpoint.body && !endpoint.prepare ? repairBody(value, endpoint.body, errors) : []) {
    const { body, errors: left } = judgeWriteBody(repaired, endpoint.body, language)
    // A value that was put in does not fit, so the rules cannot be asked about one.
    if (left.some(isWrong)) {
      isSure = false
      continue
    }
    const said = left.length ? left : (await refusalsOf(() => attempt(body))).filter((error) => !isWrong(error))
    found = found ? found.filter((error) => said.some((other) => isSame(error, other))) : said
    if (!found.length) break
  }
  // Rules that miss a value may do so because one beside it was left out.
  const added = (found ?? []).filter(({ pointer = '' }) => isSure || isGiven(value, pathOf(pointer)))
  return new Problem('invalid_input', { errors: [...errors, ...added] })
}

const isSame = (one: InputError, other: InputError): boolean => one.pointer === other.pointer && one.code === other.code

/** What the rules say about values. Other reasons are for a request whose types are right. */
async function refusalsOf(attempt: () => Promise<unknown>): Promise<InputError[]> {
  try {
    await attempt()
    return []
  } catch (error) {
    // A value that was put in does not fit its column, or refers to nothing.
    if (['bad_input', 'conflict'].includes(readFailure(error) ?? '')) return []
    if (!(error instanceof Problem)) throw error
    const isAboutValues = error.code === 'invalid_input' || error.code === 'refused'
    return isAboutValues ? (error.errors ?? []).filter(({ pointer }) => pointer !== undefined) : []
  }
}

/**
 * Bodies with other values in the places that are wrong: a time long ago and one far away, each choice, the smallest and the largest
 * number; optional values are left out, too. None if the schema does not say enough.
 */
export function* repairBody(value: unknown, schema: z.ZodType, errors: readonly InputError[]): Generator<unknown, void> {
  const described = describe(schema)
  const wrong: { path: string[]; choices: readonly unknown[] }[] = []
  const pointers = [...new Set(errors.map((error) => error.pointer ?? ''))]
  for (const pointer of pointers) {
    if (pointers.some((other) => other !== pointer && isWithin(pointer, other))) continue
    const path = pathOf(pointer)
    const choices = path.length ? choicesAt(described, path) : []
    if (!choices.length) return
    wrong.push({ path, choices })
  }
  const made = new Set<string>()
  for (let round = 0; round < Math.max(...wrong.map(({ choices }) => choices.length)); round++) {
    const copy = structuredClone(value)
    if (!wrong.every(({ path, choices }) => put(copy, path, choices[round % choices.length]))) return
    const text = JSON.stringify(copy)
    if (made.has(text)) continue
    made.add(text)
    yield copy
  }
}

const schemas = new WeakMap<z.ZodType, JsonSchema>()

function describe(schema: z.ZodType): JsonSchema {
  const known = schemas.get(schema)
  if (known) return known
  const made = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as JsonSchema
  schemas.set(schema, made)
  return made
}

const pathOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
const isWithin = (pointer: string, place: string): boolean => pointer === place || pointer.startsWith(`${place}/`)

/** Whether the body has a value there. */
const isGiven = (value: unknown, [key, ...rest]: string[]): boolean =>
  key === undefined || (isContainer(value) && Object.hasOwn(value, key) && isGiven(value[key], rest))

/** In place of a value that is left out. */
const ABSENT = Symbol('absent')

/** False if there is no such place. */
function put(root: unknown, path: readonly string[], value: unknown): boolean {
  let place = root
  for (const key of path.slice(0, -1)) place = isContainer(place) && Object.hasOwn(place, key) ? place[key] : undefined
  if (!isContainer(place)) return false
  const key = path.at(-1)!
  if (value === ABSENT) delete place[key]
  else place[key] = value
  return true
}

type Container = Record<string, unknown>
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null

function choicesAt(root: JsonSchema, path: readonly string[]): unknown[] {
  let parent: JsonSchema | undefined = root
  for (const key of path.slice(0, -1)) parent = parent && partOf(parent, key)
  const key = path.at(-1)!
  const part = parent && partOf(parent, key)
  if (!parent) return []
  // An unknown key.
  if (!part) return parent.items ? [] : [ABSENT]
  const isNeeded = part === parent.items || parent.required?.includes(key)
  return isNeeded ? choicesFor(part) : [ABSENT, ...choicesFor(part)]
}

const partOf = (schema: JsonSchema, key: string): JsonSchema | undefined =>
  schema.properties && Object.hasOwn(schema.properties, key)
    ? schema.properties[key]
    : (schema.items ?? schema.anyOf?.map((each) => partOf(each, key)).find(Boolean))

/** In all years that bodies and the database take. */
const TEXTS: Record<string, string[]> = {
  'date-time': ['1973-02-01T00:00:00Z', '2198-12-01T00:00:00Z'],
  date: ['1973-02-01', '2198-12-01'],
  email: ['nobody@example.org'],
  uri: ['https://example.org/'],
}
/** What columns of the database hold. */
const MAX_INTEGER = 2_147_483_647

function choicesFor(schema: JsonSchema): unknown[] {
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum) return schema.enum
  if (schema.anyOf) return choicesFor(schema.anyOf.find(({ type }) => type !== 'null') ?? {})
  const type = [schema.type].flat().find((each) => each !== 'null')
  if (type === 'string') return TEXTS[schema.format ?? ''] ?? ['x'.repeat(schema.minLength ?? 1)]
  if (type === 'boolean') return [false, true]
  if (type === 'integer' || type === 'number') {
    const least = schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1
    return [Math.max(1, least), Math.min(schema.maximum ?? MAX_INTEGER, MAX_INTEGER)]
  }
  if (type === 'array') {
    const [item] = schema.items ? choicesFor(schema.items) : []
    return [Array(schema.minItems ?? 0).fill(item)]
  }
  if (type !== 'object') return []
  return [Object.fromEntries((schema.required ?? []).map((key) => [key, choicesFor(schema.properties?.[key] ?? {})[0]]))]
}
