import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Added } from '#platform/features/extension-points.ts'
import type { FileStore } from '#platform/files/store.ts'
import type { Language } from '#platform/i18n/languages.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Actor } from './actor.ts'
import type { Keyring } from './secrets.ts'

/** Settings of this installation for queries, presenters and commands. */
export type Site = {
  url: string
  timeZone: string
  keyring: Keyring
  tokenMaxDays: number
  /** No mail leaves this server, so no page may promise one. */
  isMailOff?: boolean
  /** Everything runs on one machine with sample data; mails are written to files on purpose. */
  isTryOut?: boolean
  /** Environment variables set the time zone, and the language; nobody can choose another one. */
  isTimeZoneSet?: boolean
  isLanguageSet?: boolean
  /** For texts that are stored without a reader whose language is known. */
  defaultLanguage?: Language
  /** Those that people can choose; undefined: nobody has chosen. */
  languages?: readonly Language[] | undefined
  /** Hosts and networks that outgoing requests may reach besides public ones. */
  outboundAllow?: readonly string[]
  /** Of limits per network address; default 1, infinite: no such limit. */
  rateLimitFactor?: number
  /** After this time, pages that can do so answer with their progress. */
  progressAfterMs?: number
  /** What features add to features below them. */
  added: Added
  /** For endpoints with files. */
  files?: FileStore
}

/** What queries, presenters and pages get: connections that only read, the caller and the caller's language. */
export type RequestContext<Caller extends Actor = Actor> = { db: Kysely<DB>; actor: Caller; now: Date; words: Words; site: Site }

/** What commands get: connections that write, the caller, and the request id for the journal entry. */
export type CommandContext<Caller extends Actor = Actor> = {
  db: Kysely<DB>
  actor: Caller
  now: Date
  site: Site
  requestId: string | null
  /** The network that the request came from (`addressKey`), for limits; undefined: a job or the command line. */
  network?: string
}

/** `records`: as `kind id`, of people without an account. */
export type AnswerSubjects = { users: Set<number>; records: Set<string> }

/**
 * What writes of the API get. The connection is the transaction of the request: commands and queries that use it see what the request
 * has written so far, and nothing is committed before the request succeeds.
 */
export type WriteContext = CommandContext & {
  words: Words
  /** Sees committed data only. */
  committed: Kysely<DB>
  /** The transaction is rolled back after the answer was made. */
  isDryRun?: boolean
  /** Collects the people and records that the answer tells about, for its deletion with one of them. */
  about?: AnswerSubjects
}
