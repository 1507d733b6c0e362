import { readIcal } from './ical.ts'
import { type ProgrammeFile, ProgrammeFileError } from './programme-file.ts'
import { readScheduleJson } from './schedule-json.ts'
import { readScheduleXml } from './schedule-xml.ts'

/** Reads the programme of an event; the content tells the format. `timeZone`: for times without a zone. */
export async function readProgramme(bytes: Buffer, { timeZone }: { timeZone: string }): Promise<ProgrammeFile> {
  const text = decode(bytes)
  const start = text.slice(0, 1000).trimStart()
  if (!start) throw new ProgrammeFileError('empty')
  const file = await readByContent(text, start, timeZone)
  if (!file.sessions.length && !file.recurring.length && !file.faults.length) throw new ProgrammeFileError('no_sessions')
  return file
}

async function readByContent(text: string, start: string, timeZone: string): Promise<ProgrammeFile> {
  if (/^BEGIN:VCALENDAR/i.test(start)) return readIcal(text, timeZone)
  if (/^[[{]/.test(start)) return readScheduleJson(text, timeZone)
  // As bytes, so that the parser can let other requests run between parts.
  if (start.startsWith('<') && !/^<!doctype html|^<html/i.test(start))
    return readScheduleXml(Buffer.from(text.trimStart()), timeZone)
  throw new ProgrammeFileError('unknown_format')
}

/** By the mark at the start, or the encoding that XML declares; otherwise UTF-8. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const declared = /^\s*<\?xml[^>]*\bencoding=["']([\w.:-]+)["']/.exec(bytes.subarray(0, 200).toString('latin1'))?.[1]
  return decoderFor(declared).decode(bytes)
}

function decoderFor(name = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(name)
  } catch {
    return new TextDecoder()
  }
}
