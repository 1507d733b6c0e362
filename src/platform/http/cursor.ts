import { timingSafeEqual } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { Keyring } from '#platform/auth/secrets.ts'
import type { Keyset } from '#platform/db/keyset.ts'
import type { Edges } from '#platform/db/paged.ts'
import type { Links } from './paging.ts'
import { formEncode, type RawQuery } from './raw-query.ts'

/**
 * A cursor is a position in a list, signed together with the list and its filters, so that it works for these only. Signing is
 * deterministic: the same page has the same ETag.
 */
const TAG_BYTES = 12

/** Names the list: the values of its path parameters and its filters. `limit`, `fields` and `include` may change on the way. */
export type CursorBinding = { keyring: Keyring; list: string; filters: RawQuery }

function tagOf({ keyring, list, filters }: CursorBinding, body: Buffer): Buffer {
  const bound = JSON.stringify(['cursor', list, filters, body.toString('base64')])
  return keyring.fingerprint(bound).subarray(0, TAG_BYTES)
}

function writeCursor(binding: CursorBinding, { after = [], backward }: Keyset): string {
  // Configurations of shifts can be keys; compressed they fit into a URL.
  const body = deflateRawSync(JSON.stringify([backward, ...after]))
  return Buffer.concat([tagOf(binding, body), body]).toString('base64url')
}

/** Undefined if the text is no cursor of this list with these filters. Empty: the start of the list. */
export function readCursor(binding: CursorBinding, text: string): Keyset | undefined {
  if (text === '') return { backward: false }
  if (!/^[\w-]+$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  const [tag, body] = [bytes.subarray(0, TAG_BYTES), bytes.subarray(TAG_BYTES)]
  if (tag.length < TAG_BYTES || !timingSafeEqual(tag, tagOf(binding, body))) return undefined
  // Trusted from here on: only we can sign.
  const [backward, ...after] = JSON.parse(inflateRawSync(body).toString('utf8'))
  return { backward, after }
}

type CursorPage = { base: string; query: RawQuery; limit: number; keyset: Keyset; edges: Edges | undefined }

/** A link of the form that links by offset have: the limit is explicit, other parameters are kept, all are sorted by name. */
export function cursorLinks(binding: CursorBinding, { base, query, limit, keyset, edges }: CursorPage): Links {
  const others = query.filter(([name]) => name !== 'limit' && name !== 'cursor' && name !== 'offset')
  const link = (to: Keyset): string => {
    const all: RawQuery = [...others, ['limit', String(limit)], ['cursor', writeCursor(binding, to)]]
    return `${base}?${formEncode(all.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))}`
  }
  if (!edges) return { next: null, previous: null }
  const isMoreAfter = keyset.backward || edges.hasMore
  const isMoreBefore = keyset.backward ? edges.hasMore : keyset.after !== undefined
  return {
    next: isMoreAfter ? link({ after: edges.last, backward: false }) : null,
    previous: isMoreBefore ? link({ after: edges.first, backward: true }) : null,
  }
}
