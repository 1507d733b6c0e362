import { type Kysely, sql } from 'kysely'
import type { CommandContext } from '#platform/auth/context.ts'
import { hashSecret, randomSecret } from '#platform/auth/secrets.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { type ChannelName, CODE_MINUTES, RENEWED_MINUTES } from '../rules.ts'

const MINUTE_MS = 60_000
/** Long enough that nobody guesses one, short enough to be typed. */
const CODE_LENGTH = 12

function userIdOf({ actor }: CommandContext): number {
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return actor.userId
}

/** The code that links a channel to the person who asks. The same one while it has some time left: they may have sent it already. */
export async function ensureCode(context: CommandContext, channel: ChannelName): Promise<{ code: string; until: Date }> {
  const { db, now, site } = context
  const userId = userIdOf(context)
  return transact(db, async (tx) => {
    // Two tabs at once get the same code.
    await tx.selectFrom('user_profile').select('id').where('id', '=', userId).forNoKeyUpdate().executeTakeFirst()
    await tx.deleteFrom('channel_code').where('expires_at', '<=', now).execute()
    const known = await tx
      .selectFrom('channel_code')
      .select(['code_sealed', 'expires_at'])
      .where('user_id', '=', userId)
      .where('channel', '=', channel)
      .where('expires_at', '>', new Date(now.getTime() + RENEWED_MINUTES * MINUTE_MS))
      .executeTakeFirst()
    if (known) return { code: site.keyring.unseal(known.code_sealed), until: known.expires_at }
    const code = randomSecret(CODE_LENGTH)
    const values = {
      code_hash: hashSecret(code),
      code_sealed: site.keyring.seal(code),
      expires_at: new Date(now.getTime() + CODE_MINUTES * MINUTE_MS),
    }
    await tx
      .insertInto('channel_code')
      .values({ user_id: userId, channel, ...values })
      .onConflict((same) => same.columns(['user_id', 'channel']).doUpdateSet(values))
      .execute()
    return { code, until: values.expires_at }
  })
}

type Linked = { userId: number; name: string; language: string | null }
type Receiver = { address: string; label: string }
const MAX_TEXT = 200

/**
 * Whoever sent the code gets the messages of its person from now on. An address belongs to one person: the last one who linked it.
 * Undefined: the code is wrong or too old.
 */
export async function linkByCode(
  { db, now }: { db: Kysely<DB>; now: Date },
  { channel, code, address, label }: Receiver & { channel: ChannelName; code: string },
): Promise<Linked | undefined> {
  return transact(db, async (tx) => {
    const used = await tx
      .deleteFrom('channel_code')
      .where('channel', '=', channel)
      .where('code_hash', '=', hashSecret(code))
      .where('expires_at', '>', now)
      .returning('user_id')
      .executeTakeFirst()
    if (!used) return undefined
    const userId = used.user_id
    await tx
      .deleteFrom('channel_link')
      .where('channel', '=', channel)
      .where((eb) => eb.or([eb('address', '=', address), eb('user_id', '=', userId)]))
      .execute()
    const row = { user_id: userId, channel, address, label: label.slice(0, MAX_TEXT), linked_at: now }
    await tx.insertInto('channel_link').values(row).execute()
    const actor = { kind: 'user', userId } as CommandContext['actor']
    await record(tx, { actor, now, requestId: null }, { kind: 'channel.linked', subject: { kind: 'user', id: userId } })
    // never null: name (of an account)
    return rowsOf(tx).one(sql<Linked>`
      select id as "userId", display_name as name, preferred_language as language from user_profile where id = ${userId}`)
  })
}

/** False: it was not linked. */
export async function unlink(context: CommandContext, channel: ChannelName): Promise<boolean> {
  const userId = userIdOf(context)
  return transact(context.db, async (tx) => {
    await tx.deleteFrom('channel_code').where('user_id', '=', userId).where('channel', '=', channel).execute()
    const { numDeletedRows } = await tx
      .deleteFrom('channel_link')
      .where('user_id', '=', userId)
      .where('channel', '=', channel)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await record(tx, context, { kind: 'channel.unlinked', subject: { kind: 'user', id: userId } })
    return true
  })
}

/** The service knows the address no longer. */
export async function removeLink(db: Kysely<DB>, id: number): Promise<void> {
  await db.deleteFrom('channel_link').where('id', '=', id).execute()
}

export async function markLinkUsed(db: Kysely<DB>, id: number, now: Date): Promise<void> {
  await db.updateTable('channel_link').set({ last_sent_at: now }).where('id', '=', id).execute()
}

/** Part of the erasure of a person. */
export async function removeLinksOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('channel_code').where('user_id', '=', userId).execute()
  await tx.deleteFrom('channel_link').where('user_id', '=', userId).execute()
}
