import type { Kysely } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Actor } from './actor.ts'
import type { Keyring } from './secrets.ts'

/** Facts about this installation that queries, presenters and commands may use. */
export type Site = { url: string; timeZone: string; keyring: Keyring; tokenMaxDays: number }

/** What a query gets. */
export type Ask = { db: Kysely<DB>; actor: Actor; now: Date; words: Words; site: Site }

/** What a command gets: connections that write, and what the journal wants to know. */
export type Doing = { db: Kysely<DB>; actor: Actor; now: Date; site: Site; requestId: string | null }
