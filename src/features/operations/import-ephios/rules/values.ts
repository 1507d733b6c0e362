export type SourceRow = Record<string, string | number | boolean | null>

type SourceValue = SourceRow[string] | undefined

export const text = (value: SourceValue): string => (value === null || value === undefined ? '' : String(value))

/** Cuts by code points, as PostgreSQL counts characters. */
export function cut(value: string, maxLength: number): string {
  return value.length <= maxLength ? value : [...value].slice(0, maxLength).join('')
}

/** PostgreSQL cannot store null characters. */
export const clean = (value: SourceValue): string => text(value).replaceAll('\0', '')

const ESCAPE = /\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|u([0-9a-f]{4})|.)/gi

/** Removes null characters and replaces lone surrogates, which `jsonb` rejects. Works on the text, so numbers keep all digits. */
export function toStorableJson(json: string): string {
  return json.replace(ESCAPE, (sequence: string, _high?: string, _low?: string, single?: string) => {
    if (single === '0000') return ''
    return single && /^d[89a-f]/i.test(single) ? '\\ufffd' : sequence
  })
}

/** JSON text of an object; undefined for anything else. */
export function parseObject(value: SourceValue): { json: string } | undefined {
  try {
    const parsed: unknown = JSON.parse(text(value))
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? { json: toStorableJson(text(value)) } : undefined
  } catch {
    return undefined
  }
}

/** Milliseconds since the epoch; undefined if it is not a time. */
export function parseTime(value: SourceValue): number | undefined {
  const iso = text(value)
    .replace(' ', 'T')
    .replace(/([+-]\d\d)$/, '$1:00')
  const time = Date.parse(iso)
  return Number.isNaN(time) ? undefined : time
}

/** The text as it is if it is a time, else the fallback. */
export function timeOr<T>(value: SourceValue, fallback: T): string | T {
  return parseTime(value) === undefined ? fallback : text(value)
}

/** `YYYY-MM-DD`; undefined if there is no such day. */
export function parseDay(value: SourceValue): string | undefined {
  const day = text(value)
  const time = Date.parse(`${day}T00:00:00Z`)
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
  return isDay ? day : undefined
}

/** Distinct numbers in a list of any format, such as `5, 7` or `[5,7]`. */
export const parseIds = (value: SourceValue): number[] => [...new Set((text(value).match(/\d+/g) ?? []).map(Number))]
