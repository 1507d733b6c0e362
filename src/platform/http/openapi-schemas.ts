import { z } from 'zod'

export type Json = Record<string, unknown>

const COMPONENTS = '#/components/schemas/'
export const schemaReference = (id: string): Json => ({ $ref: `${COMPONENTS}${id}` })

/**
 * Removes the pattern where a format says the same, and bounds of the safe integers. Allows additional properties: clients must
 * tolerate fields that are added later.
 */
function tidy({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.type === 'integer') jsonSchema.format ??= 'int64'
  const [some, nothing, ...more] = (jsonSchema.anyOf ?? []) as Json[]
  if (typeof some?.type === 'string' && nothing?.type === 'null' && !more.length) {
    delete jsonSchema.anyOf
    const values = Array.isArray(some.enum) ? { enum: [...some.enum, null] } : {}
    Object.assign(jsonSchema, some, { type: [some.type, 'null'] }, values)
  }
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  tidyMap(jsonSchema)
}

/** Keys are always texts, and what `meta` says about the values replaces that there are any. */
function tidyMap(schema: Json): void {
  const { propertyNames } = schema as { propertyNames?: Json }
  if (propertyNames?.type !== 'string') return
  if (Object.keys(propertyNames).length === 1) delete schema.propertyNames
  if (!schema.anyOf) return
  delete schema.type
  delete schema.additionalProperties
}

const JSON_SCHEMA_OPTIONS = { target: 'draft-2020-12', unrepresentable: 'any', override: tidy } as const

/** Named records (`meta({ id })`) become references to components. */
export function schemaOf(type: z.ZodType, io: 'output' | 'input' = 'output'): Json {
  const id = z.globalRegistry.get(type)?.id
  if (id && io === 'output') return schemaReference(id)
  const { $schema: _schema, $defs: _named, ...schema } = z.toJSONSchema(type, { ...JSON_SCHEMA_OPTIONS, io } as never) as Json
  return withoutIds(schema)
}

/** With its definitions inside, for readers that do not have the document. */
export function standaloneSchema(type: z.ZodType): Json {
  const { $schema: _schema, ...schema } = z.toJSONSchema(type, { ...JSON_SCHEMA_OPTIONS, io: 'input' } as never) as Json
  return inlined(schema) as Json
}

/** Components that `meta` refers to, in their place. */
function inlined(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(inlined)
  if (typeof part !== 'object' || part === null) return part
  const { $ref } = part as { $ref?: string }
  const component = $ref?.startsWith(COMPONENTS) ? componentTypes().get($ref.slice(COMPONENTS.length)) : undefined
  if (component) return standaloneSchema(component)
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inlined(value)]))
}

const componentTypes = (): Map<string, z.ZodType> => (z.globalRegistry as unknown as { _idmap: Map<string, z.ZodType> })._idmap

/** All named records that the document references, directly or indirectly. */
export function namedSchemas(parts: unknown): Json {
  const { schemas: all } = z.toJSONSchema(z.globalRegistry, {
    ...JSON_SCHEMA_OPTIONS,
    uri: (id: string) => `${COMPONENTS}${id}`,
  } as never) as {
    schemas: Record<string, Json>
  }
  const found = new Map<string, Json>()
  const collect = (part: unknown): void => {
    for (const id of namesIn(part)) {
      if (found.has(id) || !all[id]) continue
      const { $schema: _schema, ...schema } = all[id]
      found.set(id, withoutIds(schema))
      collect(schema)
    }
  }
  collect(parts)
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function namesIn(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(/"\$ref":"#\/(?:components\/schemas|\$defs)\/(\w+)"/g)].map(([, id]) => id!)
}

/** Components are named by their key, so ids are removed and references rewritten. */
function withoutIds(schema: Json): Json {
  const { $id: _address, id: _name, ...rest } = schema
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${COMPONENTS}`))
}

export const pageId = (itemId: string): string => `${itemId}Page`

/** The envelope of a list. */
export function pageSchema(item: Json, example: unknown): Json {
  const link = { type: ['string', 'null'], format: 'uri' }
  return {
    type: 'object',
    required: ['count', 'next', 'previous', 'results'],
    properties: {
      count: { type: ['integer', 'null'], minimum: 0, description: 'How many there are on all pages; null with `cursor`' },
      next: { ...link, description: 'Address of the next page' },
      previous: { ...link, description: 'Address of the page before' },
      results: { type: 'array', items: item },
    },
    ...(example === undefined ? {} : { examples: [{ count: 1, next: null, previous: null, results: [example] }] }),
  }
}

export function exampleOf(type: z.ZodType): unknown {
  return (z.globalRegistry.get(type) as { examples?: unknown[] } | undefined)?.examples?.[0]
}
