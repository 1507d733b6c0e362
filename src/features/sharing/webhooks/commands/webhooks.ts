import { sql } from 'kysely'
import { readFeedState } from '#features/sharing/change-feed/queries/changes.ts'
import { KINDS } from '#features/sharing/change-feed/rules/kinds.ts'
import { hasScope, type UserActor } from '#platform/auth/actor.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { checkRecentSignIn } from '#platform/http/access.ts'
import { Problem } from '#platform/http/problem.ts'
import { record } from '#platform/journal/journal.ts'
import { pairChanges } from '#platform/journal/kinds.ts'
import { checkUrl } from '#platform/outbound/addresses.ts'
import { makeSecret } from '#platform/outbound/standard-webhooks.ts'
import { isApplication, isOwner, lacksScope, mayManage } from '../access.ts'
import { countWebhooksOf, getWebhook, type Webhook } from '../queries/webhooks.ts'
import { checkWebhook, MAX_WEBHOOKS_PER_OWNER, type Refusal, type WebhookRefusal, type WebhookValues } from '../rules/webhooks.ts'

type Refused = { ok: false; refusals: WebhookRefusal[] }
type Created = { ok: true; id: number; secret: string }

/** The rest of an address may contain a secret of the receiver. */
const hostOf = (url: string): string => new URL(url).host

function requireUser({ actor }: CommandContext): UserActor {
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return actor
}

const refusalsOf = (actor: UserActor, { site }: CommandContext, values: WebhookValues, former?: WebhookValues): Refusal[] =>
  checkWebhook(values, {
    former,
    kinds: KINDS,
    held: (scope) => hasScope(actor, scope),
    urlRefusal: checkUrl(values.url, site.outboundAllow ?? []),
  })

/** It starts with the next change. The secret is returned once and stored sealed. */
export async function createWebhook(
  context: CommandContext,
  { active, ...given }: WebhookValues & { active: boolean },
): Promise<Created | Refused> {
  const actor = requireUser(context)
  if (isApplication(actor)) throw new Problem('permission_denied')
  checkRecentSignIn(context)
  const values = tidied(given)
  const refusals = refusalsOf(actor, context, values)
  if (refusals.length) return { ok: false, refusals }
  const secret = makeSecret()
  const { now, site } = context
  return transact(context.db, async (tx): Promise<Created | Refused> => {
    // Two requests at the same time must not exceed the limit together.
    await tx.selectFrom('user_profile').select('id').where('id', '=', actor.userId).forNoKeyUpdate().execute()
    if ((await countWebhooksOf(tx, actor.userId)) >= MAX_WEBHOOKS_PER_OWNER)
      return { ok: false, refusals: [{ field: undefined, reason: 'too_many' }] }
    const { id } = await tx
      .insertInto('webhook')
      .values({
        ...values,
        owner_id: actor.userId,
        active,
        off_at: active ? null : now,
        secret_sealed: site.keyring.seal(secret),
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const feed = await readFeedState(tx)
    await tx
      .insertInto('webhook_queue')
      .values({ webhook_id: id, feed_id: feed.id, position: feed.position, next_at: now })
      .execute()
    const { name, kinds, scopes, include_record } = values
    await record(tx, context, {
      kind: 'webhook.created',
      subject: { kind: 'webhook', id },
      changes: { name, host: hostOf(values.url), kinds, scopes, include_record },
    })
    return { ok: true, id, secret }
  })
}

const tidied = (values: WebhookValues): WebhookValues => ({
  name: values.name.trim(),
  description: values.description.trim(),
  url: values.url.trim(),
  kinds: [...new Set(values.kinds)],
  scopes: [...new Set(values.scopes)],
  include_record: values.include_record,
})

type WebhookSettings = WebhookValues & { active: boolean }
type WebhookChange = { [Name in keyof WebhookSettings]?: WebhookSettings[Name] | undefined }

/** Only by the owner. Undefined: no such webhook. */
export async function changeWebhook(
  context: CommandContext,
  id: number,
  change: WebhookChange,
): Promise<{ ok: true } | Refused | undefined> {
  // Pausing and resuming discloses nothing.
  const { active: _active, ...others } = change
  return transact(context.db, async (tx): Promise<{ ok: true } | Refused | undefined> => {
    const before = await lockWebhook(tx, id)
    if (!before) return undefined
    const actor = requireOwner(context, before)
    if (Object.keys(others).length) checkRecentSignIn(context)
    const old = pick(before)
    const { active = before.active } = change
    const values = tidied({
      name: change.name ?? old.name,
      description: change.description ?? old.description,
      url: change.url ?? old.url,
      kinds: change.kinds ?? old.kinds,
      scopes: change.scopes ?? old.scopes,
      include_record: change.include_record ?? old.include_record,
    })
    const refusals = refusalsOf(actor, context, values, old)
    if (refusals.length) return { ok: false, refusals }
    const names = (Object.keys(values) as (keyof WebhookValues)[]).filter(
      (name) => JSON.stringify(values[name]) !== JSON.stringify(old[name]),
    )
    if (!names.length && active === before.active) return { ok: true }
    await tx.updateTable('webhook').set(values).where('id', '=', id).execute()
    if (active !== before.active) await writeActive(tx, context, id, active)
    if (names.includes('url')) await tryAtOnce(tx, context, id)
    const { url, ...changes } = pairChanges(names, old, values)
    await record(tx, context, {
      kind: 'webhook.changed',
      subject: { kind: 'webhook', id },
      changes: {
        ...changes,
        ...(url && { host: [hostOf(old.url), hostOf(values.url)] }),
        ...(active !== before.active && { active: [before.active, active] }),
      },
    })
    return { ok: true }
  })
}

const pick = ({ name, description, url, kinds, scopes, includesRecord }: Webhook): WebhookValues => ({
  name,
  description,
  url,
  kinds,
  scopes,
  include_record: includesRecord,
})

/** Also by administrators. Undefined: no such webhook. */
export async function setWebhookActive(context: CommandContext, id: number, active: boolean): Promise<Webhook | undefined> {
  return transact(context.db, async (tx) => {
    const webhook = await lockWebhook(tx, id)
    if (!webhook || !mayManage(context.actor, webhook)) return undefined
    if (webhook.active === active) return webhook
    await writeActive(tx, context, id, active)
    await record(tx, context, { kind: active ? 'webhook.resumed' : 'webhook.paused', subject: { kind: 'webhook', id } })
    return webhook
  })
}

async function writeActive(tx: Tx, context: CommandContext, id: number, active: boolean): Promise<void> {
  await tx
    .updateTable('webhook')
    .set({ active, off_reason: null, off_at: active ? null : context.now })
    .where('id', '=', id)
    .execute()
  if (active) await tryAtOnce(tx, context, id)
}

/** Forgets earlier failures. */
async function tryAtOnce(tx: Tx, { now }: CommandContext, id: number): Promise<void> {
  await tx
    .updateTable('webhook_queue')
    .set({ next_at: now, failures: 0, failing_since: null, refusals: 0, passed_over: 0 })
    .where('webhook_id', '=', id)
    .execute()
}

/** Also by administrators. Its log is deleted with it. Undefined: no such webhook. */
export async function deleteWebhook(context: CommandContext, id: number): Promise<Webhook | undefined> {
  return transact(context.db, async (tx) => {
    const webhook = await lockWebhook(tx, id)
    if (!webhook || !mayManage(context.actor, webhook)) return undefined
    await tx.deleteFrom('webhook').where('id', '=', id).execute()
    await record(tx, context, {
      kind: 'webhook.deleted',
      subject: { kind: 'webhook', id },
      changes: { name: webhook.name, host: hostOf(webhook.url) },
    })
    return webhook
  })
}

/** Only by the owner. The secret before signs, too, for so many hours. Undefined: no such webhook. */
export async function rotateWebhookSecret(
  context: CommandContext,
  id: number,
  overlapHours: number,
): Promise<{ secret: string } | undefined> {
  const secret = makeSecret()
  const { now, site } = context
  return transact(context.db, async (tx) => {
    const webhook = await lockWebhook(tx, id)
    if (!webhook) return undefined
    requireOwner(context, webhook)
    checkRecentSignIn(context)
    await tx
      .updateTable('webhook')
      .set((eb) => ({
        secret_sealed: site.keyring.seal(secret),
        old_secret_sealed: overlapHours ? eb.ref('secret_sealed') : null,
        old_secret_until: overlapHours ? new Date(now.getTime() + overlapHours * 3600_000) : null,
      }))
      .where('id', '=', id)
      .execute()
    await record(tx, context, {
      kind: 'webhook.secret_changed',
      subject: { kind: 'webhook', id },
      changes: { overlap_hours: overlapHours },
    })
    return { secret }
  })
}

/** For the deletion of a person. */
export async function deleteWebhooksOf(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('webhook').where('owner_id', '=', userId).execute()
}

/** For the erasure of a person: sent bodies that contain what identifies them. */
export async function deleteDeliveriesAbout(tx: Tx, pattern: string): Promise<void> {
  await sql`delete from webhook_delivery where body ~ ${pattern} or error ~ ${pattern}`.execute(tx)
}

export async function lockWebhook(tx: Tx, id: number): Promise<Webhook | undefined> {
  await tx.selectFrom('webhook').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  return getWebhook(tx, id)
}

/** Throws for others, and for tokens with fewer scopes than the webhook. */
export function requireOwner({ actor }: CommandContext, webhook: Webhook): UserActor {
  if (!isOwner(actor, webhook)) throw new Problem('permission_denied')
  const missing = lacksScope(actor, webhook.scopes)
  if (missing) throw new Problem('insufficient_scope', { requiredScope: missing })
  return actor
}
