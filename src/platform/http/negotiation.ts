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
  if (accept === undefined || accept.trim() === '') return
  const types = accept.split(',').map((part) => part.split(';')[0]!.trim().toLowerCase())
  if (!types.some((type) => ACCEPTED.has(type))) throw new Problem('not_acceptable')
}
