export type ProgrammeFormat = 'schedule_xml' | 'schedule_json' | 'pretalx' | 'ical'

/** One session of a programme. Empty texts: the file has none. Names of speakers are not read. */
export type Session = {
  /** Stays the same while the session is moved or renamed, and is unique in the file. */
  key: string
  title: string
  room: string
  track: string
  type: string
  /** Instants in UTC. */
  start: string
  end: string
}

/** A session of a calendar that is repeated; `start` and `end` are those of the first time. */
export type RecurringSession = Session & {
  /** Rules count local times of this zone. */
  zone: string
  rules: readonly string[]
  /** Further instants, and instants without a session. */
  added: readonly string[]
  skipped: readonly string[]
  line: number
}

/** Why a session cannot be read. */
export type SessionFault = {
  code: 'no_id' | 'no_start' | 'bad_start' | 'no_end' | 'bad_end' | 'all_day' | 'zone'
  title: string
  /** The line of the file, or the place in the JSON document. */
  at: number | string
  value?: string
}

export type ProgrammeFile = {
  format: ProgrammeFormat
  title: string
  sessions: Session[]
  recurring: RecurringSession[]
  faults: SessionFault[]
}

type ProgrammeFault =
  | 'empty'
  | 'unknown_format'
  | 'doctype'
  | 'malformed_xml'
  | 'malformed_json'
  | 'malformed_ical'
  | 'no_schedule'
  | 'more_pages'
  | 'not_expanded'
  | 'no_sessions'
  | 'too_many'

/** The whole file cannot be used. */
export class ProgrammeFileError extends Error {
  readonly fault: ProgrammeFault
  readonly line: number | undefined
  constructor(fault: ProgrammeFileError['fault'], line?: number, options?: ErrorOptions) {
    super(line === undefined ? fault : `${fault} in line ${line}`, options)
    this.fault = fault
    this.line = line
  }
}

/** More than the largest congresses have. */
export const MAX_SESSIONS = 3000
const MAX_TEXT_LENGTH = 200
const MAX_KEY_LENGTH = 200

/** One line without control characters. */
export function cleanText(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const text = String(value)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  return [...text].slice(0, MAX_TEXT_LENGTH).join('')
}

export const cleanKey = (value: unknown): string => cleanText(value).slice(0, MAX_KEY_LENGTH)

/** A session that takes place several times under one key gets a number from the second time on. */
export function withUniqueKeys(sessions: readonly Session[]): Session[] {
  const counts = new Map<string, number>()
  return sessions
    .toSorted((a, b) => a.start.localeCompare(b.start) || a.room.localeCompare(b.room))
    .map((session) => {
      const count = (counts.get(session.key) ?? 0) + 1
      counts.set(session.key, count)
      return count === 1 ? session : { ...session, key: `${session.key} #${count}` }
    })
}

export type Values = Record<string, unknown>
export const isValues = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value)
