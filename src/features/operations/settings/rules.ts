/** Detects the type from the first bytes: file names and content types can be wrong or forged. */
export function detectImageType(bytes: Uint8Array): 'image/png' | 'image/jpeg' | 'image/webp' | undefined {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (text(0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (text(0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP') return 'image/webp'
  return undefined
}

/** Missing settings and values of the wrong type get the defaults. */
export const completeSettings = <Values extends Record<string, unknown>>(
  stored: Record<string, unknown>,
  defaults: Values,
): Values =>
  Object.fromEntries(
    Object.entries(defaults).map(([name, otherwise]) => [
      name,
      typeof stored[name] === typeof otherwise ? stored[name] : otherwise,
    ]),
  ) as Values
