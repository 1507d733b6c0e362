import { type Outbound, OutboundError } from '#platform/outbound/outbound.ts'
import { nextPageOf } from '../formats/pretalx-rest.ts'
import { ProgrammeFileError } from '../formats/programme-file.ts'
import { readProgramme } from '../formats/read.ts'
import { parseSchedule } from '../formats/schedule-json.ts'
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

const MAX_PAGES = 100

/** All pages of a list of pretalx's REST API as one document; undefined: the file is complete. */
async function fetchPages(outbound: Outbound, url: string, first: string): Promise<string | undefined> {
  // Not `\s`, which is also the mark at the start of a file.
  if (!/^[\t\r\n ]*\{/.test(first)) return undefined
  const pages = [parseSchedule(first)]
  for (let next = nextPageOf(pages[0]); next !== undefined; next = nextPageOf(pages.at(-1))) {
    if (pages.length >= MAX_PAGES || !URL.canParse(next) || new URL(next).origin !== new URL(url).origin) return undefined
    const { status, text } = await outbound.send(next, { headers: { accept: 'application/json' } })
    if (status !== 200) return undefined
    pages.push(parseSchedule(text))
  }
  return pages.length > 1 ? JSON.stringify(pages) : undefined
}

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
    const pages = await fetchPages(outbound, url, text)
    const file = await readFile(Buffer.from(pages ?? text), timeZone)
    // The first page does not tell whether the others have changed.
    if (pages) return { outcome: 'read', file, etag: null, lastModified: null }
    return { outcome: 'read', file, etag: headerOf(headers.etag), lastModified: headerOf(headers['last-modified']) }
  } catch (error) {
    if (error instanceof OutboundError) return { outcome: 'failed', failure: { code: error.code } }
    if (!(error instanceof ProgrammeFileError)) throw error
    const { fault, line } = error
    return { outcome: 'failed', failure: { code: 'file', value: fault, ...(line === undefined ? {} : { line }) } }
  }
}
