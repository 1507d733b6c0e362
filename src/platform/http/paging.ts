import type { PageRequest } from '#platform/db/paged.ts'
import { formEncode, type RawQuery, valuesOf } from './raw-query.ts'

export const DEFAULT_LIMIT = 100
export const MAX_LIMIT = 1_000
/** Keeps offset + limit within the safe integers. */
const MAX_OFFSET = 10 ** 15

/** By offset; with `keyset` by position (`cursor`). */
export type Pagination = PageRequest

/** Uses the last of repeated values and ignores what is not a whole number. */
function wholeNumber(query: RawQuery, name: string): number | undefined {
  const text = valuesOf(query, name).at(-1)?.trim() ?? ''
  return /^\d+$/.test(text) ? Math.min(Number(text), MAX_OFFSET) : undefined
}

export function parsePage(query: RawQuery): Pagination {
  const limit = wholeNumber(query, 'limit') || DEFAULT_LIMIT
  return { limit: Math.min(limit, MAX_LIMIT), offset: wholeNumber(query, 'offset') ?? 0 }
}

export type Links = { next: string | null; previous: string | null }

/** `base` is the absolute URL without query. Keeps the other parameters and sorts all by name. */
export function pageLinks(base: string, query: RawQuery, { limit, offset }: Pagination, count: number): Links {
  const others = query.filter(([name]) => name !== 'limit' && name !== 'offset')
  const link = (at: number): string => {
    const paging: RawQuery = [['limit', String(limit)]]
    if (at > 0) paging.push(['offset', String(at)])
    const all = [...others, ...paging].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    return `${base}?${formEncode(all)}`
  }
  return {
    next: offset + limit < count ? link(offset + limit) : null,
    previous: offset > 0 ? link(Math.max(offset - limit, 0)) : null,
  }
}

/** RFC 8288; the same links as in the envelope. */
export function linkHeader({ next, previous }: Links): string | undefined {
  const links = [next && `<${next}>; rel="next"`, previous && `<${previous}>; rel="prev"`].filter(Boolean)
  return links.length ? links.join(', ') : undefined
}
