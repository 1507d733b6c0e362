/** Types of files that can be recognised by their bytes; `isShown`: browsers may show them instead of saving them. */
export const FILE_TYPES = {
  'application/pdf': { extensions: ['pdf'], isShown: true },
  'image/jpeg': { extensions: ['jpg', 'jpeg'], isShown: true },
  'image/png': { extensions: ['png'], isShown: true },
  'image/webp': { extensions: ['webp'], isShown: true },
  'image/gif': { extensions: ['gif'], isShown: true },
  'image/heic': { extensions: ['heic', 'heif'], isShown: true },
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': { extensions: ['docx'], isShown: false },
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': { extensions: ['xlsx'], isShown: false },
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': { extensions: ['pptx'], isShown: false },
  'application/vnd.oasis.opendocument.text': { extensions: ['odt'], isShown: false },
  'application/vnd.oasis.opendocument.spreadsheet': { extensions: ['ods'], isShown: false },
  'application/vnd.oasis.opendocument.presentation': { extensions: ['odp'], isShown: false },
  'text/plain': { extensions: ['txt', 'text', 'csv', 'md'], isShown: false },
} as const

export type FileType = keyof typeof FILE_TYPES

/** Types that are rewritten before they are stored. HEIC cannot be read, and can contain a location, so no form accepts it. */
export const PICTURE_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const satisfies FileType[]
/** As large as phones make them. */
export const MAX_PICTURE_BYTES = 15 * 1024 * 1024

/** So many bytes at the start and at the end of a file are enough for `detectFileType`. */
export const SIGNATURE_BYTES = 4096

const SIGNATURES: [type: FileType, bytes: string][] = [
  ['application/pdf', '%PDF-'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/gif', 'GIF87a'],
  ['image/gif', 'GIF89a'],
]
/** Brands of ISO/IEC 23008-12 for pictures of one or several frames. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']

/** Folders that the archive of an Office file contains, by its type. */
const OFFICE_FOLDERS: [type: FileType, folder: string][] = [
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'word/'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'ppt/'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xl/'],
]
const ZIP = 'PK\x03\x04'
/** Also true for the first bytes of one. */
export const mayBeArchive = (start: Buffer): boolean => ZIP.startsWith(start.toString('latin1', 0, ZIP.length))
/** The name of the first file in an OpenDocument archive; its content follows uncompressed. */
const ODF_NAME_AT = 30

type FileSample = {
  start: Uint8Array
  /** The last bytes; archives list their content there. Default: the start, for small files. */
  end?: Uint8Array
  /** As the client sent it. Only plain text needs it, because text has no signature. */
  name?: string
  /** Whether `MacroSearch` found macros in the whole file. */
  hasMacros?: boolean
}

/**
 * Names of files in an Office or OpenDocument archive that hold macros. Programs that open the archive ignore the case of names, and
 * an archive contains them as plain text.
 */
const MACROS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: between two names of an archive are control characters.
  /vbaProject\.bin|Basic\/[^/\x00-\x1f]{1,100}\/(?!script-lb\.xml)[^/\x00-\x1f]{1,100}\.xml|Scripts\/(python|javascript|beanshell)\//i
const LONGEST_MACRO_NAME = 300

/** Looks for macros in the parts of a file, wherever the names stand. */
export class MacroSearch {
  #rest = ''
  hasMacros = false

  add(part: Uint8Array): void {
    if (this.hasMacros) return
    const text = this.#rest + Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('latin1')
    this.hasMacros = MACROS.test(text)
    this.#rest = text.slice(-LONGEST_MACRO_NAME)
  }
}

/** The type by the bytes; names and types that a client claims cannot be trusted. */
export function detectFileType({ start, end = start, name = '', hasMacros }: FileSample): FileType | undefined {
  const text = Buffer.from(start.subarray(0, SIGNATURE_BYTES)).toString('latin1')
  const found = SIGNATURES.find(([, bytes]) => text.startsWith(bytes))
  if (found) return found[0]
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp'
  if (text.slice(4, 8) === 'ftyp' && HEIC_BRANDS.includes(text.slice(8, 12))) return 'image/heic'
  // Macros run when the file is opened.
  if (text.startsWith(ZIP)) return hasMacros ? undefined : detectOfficeType(text, Buffer.from(end).toString('latin1'))
  const isNamedText = (FILE_TYPES['text/plain'].extensions as readonly string[]).includes(extensionOf(name))
  return isNamedText && isPlainText(text) ? 'text/plain' : undefined
}

function detectOfficeType(start: string, end: string): FileType | undefined {
  const first = start.slice(ODF_NAME_AT)
  if (first.startsWith('mimetype')) {
    const types = Object.keys(FILE_TYPES) as FileType[]
    const content = first.slice('mimetype'.length)
    return types.find((type) => type.includes('.oasis.') && content.startsWith(`${type}PK`))
  }
  const names = start + end
  if (!names.includes('[Content_Types].xml')) return undefined
  return OFFICE_FOLDERS.find(([, folder]) => names.includes(folder))?.[0]
}

/** Markup in a file that is called text would run if a program guessed the type by its content. */
const MARKUP = /^(\xef\xbb\xbf)?\s*<(!doctype|html|svg|script|\?xml|head|body|iframe)/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: text has no control characters besides tab, line feed, form feed, return.
const CONTROLS = /[\x00-\x08\x0b\x0e-\x1f]/

const isPlainText = (latin1: string): boolean => !MARKUP.test(latin1) && !CONTROLS.test(latin1)

/** In lower case; empty if the name has none. */
export const extensionOf = (name: string): string => /[^/\\]\.([a-z0-9]{1,10})$/i.exec(name.trim())?.[1]?.toLowerCase() ?? ''

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
