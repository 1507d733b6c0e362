import type { Kysely } from 'kysely'
import type { Site } from '#platform/auth/context.ts'
import type { DB } from '#platform/db/tables.ts'
import { type NotificationChannel, notificationChannel } from './points.ts'
import type { ChannelName } from './rules.ts'

export type ChannelLink = { id: number; channel: ChannelName; address: string; label: string; linkedAt: Date }

const selectLinks = (db: Kysely<DB>, userId: number) =>
  db
    .selectFrom('channel_link')
    .select(['id', 'channel', 'address', 'label', 'linked_at as linkedAt'])
    .where('user_id', '=', userId)
    .$narrowType<{ channel: ChannelName }>()

export const findLinks = (db: Kysely<DB>, userId: number): Promise<ChannelLink[]> =>
  selectLinks(db, userId).orderBy('id').execute()

export const getLink = (db: Kysely<DB>, userId: number, channel: ChannelName): Promise<ChannelLink | undefined> =>
  selectLinks(db, userId).where('channel', '=', channel).executeTakeFirst()

/** Somebody may have sent one to the service. */
export async function hasOpenCodes(db: Kysely<DB>, channel: ChannelName, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('channel_code')
    .select('user_id')
    .where('channel', '=', channel)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

type OwnChannel = { channel: NotificationChannel; link: ChannelLink | undefined }

/** Channels that a person can link, and those that are linked. Reads nothing if there are none. */
export async function findOwnChannels(db: Kysely<DB>, { added }: Pick<Site, 'added'>, userId: number): Promise<OwnChannel[]> {
  const all = added(notificationChannel)
  if (!all.length) return []
  const links = await findLinks(db, userId)
  const found: OwnChannel[] = []
  for (const channel of all) {
    const link = links.find((each) => each.channel === channel.name)
    if (link || (await channel.isReady(db))) found.push({ channel, link })
  }
  return found
}
