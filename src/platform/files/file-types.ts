/** Types of files that can be recognised by their first bytes. */
export const FILE_TYPES = {
  'application/pdf': { extensions: ['pdf'], isPicture: false },
  'image/jpeg': { extensions: ['jpg', 'jpeg'], isPicture: true },
  'image/png': { extensions: ['png'], isPicture: true },
  'image/webp': { extensions: ['webp'], isPicture: true },
  'image/heic': { extensions: ['heic', 'heif'], isPicture: true },
} as const

export type FileType = keyof typeof FILE_TYPES

/** So many bytes at the start of a file are enough for `detectFileType`. */
export const SIGNATURE_BYTES = 64

const SIGNATURES: [type: FileType, bytes: string][] = [
  ['application/pdf', '%PDF-'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
]
/** Brands of ISO/IEC 23008-12 for pictures of one or several frames. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

/** The type by the first bytes; names and types that a client claims cannot be trusted. */
export function detectFileType(start: Uint8Array): FileType | undefined {
  const text = Buffer.from(start.subarray(0, SIGNATURE_BYTES)).toString('latin1')
  const found = SIGNATURES.find(([, bytes]) => text.startsWith(bytes))
  if (found) return found[0]
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp'
  if (text.slice(4, 8) === 'ftyp' && HEIC_BRANDS.includes(text.slice(8, 12))) return 'image/heic'
  return undefined
}

/** For the attribute `accept` of a file field: types for pickers of phones, extensions for those that do not know the type. */
export const acceptedTypes = (types: readonly FileType[]): string =>
  types.flatMap((type) => [type, ...FILE_TYPES[type].extensions.map((extension) => `.${extension}`)]).join(',')

const MAX_NAME_LENGTH = 200

/** A name for showing and downloading: without folders and control characters, with the extension of the real type. */
export function cleanFileName(given: string, type: FileType): string {
  const base = given
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .split(/[/\\]/)
    .at(-1)!
    .trim()
  const extensions: readonly string[] = FILE_TYPES[type].extensions
  const dot = base.lastIndexOf('.')
  const hasExtension = dot > 0 && extensions.includes(base.slice(dot + 1).toLowerCase())
  const stem = (hasExtension ? base.slice(0, dot) : base).replace(/^\.+/, '')
  const extension = hasExtension ? base.slice(dot + 1).toLowerCase() : extensions[0]
  return `${[...(stem || 'file')].slice(0, MAX_NAME_LENGTH).join('')}.${extension}`
}
