import { sql } from 'kysely'
import { z } from 'zod'
import type { News } from '#extension'
import type { KindName } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { createNotifications } from '#features/messaging/notifications/commands/create.ts'
import { getKind } from '#features/messaging/notifications/queries/kinds.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { Tx } from '#platform/db/transaction.ts'
import { kindOf } from '../rules/names.ts'

const newsSchema = z.strictObject({
  kind: z.string(),
  personIds: z.array(z.int()),
  about: z.string().min(1).max(60),
  eventId: z.int().optional(),
  values: z.record(z.string(), z.union([z.string().max(300), z.number()])).default({}),
  validUntil: z.date().optional(),
})

/** Kept with the notification, since the texts are written when it is read. */
export type StoredNews = { values?: Record<string, string | number>; valid_until?: string }

/** Within the transaction of the extension, so that nobody is told of what was taken back. */
export async function notify(tx: Tx, { now, site }: CommandContext, name: string, given: News): Promise<void> {
  const { kind, personIds, about, eventId, values, validUntil } = newsSchema.parse(given)
  const stored = kindOf(name, kind) as KindName
  const known = getKind(site, stored)
  if (!known) throw new Error(`there is no kind of notification ${kind}`)
  if ((eventId === undefined) !== known.hasNoEvent)
    throw new Error(`${kind}: ${known.hasNoEvent ? 'its notifications have no event' : 'eventId is missing'}`)
  const people = await rowsOf(tx).all(sql<{ id: number }>`
    select id from user_profile where id = any (${personIds}::bigint[]) and is_active order by id`)
  const source = `${stored} ${about}`
  await createNotifications(
    tx,
    people.map(({ id }) => ({ user_id: id, guest_id: null, visitor_id: null, participation_id: null })),
    {
      kind: stored,
      source,
      bundle: source,
      eventId: eventId ?? null,
      actorId: null,
      data: { values, ...(validUntil ? { valid_until: validUntil.toISOString() } : {}) } satisfies StoredNews,
      now,
      site,
    },
  )
}
