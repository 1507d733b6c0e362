import type { Rendering } from './endpoint.ts'
import { Problem } from './problem.ts'
import { type RawQuery, valuesOf } from './raw-query.ts'

const ACCEPTED = new Set([
  '*/*',
  'application/*',
  'application/json',
  'application/problem+json',
  'text/html',
  'text/*',
  'application/xhtml+xml',
])
const FORMATS = new Set(['', 'json', 'api'])

/** The API speaks JSON to whoever can take JSON, HTML or anything; the last value of `format` must be one we have. */
export function negotiateJson(accept: string | undefined, query: RawQuery): void {
  const format = valuesOf(query, 'format').at(-1) ?? ''
  if (!FORMATS.has(format)) throw new Problem('not_found')
  if (!acceptedTypes(accept).some((type) => ACCEPTED.has(type))) throw new Problem('not_acceptable')
}

/** Without parameters; nothing at all means anything. */
function acceptedTypes(accept: string | undefined): string[] {
  if (accept === undefined || accept.trim() === '') return ['*/*']
  return accept.split(',').map((part) => part.split(';')[0]!.trim().toLowerCase())
}

const WIDEST_INDENT = 8

/** `application/json; indent=4` is for people who read; 0: for programs. */
export function requestedIndent(accept: string | undefined): number {
  const width = /(?:^|,)\s*application\/json\s*;[^,]*\bindent\s*=\s*(\d{1,9})\s*(?:[;,]|$)/i.exec(accept ?? '')?.[1]
  return Math.min(Number(width ?? 0), WIDEST_INDENT)
}

const WILDCARDS = [/^[^*]+\/[^*]+$/, /^[^*]+\/\*$/, /^\*\/\*$/]

/** The most exact of the accepted types decides; among equals, the order of the renderings. */
export function negotiateRendering(renderings: Rendering[], accept: string | undefined, query: RawQuery): Rendering {
  const format = valuesOf(query, 'format').at(-1) ?? ''
  const offered = format === '' ? renderings : renderings.filter((each) => each.format === format)
  if (!offered.length) throw new Problem('not_found')
  const types = acceptedTypes(accept)
  for (const kind of WILDCARDS) {
    const wanted = types.filter((type) => kind.test(type))
    const found = offered.find(({ mediaType }) =>
      wanted.some(
        (type) => type === '*/*' || type === mediaType || (type.endsWith('/*') && mediaType.startsWith(type.slice(0, -1))),
      ),
    )
    if (found) return found
  }
  throw new Problem('not_acceptable')
}
