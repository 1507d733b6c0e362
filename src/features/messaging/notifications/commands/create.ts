import { type Kysely, type Selectable, sql } from 'kysely'
import { isActedFor, type Moment } from '#features/accounts/users/queries/guardians.ts'
import { notificationChannel } from '#features/messaging/channels/points.ts'
import type { ChannelName } from '#features/messaging/channels/rules.ts'
import type { DueRow, KindName, RecipientContext, RecipientRow } from '#features/messaging/notification-kinds/rules/kinds.ts'
import type { Site } from '#platform/auth/context.ts'
import type { DB, Json } from '#platform/db/tables.ts'
import { type Tx, transact } from '#platform/db/transaction.ts'
import { claimNotices } from '#platform/http/mail-limits.ts'
import type { JournalEntry } from '#platform/journal/readers.ts'
import { findTakenBack, readSituation } from '../queries/cancelling-out.ts'
import { kindsOf, requireKind, triggersOf } from '../queries/kinds.ts'
import { findQuietTimes } from '../queries/quiet-times.ts'
import { findRecipients } from '../queries/recipients.ts'
import { settleSecondsOf } from '../rules/cancelling-out.ts'
import { SETTLE_SECONDS } from '../rules/delivery.ts'
import { createDeliveries, queueDeliveries, recipientOf } from './delivery.ts'

type CreationTime = { now: Date; site: Pick<Site, 'timeZone' | 'added'> }

type Content = CreationTime & {
  kind: KindName
  /** What caused the notification. Unique per recipient. */
  source: string
  /** Notifications of one bundle go into one mail. */
  bundle: string
  eventId: number | null
  messageId?: number
  actorId: number | null
  data: Record<string, unknown>
  /** How long the mail waits for others of its bundle. */
  settleSeconds?: number
  /** Who caused it, if they have no account here; undefined: somebody with an account, or a job. */
  outsider?: Outsider | undefined
}

type Outsider = { sender: string | undefined }

/** Creates the notifications that a journal entry causes, and queues their mails. Reading an entry again changes nothing. */
export async function createFromJournal(db: Kysely<DB>, entry: JournalEntry, { now, site }: CreationTime): Promise<void> {
  const actorId = entry.actor_kind === 'user' ? entry.actor_id : null
  if (entry.kind === 'participation.undone') return withdraw(db, entry.changes.undone)
  const { isTakenBack, state } = await readSituation(db, entry)
  if (isTakenBack) return
  const takenBack = await findTakenBack(db, entry)
  const due: { recipients: RecipientRow[]; content: Content; isPerParticipation: boolean }[] = []
  for (const { kind, trigger } of triggersOf(site, entry, state)) {
    const recipients = await findRecipients(db, trigger.recipients, {
      eventId: entry.event_id,
      subjectId: entry.subject_id,
      at: entry.at,
      listed: entry.kind === 'shift.deleted' || entry.kind === 'shift.cancelled' ? listedIn(entry) : NOBODY,
      actor: kind.includesActor ? undefined : { kind: entry.actor_kind, id: entry.actor_id },
    })
    if (!recipients.length) continue
    const content: Content = {
      kind: kind.name,
      data: entry.subject_kind === 'shift' ? { ...trigger.data, shift_id: entry.subject_id } : trigger.data,
      source: `journal ${entry.id}`,
      bundle: `${entry.request_id ?? `journal ${entry.id}`} ${entry.event_id ?? ''}`,
      eventId: entry.event_id,
      actorId,
      now,
      site,
      settleSeconds: settleSecondsOf(entry.kind),
      outsider: outsiderOf(entry),
    }
    due.push({ recipients, content, isPerParticipation: trigger.isPerParticipation === true })
  }
  // Most changes by people themselves concern nobody else.
  if (takenBack === undefined && !due.length) return
  await transact(db, async (tx) => {
    if (takenBack !== undefined) await withdraw(tx, takenBack)
    for (const { recipients: found, content, isPerParticipation } of due) {
      // Who has not been told that it is off need not be told that it is on again.
      const recipients = takenBack === undefined ? found : await onlyNotifiedOf(tx, takenBack, found)
      if (!isPerParticipation) {
        await createNotifications(tx, recipients, content)
        continue
      }
      for (const recipient of recipients)
        await createNotifications(tx, [recipient], { ...content, source: `${content.source} ${recipient.participation_id}` })
    }
  })
}

/** Guests, visitors, and people who register: nobody knows them by an account. */
function outsiderOf({ actor_kind, actor_id, request_id }: JournalEntry): Outsider | undefined {
  if (actor_kind === 'guest' || actor_kind === 'visitor') return { sender: `${actor_kind} ${actor_id}` }
  // Jobs and the command line have no request.
  return actor_kind === 'system' && request_id !== null ? { sender: undefined } : undefined
}

/** Since everybody with the link of an event can cause these mails, those above a limit wait, and become one mail. */
async function delaysOf(tx: Tx, recipients: readonly RecipientRow[], { outsider, now }: Content): Promise<Map<number, Date>> {
  const userIds = [...new Set(recipients.flatMap(({ user_id }) => user_id ?? []))].sort((a, b) => a - b)
  if (!outsider || !userIds.length) return new Map()
  const times = await claimNotices(tx, now, { sender: outsider.sender, userIds })
  return new Map(userIds.flatMap((id, n) => (times[n] ? [[id, times[n]]] : [])))
}

const isFrom = (entryId: number) => sql<boolean>`(source = ${`journal ${entryId}`} or source like ${`journal ${entryId} %`})`

/** Deletes the notifications of an entry that was taken back, unless they were read or mailed. */
async function withdraw(tx: Kysely<DB>, entryId: number): Promise<void> {
  await tx
    .deleteFrom('notification')
    .where(isFrom(entryId))
    .where((eb) => eb.or([eb('mail', '=', 'waiting'), eb('about_id', 'is not', null)]))
    .where('claimed_at', 'is', null)
    .where('read_at', 'is', null)
    .where('push', '!=', 'sent')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('notification_delivery as d')
            .select('d.channel')
            .whereRef('d.notification_id', '=', 'notification.id')
            .where('d.state', '=', 'sent'),
        ),
      ),
    )
    .execute()
}

async function onlyNotifiedOf(tx: Tx, entryId: number, recipients: readonly RecipientRow[]): Promise<RecipientRow[]> {
  const rows = await tx
    .selectFrom('notification')
    .select(['user_id', 'guest_id', 'visitor_id'])
    .where(isFrom(entryId))
    .where('about_id', 'is', null)
    .execute()
  const keyOf = (row: Pick<RecipientRow, 'user_id' | 'guest_id' | 'visitor_id'>) =>
    [row.user_id, row.guest_id, row.visitor_id].join()
  const notified = new Set(rows.map(keyOf))
  return recipients.filter((recipient) => notified.has(keyOf(recipient)))
}

/** Former participants in the entry of a removed shift. */
const listedIn = ({ changes }: JournalEntry<'shift.cancelled' | 'shift.deleted'>): RecipientContext['listed'] => ({
  users: [...changes.confirmed_user_ids[0], ...changes.requested_user_ids[0]],
  guests: changes.guest_ids?.[0] ?? [],
  visitors: changes.visitor_ids?.[0] ?? [],
})
const NOBODY: RecipientContext['listed'] = { users: [], guests: [], visitors: [] }

/** Creates the notifications that are due by time. */
export async function createDue(db: Kysely<DB>, { now, site }: CreationTime): Promise<void> {
  for (const kind of kindsOf(site)) {
    if (!kind.findDue) continue
    const { rows } = await sql<DueRow>`${kind.findDue(now, site.timeZone)}`.execute(db)
    for (const { event_id, source, bundle, data = {}, ...recipient } of rows) {
      const content: Content = { kind: kind.name, source, bundle, eventId: event_id, actorId: null, data, now, site }
      await transact(db, (tx) => createNotifications(tx, [recipient], content))
    }
  }
}

/** Users without a device get nothing by push. */
const pushState = ({ user_id }: RecipientRow) =>
  user_id === null
    ? 'none'
    : sql<string>`case when exists (select from push_device d where d.user_id = ${user_id}) then 'waiting' else 'none' end`

const delayFor = (times: ReadonlyMap<number, Date>, { user_id }: Pick<RecipientRow, 'user_id'>): Date | undefined =>
  user_id === null ? undefined : times.get(user_id)
const laterOf = (time: Date, other: Date | undefined): Date => (other && other > time ? other : time)

/** A statement has a time limit, and at most 65,535 parameters. */
const ROWS_AT_ONCE = 500
type Created = Pick<Selectable<DB['notification']>, 'id' | 'user_id' | 'guest_id' | 'visitor_id'>

export async function createNotifications(tx: Tx, recipients: readonly RecipientRow[], content: Content): Promise<void> {
  if (!recipients.length) return
  const { kind, source, bundle, eventId, messageId, actorId, data, now, settleSeconds = SETTLE_SECONDS } = content
  const delays = await delaysOf(tx, recipients, content)
  const about = { kind: requireKind(content.site, kind), now, timeZone: content.site.timeZone, eventId, data }
  const quiet = await findQuietTimes(tx, recipients, about)
  const settledAt = settleSeconds > SETTLE_SECONDS ? new Date(now.getTime() + settleSeconds * 1000) : now
  // Event and actor may be deleted by now: null instead of a violated foreign key.
  const existingEvent = eventId === null ? null : sql<number | null>`(select id from event where id = ${eventId})`
  const existingActor = actorId === null ? null : sql<number | null>`(select id from user_profile where id = ${actorId})`
  const created: Created[] = []
  for (let from = 0; from < recipients.length; from += ROWS_AT_ONCE) {
    const rows = recipients.slice(from, from + ROWS_AT_ONCE).map((recipient) => ({
      ...recipient,
      kind,
      source,
      bundle,
      data: JSON.stringify(data) as Json,
      created_at: now,
      // A digest must not send earlier what may still be taken back.
      next_attempt_at: laterOf(delayFor(delays, recipient) ?? settledAt, delayFor(quiet, recipient)),
      quiet_until: delayFor(quiet, recipient) ?? null,
      event_id: existingEvent,
      message_id: messageId ?? null,
      push: pushState(recipient),
      actor_id: existingActor,
    }))
    const insert = tx
      .insertInto('notification')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
    created.push(...(await insert.returning(['id', 'user_id', 'guest_id', 'visitor_id']).execute()))
  }
  const channels = content.site.added(notificationChannel).map(({ name }) => name)
  await createDeliveries(
    tx,
    created.map(({ id }) => id),
    channels,
  )
  const secondsFor = (userId: number | null, times: Map<number, Date>) => {
    const until = delayFor(times, { user_id: userId })
    return until ? Math.max(settleSeconds, (until.getTime() - now.getTime()) / 1000) : settleSeconds
  }
  await queueDeliveries(
    tx,
    created.map((row) => ({ person: recipientOf(row), bundle, seconds: secondsFor(row.user_id, quiet) })),
  )
  const copies = await copyForGuardians(
    tx,
    created.flatMap(({ id, user_id }) => (user_id === null ? [] : [id])),
    { actorId: about.kind.includesActor ? null : actorId, at: content, channels },
  )
  const guardians = copies.map((userId) => ({ user_id: userId, participation_id: recipients[0]!.participation_id }))
  const quietGuardians = await findQuietTimes(tx, guardians, about)
  for (const [userId, until] of quietGuardians)
    await tx
      .updateTable('notification')
      .set({ quiet_until: until })
      .where('user_id', '=', userId)
      .where('bundle', '=', bundle)
      .where('source', 'like', `${source} for %`)
      .execute()
  await queueDeliveries(
    tx,
    copies.map((id) => ({ person: { kind: 'user', id }, bundle, seconds: secondsFor(id, quietGuardians) })),
  )
}

/**
 * What a child gets, its guardians get, too: one notification for each guardian and child. Mails of the child reach them anyway. Returns
 * the guardians with a device or channel.
 */
async function copyForGuardians(
  tx: Tx,
  ids: readonly number[],
  { actorId, at, channels }: { actorId: number | null; at: Moment; channels: readonly ChannelName[] },
): Promise<number[]> {
  if (!ids.length) return []
  // never null: id, user_id (the id of the guardian)
  const { rows } = await sql<{ id: number; user_id: number; push: string }>`
    insert into notification (user_id, about_id, kind, source, bundle, event_id, participation_id, message_id, actor_id, data, created_at,
      next_attempt_at, mail, mail_reason, push)
    select g.guardian_id, g.child_id, n.kind, n.source || ' for ' || g.child_id, n.bundle, n.event_id, n.participation_id, n.message_id,
      n.actor_id, n.data, n.created_at, n.next_attempt_at, 'skipped', 'with_child',
      case when exists (select from push_device d where d.user_id = g.guardian_id) then 'waiting' else 'none' end
    from notification n join guardianship g on g.child_id = n.user_id join user_profile c on c.id = g.child_id
      join user_profile a on a.id = g.guardian_id
    where n.id = any (${ids}::bigint[]) and ${isActedFor(at)} and a.is_active and a.id is distinct from ${actorId}::bigint
    on conflict do nothing returning id, user_id, push`.execute(tx)
  const linked = await createDeliveries(
    tx,
    rows.map(({ id }) => id),
    channels,
  )
  return [...new Set([...rows.flatMap(({ user_id, push }) => (push === 'waiting' ? [user_id] : [])), ...linked])]
}
