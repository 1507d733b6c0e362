import { cleanFileName, extensionOf, FILE_TYPES, type FileType } from '#platform/files/file-types.ts'
import type { PictureFault } from '#platform/files/picture-exits.ts'
import type { ReceivedFile, Upload } from '#platform/files/upload.ts'

/** In one form. */
export const MAX_FILES = 20

export type FileProblem =
  | { reason: 'none' | 'many' }
  | { reason: 'empty' | 'large' | 'type' | 'heic' | PictureFault; name: string }
  | { reason: 'misnamed'; name: string; type: FileType }
type Checked = { ok: true; files: Upload[] } | { ok: false; problems: FileProblem[] }

const MAX_SHOWN_LENGTH = 60

/** For messages about files whose type is unknown. */
function shownName(name: string): string {
  const base = name.split(/[/\\]/).at(-1)!
  const shown = [...base.toWellFormed().replaceAll(/[\p{Cc}\p{Cf}]/gu, '')]
  return shown.length > MAX_SHOWN_LENGTH ? `${shown.slice(0, MAX_SHOWN_LENGTH - 1).join('')}…` : shown.join('')
}

/** The extension names another type than the content has. `v1.2` is no extension. */
function isMisnamed(name: string, type: FileType): boolean {
  const extension = extensionOf(name)
  return /[a-z]/.test(extension) && !(FILE_TYPES[type].extensions as readonly string[]).includes(extension)
}

function checkFile({ id, name, type, bytes, sha256, isTooLarge, fault }: ReceivedFile): Upload | FileProblem {
  if (isTooLarge) return { reason: 'large', name: shownName(name) }
  if (fault) return { reason: fault, name: shownName(name) }
  if (type === 'image/heic') return { reason: 'heic', name: shownName(name) }
  if (bytes === 0) return { reason: 'empty', name: shownName(name) }
  if (id === undefined || type === undefined) return { reason: 'type', name: shownName(name) }
  if (isMisnamed(name, type)) return { reason: 'misnamed', name: shownName(name), type }
  return { id, name: cleanFileName(name, type), type, bytes, sha256 }
}

/** Either all files are accepted or none. */
export function checkFiles(received: readonly ReceivedFile[]): Checked {
  if (!received.length) return { ok: false, problems: [{ reason: 'none' }] }
  if (received.length > MAX_FILES) return { ok: false, problems: [{ reason: 'many' }] }
  const checked = received.map(checkFile)
  const problems = checked.flatMap((each) => ('reason' in each ? [each] : []))
  if (problems.length) return { ok: false, problems }
  return { ok: true, files: checked.flatMap((each) => ('reason' in each ? [] : [each])) }
}

const KB = 1024
const UNITS = ['KB', 'MB', 'GB'] as const

/** Rounded as people read it: at least 1 KB, one decimal below 10 MB. */
export function roundBytes(bytes: number): { value: number; unit: (typeof UNITS)[number] } {
  let value = bytes / KB
  let unit = 0
  for (; Math.round(value) >= KB && unit < UNITS.length - 1; unit++) value /= KB
  const rounded = unit > 0 && value < 10 ? Math.round(value * 10) / 10 : Math.round(value)
  return { value: bytes > 0 ? Math.max(rounded, 1) : 0, unit: UNITS[unit]! }
}

type Kind = 'pdf' | 'picture' | 'table' | 'slides' | 'text' | 'other'

/** Chooses the icon. */
export function kindOf(type: string | null): Kind {
  if (type === 'application/pdf') return 'pdf'
  if (type?.startsWith('image/')) return 'picture'
  if (/spreadsheet/.test(type ?? '')) return 'table'
  if (/presentation/.test(type ?? '')) return 'slides'
  return /^text\/|word|opendocument\.text/.test(type ?? '') ? 'text' : 'other'
}

/** “PDF”, “DOCX”: the usual extension in capitals. */
export const typeName = (type: string | null): string => FILE_TYPES[type as FileType]?.extensions[0].toUpperCase() ?? ''

/** Of the space for all files; from here on, the page for administrators warns. */
const FULL_SHARE = 0.9
export const isAlmostFull = (used: number, quota: number): boolean => used >= quota * FULL_SHARE

export const eventFilesPath = (eventId: number): string => `/events/${eventId}/files/`
