import { hash } from 'node:crypto'
import { written } from './changes.ts'

/** What a form showed when it was opened, as short marks: whoever saves learns what others changed meanwhile. */
export type Seen = Record<string, string>

const markOf = (value: unknown): string => hash('sha256', written(value) ?? '', 'base64url').slice(0, 12)

export function seenOf(fields: Record<string, unknown>): Seen {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, markOf(value)]))
}

/** Names of fields that are not as they were, and not as they are wished for either. */
export function changedSince(seen: Seen, now: Record<string, unknown>, wished: Record<string, unknown>): string[] {
  return Object.entries(now).flatMap(([name, value]) => {
    const mark = markOf(value)
    return seen[name] === undefined || seen[name] === mark || markOf(wished[name]) === mark ? [] : [name]
  })
}

/** A field of a form may hold anything. */
export function readSeen(text: string): Seen {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(Object.entries(value).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
  } catch {
    return {}
  }
}
