import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Language } from '#platform/i18n/catalogue.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Actor } from './actor.ts'
import type { Keyring } from './secrets.ts'

/** Settings of this installation for queries, presenters and commands. */
export type Site = {
  url: string
  timeZone: string
  keyring: Keyring
  tokenMaxDays: number
  /** For texts that are stored without a reader whose language is known. */
  defaultLanguage?: Language
}

/** What queries, presenters and pages get: connections that only read, the caller and the caller's language. */
export type RequestContext = { db: Kysely<DB>; actor: Actor; now: Date; words: Words; site: Site }

/** What commands get: connections that write, the caller, and the request id for the journal entry. */
export type CommandContext = { db: Kysely<DB>; actor: Actor; now: Date; site: Site; requestId: string | null }
