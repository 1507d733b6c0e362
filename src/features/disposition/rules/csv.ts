/** Spreadsheet programs run what begins like this; a quote before it makes it a text. */
const FORMULA = /^[\s\u00a0]*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/

function cellOf(value: string): string {
  const harmless = FORMULA.test(value) ? `'${value}` : value
  return /["\r\n,;\t]/.test(harmless) || harmless !== harmless.trim() ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** RFC 4180, with a mark in front by which Excel knows that it is UTF-8. */
export function csvOf(rows: readonly (readonly string[])[], separator: ',' | ';' = ','): string {
  return `\ufeff${rows.map((row) => `${row.map(cellOf).join(separator)}\r\n`).join('')}`
}
