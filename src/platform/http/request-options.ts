import { z } from 'zod'
import type { RequestContext } from '#platform/auth/context.ts'
import type { Keyset } from '#platform/db/keyset.ts'
import { checkApiAccess } from './access.ts'
import { type CursorBinding, readCursor } from './cursor.ts'
import type { Include, ListEndpoint, RecordEndpoint } from './endpoint.ts'
import { JsonBytes } from './json.ts'
import { type Pagination, parsePage } from './paging.ts'
import { BadParameter, type Parameter, type Parameters } from './parameters.ts'
import { type RawQuery, valuesOf } from './raw-query.ts'

/** Parameters of all lists and records; `cursor` of lists only. */
const NAMES = ['cursor', 'fields', 'include']

// biome-ignore lint/suspicious/noExplicitAny: options do not depend on paths and rows
type Readable = ListEndpoint<any, any, any> | RecordEndpoint<any, any, any>

export type RequestOptions = { cursor?: Keyset; fields?: ReadonlySet<string>; include?: readonly string[] }

/** Included records make a page large, so it has fewer rows. */
export const MAX_LIMIT_WITH_INCLUDES = 100

/** The parameters of the endpoint, and those that all endpoints have; requests without these cost no more. */
export function parametersFor(endpoint: Readable, query: RawQuery, binding: () => CursorBinding): Parameters {
  if (!query.some(([name]) => NAMES.includes(name))) return endpoint.parameters
  const included = splitNames(valuesOf(query, 'include'))
  return {
    ...endpoint.parameters,
    ...(endpoint.kind === 'list' ? { cursor: cursorParameter(query, binding) } : {}),
    fields: fieldsParameter([...fieldsOf(endpoint), ...included]),
    ...(endpoint.includes ? { include: includeParameter(Object.keys(endpoint.includes)) } : {}),
  }
}

export const bindingOf = (endpoint: Readable, query: RawQuery, path: unknown, { site }: RequestContext): CursorBinding => ({
  keyring: site.keyring,
  list: JSON.stringify([endpoint.path, path]),
  filters: query.filter(([name, value]) => Object.hasOwn(endpoint.parameters, name) && value.trim() !== '').sort(),
})

export function pageOf(query: RawQuery, { cursor, include }: RequestOptions): Pagination {
  const page = parsePage(query)
  const limit = include?.length ? Math.min(page.limit, MAX_LIMIT_WITH_INCLUDES) : page.limit
  return cursor ? { limit, offset: 0, keyset: cursor } : { ...page, limit }
}

const splitNames = (values: string[]): string[] => [
  ...new Set(
    values
      .flatMap((value) => value.split(','))
      .map((name) => name.trim())
      .filter(Boolean),
  ),
]

export function fieldsOf(endpoint: Readable): string[] {
  const schema = endpoint.kind === 'list' ? endpoint.item : endpoint.record
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

function fieldsParameter(known: readonly string[]): Parameter<ReadonlySet<string>> {
  return {
    description: 'Keys of the records, separated by commas; others are left out.',
    schema: { type: 'string' },
    read: (values, { words }) => {
      const names = splitNames(values)
      const unknown = names.filter((name) => !known.includes(name))
      if (unknown.length) {
        const fields = known.join(', ')
        throw new BadParameter('unknown_field', ...unknown.map((value) => words.t('parameter.unknown_field', { value, fields })))
      }
      return names.length ? new Set(names) : undefined
    },
  }
}

function includeParameter(known: readonly string[]): Parameter<string[]> {
  return {
    description: 'Related records to add to each record.',
    schema: { type: 'string', enum: known },
    read: (values, { words }) => {
      const names = splitNames(values)
      const unknown = names.filter((name) => !known.includes(name))
      if (unknown.length)
        throw new BadParameter('invalid_choice', ...unknown.map((value) => words.t('parameter.bad_choice', { value })))
      return names.length ? names : undefined
    },
  }
}

function cursorParameter(query: RawQuery, binding: () => CursorBinding): Parameter<Keyset> {
  return {
    description: 'A position in the list; empty for the start.',
    schema: { type: 'string' },
    read: (values, { words }) => {
      if (valuesOf(query, 'offset').some((value) => value.trim() !== ''))
        throw new BadParameter('cursor_with_offset', words.t('parameter.cursor_with_offset'))
      const keyset = readCursor(binding(), values.at(-1)!.trim())
      if (!keyset) throw new BadParameter('invalid_cursor', words.t('parameter.bad_cursor'))
      return keyset
    },
  }
}

/** Adds included records and leaves out fields that were not asked for. */
export async function shapeRecords(
  endpoint: Readable,
  presented: unknown[],
  { fields, include = [] }: RequestOptions,
  context: RequestContext,
): Promise<unknown[]> {
  if (!fields && !include.length) return presented
  const records = presented.map((each) => (each instanceof JsonBytes ? JSON.parse(each.bytes.toString()) : each)) as {
    id: number
  }[]
  const included = await loadIncluded(endpoint.includes ?? {}, include, records, context)
  return records.map((record) => {
    const chosen = fields ? Object.fromEntries(Object.entries(record).filter(([name]) => fields.has(name))) : record
    return { ...chosen, ...Object.fromEntries(included.map(({ name, byId }) => [name, byId.get(record.id) ?? []])) }
  })
}

/** The caller needs the access of what is included, too. */
export function checkIncluded(endpoint: Readable, { include = [] }: RequestOptions, { actor }: RequestContext): void {
  for (const name of include) checkApiAccess(endpoint.includes![name]!.access, actor, 'valid')
}

function loadIncluded(
  includes: Record<string, Include>,
  names: readonly string[],
  records: readonly { id: number }[],
  context: RequestContext,
): Promise<{ name: string; byId: ReadonlyMap<number, unknown[]> }[]> {
  const ids = records.map(({ id }) => id)
  const load = async (name: string) => ({ name, byId: ids.length ? await includes[name]!.load(context, ids) : new Map() })
  return Promise.all(names.map(load))
}
