import type { FastifyRequest } from 'fastify'
import type { Rendering } from './endpoint.ts'
import { Problem } from './problem.ts'
import { type RawQuery, valuesOf } from './raw-query.ts'

/** The `types` method of `@fastify/accepts`. */
type AcceptedTypes = Pick<ReturnType<FastifyRequest['accepts']>, 'types'>

/** Clients that name one of these get JSON. Browsers are among them: a person may open a URL of the API. */
const JSON_CLIENTS = new Set(['application/json', 'application/problem+json', 'text/html', 'text/*', 'application/xhtml+xml'])
const FORMATS = new Set(['', 'json', 'api'])

/** Checks that the client accepts JSON, as one without an Accept header does; the last value of `format` must be one that exists. */
export function negotiateJson(accept: AcceptedTypes | undefined, query: RawQuery): void {
  if (!FORMATS.has(requestedFormat(query))) throw new Problem('not_found')
  if (!accept) return
  const isAcceptable = namedTypes(accept).some((type) => JSON_CLIENTS.has(type)) || accept.types(['application/json'])
  if (!isAcceptable) throw new Problem('not_acceptable')
}

/** A rendering that the client names wins over one that only a wildcard covers, whatever their weights. */
export function negotiateRendering(renderings: Rendering[], accept: AcceptedTypes, query: RawQuery): Rendering {
  const format = requestedFormat(query)
  const offered = format === '' ? renderings : renderings.filter((each) => each.format === format)
  if (!offered.length) throw new Problem('not_found')
  const offeredTypes = offered.map(({ mediaType }) => mediaType)
  const named = namedTypes(accept).find((type) => offeredTypes.includes(type))
  const preferred = named ?? [accept.types(offeredTypes)].flat()[0]
  const chosen = offered.find(({ mediaType }) => mediaType === preferred)
  if (!chosen) throw new Problem('not_acceptable')
  return chosen
}

const requestedFormat = (query: RawQuery): string => valuesOf(query, 'format').at(-1) ?? ''

/** Media types and ranges of the Accept header without parameters, the preferred ones first; without those of weight 0. */
const namedTypes = (accept: AcceptedTypes): string[] => [accept.types()].flat().map((type) => String(type).toLowerCase())

const MAX_INDENT = 8

/** Indentation that `Accept: application/json; indent=4` requests; 0 by default. */
export function requestedIndent(accept: string | undefined): number {
  const width = /(?:^|,)\s*application\/json\s*;[^,]*\bindent\s*=\s*(\d{1,9})\s*(?:[;,]|$)/i.exec(accept ?? '')?.[1]
  return Math.min(Number(width ?? 0), MAX_INDENT)
}
