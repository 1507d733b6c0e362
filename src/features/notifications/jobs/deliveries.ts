import { getOrganizationName } from '#features/instance/queries.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { Language } from '#platform/i18n/catalogue.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Log } from '#platform/log.ts'
import type { Mail, Mailer } from '#platform/mail/mail.ts'
import { type Claiming, claimMail, noteFailed, noteSent, noteSkipped, type SkipReason } from '../commands/deliver.ts'
import { switchOffToken } from '../commands/switch-off.ts'
import { getReceiver, getReplyAddress, type Reachable } from '../queries/receivers.ts'
import { findTold } from '../queries/told.ts'
import { describeFailure } from '../rules/delivery.ts'
import { isFixed, isForResponsibles, type Kind, wantsMail } from '../rules/kinds.ts'
import { isObsolete, type Told } from '../rules/relevance.ts'
import { type Delivery, delivery, type Receiver, SEND_TASK } from '../schema.ts'
import { newsMail } from '../views/mail.ts'

export type Around = {
  db: Database
  clock: Clock
  mailer: Mailer
  site: Pick<Site, 'url' | 'timeZone' | 'keyring'>
  /** For people without an account. */
  defaultLanguage: Language
  log: Log
}

/** One job for one person: an address that refuses mails holds up nobody else. */
export function sendTask(around: Around): Task {
  return { name: SEND_TASK, run: (payload) => sendMail(around, delivery.parse(payload)) }
}

export async function sendMail(around: Around, wish: Delivery, claim: Claiming = claimMail): Promise<void> {
  const { db, clock, mailer, log } = around
  const now = clock.now()
  const { ids, isDigest } = await claim(db.write, wish, now)
  if (!ids.length) return
  const receiver = await getReceiver(db.write, wish.person)
  if (!receiver.reachable) return noteSkipped(db.write, ids, receiver.reason)
  const { reachable } = receiver
  const told = await findTold(db.write, reachable.actor, { ids })
  const { sendable, skipped } = sift(told, wish.person, reachable, now)
  for (const [reason, some] of skipped) await noteSkipped(db.write, some, reason)
  if (!sendable.length) return
  const chosen = sendable.map(({ id }) => id)
  const mail = await mailOf(around, wish.person, reachable, sendable, isDigest)
  try {
    await mailer.send(mail)
  } catch (error) {
    const { gaveUp } = await noteFailed(db.write, chosen, describeFailure(error), now)
    if (gaveUp)
      log.error({ notifications: gaveUp, reason: describeFailure(error) }, 'a mail could not be sent, and is not tried again')
    return
  }
  await noteSent(db.write, chosen, clock.now())
}

/** What is worth a mail, and why the rest is not. */
function sift(told: readonly Told[], person: Receiver, { choices }: Reachable, now: Date) {
  const skipped = new Map<SkipReason, number[]>()
  const sendable = told.filter((one) => {
    const reason = reasonToSkip(one, person, choices, now)
    if (reason) skipped.set(reason, [...(skipped.get(reason) ?? []), one.id])
    return !reason
  })
  return { sendable, skipped }
}

function reasonToSkip(told: Told, { kind }: Receiver, choices: Reachable['choices'], now: Date): SkipReason | undefined {
  const { event } = told
  if (told.readAt) return 'read'
  if (!wantsMail(told.kind, choices)) return 'switched_off'
  if (isObsolete(told, now)) return 'obsolete'
  if (kind !== 'user' || told.kind === 'event_called_off' || told.kind === 'event_message') return undefined
  // A draft, or an event that this person has nothing to do with any more: a link there would lead nowhere.
  if (event && !event.isShown) return 'not_shown'
  return isForResponsibles(told.kind) && !event?.isResponsible ? 'not_shown' : undefined
}

async function mailOf(
  { db, clock, site, defaultLanguage }: Around,
  person: Receiver,
  reachable: Reachable,
  news: readonly Told[],
  isDigest: boolean,
): Promise<Mail> {
  const words = wordsFor(reachable.language ?? defaultLanguage, site.timeZone)
  const switchOff = (kind: Kind) => `/notifications/off/${switchOffToken(site.keyring, { userId: person.id, kind })}/`
  const mail = newsMail({
    words,
    now: clock.now(),
    siteName: (await getOrganizationName(db.read)) ?? 'Turnout',
    siteUrl: site.url,
    reader: { name: reachable.name, isUser: person.kind === 'user', federatedGuestId: reachable.federatedGuestId },
    news,
    isDigest,
    switchOff: person.kind === 'user' ? switchOff : undefined,
  })
  const kind = news[0]!.kind
  const isOneKind = news.every((told) => told.kind === kind)
  const replyTo = await replyAddressOf(db, news)
  return {
    to: reachable.email,
    ...mail,
    ...(replyTo ? { replyTo } : {}),
    // RFC 8058: programs switch it off with one click.
    headers:
      person.kind === 'user' && isOneKind && !isFixed(kind)
        ? { 'List-Unsubscribe': `<${site.url}${switchOff(kind)}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
        : {},
  }
}

/** Questions of participants go to whoever plans the event; a mail about several events has no such person. */
async function replyAddressOf(db: Database, news: readonly Told[]): Promise<string | undefined> {
  const { event, kind, actorId } = news[0]!
  if (!event || isForResponsibles(kind) || news.some((told) => told.event?.id !== event.id)) return undefined
  return getReplyAddress(db.read, event.id, actorId)
}
