import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { ProgrammeFileError } from '../formats/programme-file.ts'
import { readProgramme } from '../formats/read.ts'
import type { FetchFailure } from '../rules/following.ts'
import { contentOf, type ProgrammeContent } from '../rules/recurring.ts'

export type ReadFile = { format: string; title: string; content: ProgrammeContent }
export type Fetched =
  | { outcome: 'read'; file: ReadFile; etag: string | null; lastModified: string | null }
  | { outcome: 'unchanged' }
  | { outcome: 'failed'; failure: FetchFailure }

type Known = { etag: string | null; lastModified: string | null }

export async function readFile(bytes: Buffer, timeZone: string): Promise<ReadFile> {
  const file = await readProgramme(bytes, { timeZone })
  return { format: file.format, title: file.title, content: contentOf(file) }
}

const MAX_HEADER_LENGTH = 500
const headerOf = (value: string | undefined): string | null =>
  value !== undefined && value.length <= MAX_HEADER_LENGTH ? value : null

/** Requests the file. `known`: what the last response said, so that an unchanged file is not sent again. */
export async function fetchProgramme(
  outbound: Outbound,
  { url, known, timeZone }: { url: string; known?: Known | undefined; timeZone: string },
): Promise<Fetched> {
  try {
    const { status, headers, text } = await outbound.send(url, {
      headers: {
        accept: 'text/calendar, application/json, application/xml, text/xml, */*;q=0.5',
        ...(known?.etag ? { 'if-none-match': known.etag } : {}),
        ...(known?.lastModified ? { 'if-modified-since': known.lastModified } : {}),
      },
    })
    if (status === 304 && known) return { outcome: 'unchanged' }
    if (status !== 200) return { outcome: 'failed', failure: { code: 'status', value: String(status) } }
    const file = await readFile(Buffer.from(text), timeZone)
    return { outcome: 'read', file, etag: headerOf(headers.etag), lastModified: headerOf(headers['last-modified']) }
  } catch (error) {
    if (error instanceof OutboundError) return { outcome: 'failed', failure: { code: error.code } }
    if (!(error instanceof ProgrammeFileError)) throw error
    const { fault, line } = error
    return { outcome: 'failed', failure: { code: 'file', value: fault, ...(line === undefined ? {} : { line }) } }
  }
}
