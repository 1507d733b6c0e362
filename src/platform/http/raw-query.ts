import { Problem } from './problem.ts'

/** The decoded query string in its order, including repeated and blank parameters. */
export type RawQuery = [name: string, value: string][]

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

export function parseRawQuery(url: string): RawQuery {
  const start = url.indexOf('?')
  if (start < 0 || start === url.length - 1) return []
  try {
    return url
      .slice(start + 1)
      .split('&')
      .filter(Boolean)
      .map((part) => {
        const equals = part.indexOf('=')
        return equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))]
      })
  } catch (cause) {
    throw new Problem('bad_request', { cause })
  }
}

export function valuesOf(query: RawQuery, name: string): string[] {
  return query.filter(([each]) => each === name).map(([, value]) => value)
}

/** Form encoding: spaces become `+`. */
export function formEncode(query: RawQuery): string {
  return new URLSearchParams(query).toString()
}
