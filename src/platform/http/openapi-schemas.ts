import { z } from 'zod'

export type Json = Record<string, unknown>

const PLACE = '#/components/schemas/'
export const schemaReference = (id: string): Json => ({ $ref: `${PLACE}${id}` })

/**
 * A format says it better than the long pattern that checks it, and nobody counts beyond 2^53. Records are closed for
 * us and open for clients: a field that is added later must not break theirs.
 */
function tidy({ jsonSchema }: { jsonSchema: Json }): void {
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.type === 'integer') jsonSchema.format ??= 'int64'
  const [some, nothing, ...more] = (jsonSchema.anyOf ?? []) as Json[]
  if (typeof some?.type === 'string' && nothing?.type === 'null' && !more.length) {
    delete jsonSchema.anyOf
    Object.assign(jsonSchema, some, { type: [some.type, 'null'] })
  }
}

const HOW = { target: 'draft-2020-12', unrepresentable: 'any', override: tidy } as const

/** Records that have a name (`meta({ id })`) become components; from elsewhere they are referred to. */
export function schemaOf(type: z.ZodType, io: 'output' | 'input' = 'output'): Json {
  const id = z.globalRegistry.get(type)?.id
  if (id && io === 'output') return schemaReference(id)
  const { $schema: _schema, $defs: _named, ...schema } = z.toJSONSchema(type, { ...HOW, io } as never) as Json
  return withoutIds(schema)
}

/** Named records that these parts refer to, directly or through others, by name. */
export function namedSchemas(parts: unknown): Json {
  const { schemas: all } = z.toJSONSchema(z.globalRegistry, { ...HOW, uri: (id: string) => `${PLACE}${id}` } as never) as {
    schemas: Record<string, Json>
  }
  const found = new Map<string, Json>()
  const visit = (part: unknown): void => {
    for (const id of namesIn(part)) {
      if (found.has(id) || !all[id]) continue
      const { $schema: _schema, ...schema } = all[id]
      found.set(id, withoutIds(schema))
      visit(schema)
    }
  }
  visit(parts)
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function namesIn(part: unknown): string[] {
  return [...JSON.stringify(part).matchAll(/"\$ref":"#\/(?:components\/schemas|\$defs)\/(\w+)"/g)].map(([, id]) => id!)
}

/** Names are given by the place among the components, and references lead there. */
function withoutIds(schema: Json): Json {
  const { $id: _address, id: _name, ...rest } = schema
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${PLACE}`))
}

export const pageId = (itemId: string): string => `${itemId}Page`

/** What wraps a page of a list. */
export function pageSchema(item: Json, example: unknown): Json {
  const link = { type: ['string', 'null'], format: 'uri' }
  return {
    type: 'object',
    required: ['count', 'next', 'previous', 'results'],
    properties: {
      count: { type: 'integer', minimum: 0, description: 'How many there are on all pages' },
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
