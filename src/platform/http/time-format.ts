/** Formats a time from the database, which is in the instance's zone, for the API: `2031-05-04 08:00:00.5+02` → `2031-05-04T08:00:00.500000+02:00` */
export function wireTime(text: string): string {
  // Fast path for whole seconds and an offset of whole hours: a page of a list has hundreds of times.
  if (text.length === 22) return `${text.slice(0, 10)}T${text.slice(11)}:00`
  const [, date, clock, fraction, sign, offset] = /^(\S+) (\d\d:\d\d:\d\d)(?:\.(\d+))?([+-])(.+)$/.exec(text)!
  return `${date}T${clock}${fraction ? `.${fraction.padEnd(6, '0')}` : ''}${sign}${offset!.length === 2 ? `${offset}:00` : offset}`
}

export const wireTimeOrNull = (text: string | null): string | null => (text === null ? null : wireTime(text))

/** Whole numbers keep a decimal place in JSON: `16200.0`. */
export function wireFloat(value: number): unknown {
  const { rawJSON } = JSON as unknown as { rawJSON: (text: string) => unknown }
  return Number.isInteger(value) ? rawJSON(`${value}.0`) : value
}
