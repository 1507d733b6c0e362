import type { Kysely } from 'kysely'
import type { Site } from '#platform/auth/context.ts'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/tables.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import type { ChannelMessage, ChannelName, SendOutcome } from './rules.ts'

export type SendingContext = { db: Database; now: Date; site: Site; outbound: Outbound; words: Words }

export type NotificationChannel = {
  name: ChannelName
  label: (words: Words) => string
  /** The page on which people link it. */
  path: string
  /** Whether administrators have entered what it needs. */
  isReady: (db: Kysely<DB>) => Promise<boolean>
  /** Does not throw. */
  send: (context: SendingContext, address: string, message: ChannelMessage) => Promise<SendOutcome>
}

export const notificationChannel = extensionPoint<NotificationChannel>('channels.channel')
