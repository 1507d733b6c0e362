import type { Words } from '#platform/i18n/words.ts'
import { MAX_SESSIONS, type ProgrammeFileError } from '../formats/programme-file.ts'
import type { FetchFailure } from '../rules/following.ts'
import { MAX_PROGRAMME_BYTES } from '../schema.ts'

export const SIZE_MB = MAX_PROGRAMME_BYTES / 1e6

/** Why a file cannot be read. */
export function faultText(words: Words, { fault, line }: Pick<ProgrammeFileError, 'fault' | 'line'>): string {
  switch (fault) {
    case 'doctype':
    case 'malformed_xml':
    case 'malformed_json':
    case 'malformed_ical':
      return words.t(`programme.fault_${fault}`, { line: line === undefined ? words.t('programme.unknown_line') : String(line) })
    case 'too_many':
      return words.t('programme.fault_too_many', { count: MAX_SESSIONS })
    default:
      return words.t(`programme.fault_${fault}`)
  }
}

/** Why the address gives no programme. */
export function failureText(words: Words, { code, value = '', line }: FetchFailure): string {
  if (code === 'file') return faultText(words, { fault: value as ProgrammeFileError['fault'], line })
  if (code === 'status') return words.t('programme.failed_status', { status: value })
  if (code === 'too_large') return words.t('programme.failed_too_large', { size: SIZE_MB })
  return words.t(`programme.failed_${code}`)
}
