import { serviceAccountTasks } from '#features/access/service-accounts/jobs.ts'
import { accountMailTask } from '#features/access/sign-in/jobs.ts'
import type { AccountMail } from '#features/access/sign-in/schema.ts'
import { tokenTasks } from '#features/access/tokens/jobs.ts'
import { joiningTasks } from '#features/accounts/joining/jobs.ts'
import { emailChangeMailTask } from '#features/accounts/own-profile/jobs.ts'
import type { MailTask } from '#features/messaging/mails/schema.ts'
import type { KindName } from '#features/messaging/notification-kinds/rules/kinds.ts'
import { makeMail } from '#features/messaging/notifications/jobs/deliveries.ts'
import { getMailRecipient } from '#features/messaging/notifications/queries/mail-recipients.ts'
import { findNotifications } from '#features/messaging/notifications/queries/notifications.ts'
import type { Recipient } from '#features/messaging/notifications/schema.ts'
import { guestTasks } from '#features/sharing/guests/jobs.ts'
import { formerMailedPath, mailCode } from '#features/sharing/guests/rules.ts'
import { hashSecret } from '#platform/auth/secrets.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Mail } from '#platform/mail/mail.ts'
import type { MailFixtures } from './mail-fixtures.ts'
import { KINDS } from './notification-kinds.ts'
import { NotificationOutbox } from './notification-outbox.ts'
import { ANN, OLGA, PAUL, type Person } from './people.ts'
import { SITE_URL } from './world.ts'

/** `reader`: who can be signed in while opening its links. */
export type SampleMail = {
  what: string
  reader: Person | undefined
  mail: Pick<Mail, 'text' | 'html' | 'headers'> & Partial<Pick<Mail, 'to' | 'subject'>>
}

/** What the notification of a kind is about; its mail follows from the rows. */
const dataOf = (made: MailFixtures): Partial<Record<KindName, Record<string, unknown>>> => ({
  participation_state: { from: 0, to: 1 },
  participation_times: {},
  shift_moved: { shift_id: made.shift },
  event_called_off: { what: 'cancelled' },
  reminder: {},
  inquiry: { inquiry_id: made.inquiry },
  place_offered: { waiting_entry_id: made.entry },
  stand_in_wanted: { stand_in_id: made.standIn, shift_id: made.shift },
  stand_in_result: { what: 'done', stand_in_id: made.standIn },
  swap_proposed: { swap_id: made.swap },
  swap_result: { what: 'done', swap_id: made.swap },
  event_published: {},
  event_message: {},
  profile_changed: { what: 'profile', fields: ['phone'] },
  account_security: { what: 'reset' },
  guardianship_ending: { child_id: made.child.id },
  guardianship_ended: { child_id: made.child.id },
  request_decided: { outcome: 'accepted', request_id: made.request, what: 'profile' },
  qualification_received: { what: 'granted', qualification_id: made.qualification },
  qualification_expiring: { qualification_id: made.qualification },
  participation_request: { from: null, to: 0, shift_id: made.shift },
  participation_change: { from: 0, to: 1, by: 'responsible' },
  participation_decline: { from: 1 },
  participation_given_up: { from: 1, to: 2, shift_id: made.shift },
  place_lapsed: { shift_id: made.shift },
  stand_in_report: { what: 'done', stand_in_id: made.standIn, shift_id: made.shift },
  swap_report: { what: 'done', swap_id: made.swap, shift_id: made.shift },
  participation_own_times: {},
  programme_changed: { created: 1, changed: 0, removed: 0 },
  request_created: { request_id: made.request, what: 'profile' },
  weekly_shortages: { count: 1, shift_ids: [made.shift] },
  webhook_off: { name: 'Roster', reason: 'gone' },
})

type MakeMails = (what: string, to: Recipient, kinds: readonly KindName[]) => Promise<SampleMail[]>

function mailMaker(made: MailFixtures): MakeMails {
  const data = dataOf(made)
  const { context } = new NotificationOutbox(made.world)
  const { write } = made.world.db
  const reading = { db: write, now: made.world.now, site: made.world.app.site }
  return async (what, { kind, id }, kinds) => {
    const rows = kinds.map((name) => ({
      kind: name,
      [`${kind}_id`]: id,
      data: JSON.stringify(data[name] ?? {}),
      event_id: KINDS.find((each) => each.name === name)!.hasNoEvent ? null : made.event,
      source: `${what} ${name}`,
      bundle: what,
      created_at: made.world.now,
      next_attempt_at: made.world.now,
      message_id: name === 'event_message' ? made.message : null,
      mail: 'sent',
    }))
    const ids = await write.insertInto('notification').values(rows).returning('id').execute()
    const found = await getMailRecipient(reading, { kind, id })
    if (!found.ok) throw new Error(`${what}: ${found.reason}`)
    const { recipient } = found
    const notifications = await findNotifications(reading, recipient.actor, { ids: ids.map((row) => row.id) })
    const input = { person: { kind, id }, recipient, notifications, isDigest: kinds.length > 1 }
    const mails = await Promise.all(recipient.mailboxes.map((mailbox) => makeMail(context, { ...input, mailbox })))
    return mails.map((mail) => ({ what, reader: kind === 'user' ? OLGA : undefined, mail }))
  }
}

/** One mail of every kind to a user, and those that other readers get with other links. */
export async function makeNotificationMails(made: MailFixtures): Promise<SampleMail[]> {
  const make = mailMaker(made)
  const names = KINDS.map(({ name }) => name)
  const olga = { kind: 'user', id: OLGA.id } as const
  const child = { kind: 'user', id: made.child.id } as const
  const all: SampleMail[] = []
  for (const name of names) all.push(...(await make(name, olga, [name])))
  all.push(...(await make('several', olga, ['reminder', 'account_security'])))
  for (const name of ['reminder', 'profile_changed'] as const) all.push(...(await make(`${name}, to a guardian`, child, [name])))
  for (const id of [made.provedGuest, made.guest])
    all.push(...(await make(`reminder, to guest ${id}`, { kind: 'guest', id }, ['reminder'])))
  all.push(...(await make('reminder, to a visitor', { kind: 'visitor', id: made.visitor }, ['reminder'])))
  return all
}

/** One mail to the guardian for every kind that people get about themselves, here about a child. */
export async function makeMailsAboutChild(made: MailFixtures): Promise<SampleMail[]> {
  const make = mailMaker(made)
  const own = KINDS.filter(({ role }) => role === 'participant').map(({ name }) => name)
  const all: SampleMail[] = []
  for (const name of own) all.push(...(await make(name, { kind: 'user', id: made.child.id }, [name])))
  return all.filter(({ mail }) => mail.to === OLGA.email)
}

const accountMailsOf = ({ world: { now, app } }: MailFixtures): Record<AccountMail['kind'], AccountMail> => {
  const at = now.toISOString()
  const sealedEmail = app.site.keyring.seal(OLGA.email)
  return {
    reset_password: { kind: 'reset_password', sealedEmail, at },
    welcome: { kind: 'welcome', userId: OLGA.id },
    erasure_requested: { kind: 'erasure_requested', userId: OLGA.id, at },
    erasure_refused: { kind: 'erasure_refused', userId: OLGA.id, at },
    password_changed: { kind: 'password_changed', userId: OLGA.id, at },
    email_changed: { kind: 'email_changed', userId: OLGA.id, sealedEmail, at },
    accounts_merged: { kind: 'accounts_merged', userId: OLGA.id, byId: PAUL.id, at },
  }
}

type Sample = { reader?: Person; payload: Record<string, unknown> }

/** Jobs for every mail of a task. A new task needs a line here. */
const jobsOf = (made: MailFixtures): Record<MailTask, Sample[]> => {
  const requestedAt = made.world.now.toISOString()
  return {
    account_mail: Object.values(accountMailsOf(made)).map((payload) => ({ reader: OLGA, payload })),
    guest_link_mail: [{ payload: { guestId: made.guest } }, { payload: { guestId: made.provedGuest } }],
    join_mail: [
      { payload: { kind: 'confirm', registrationId: made.registration } },
      { payload: { kind: 'confirm', registrationId: made.registrationOfTaken } },
      { payload: { kind: 'refused', requestId: made.refusedRequest } },
    ],
    email_change_mail: [
      { reader: OLGA, payload: { kind: 'notice', userId: OLGA.id, requestedAt } },
      { reader: OLGA, payload: { kind: 'confirm', userId: OLGA.id, requestedAt } },
      { reader: ANN, payload: { kind: 'confirm', userId: ANN.id, requestedAt } },
    ],
    token_expiry_mail: [{ reader: OLGA, payload: { tokenId: made.token } }],
    service_account_expiry_mail: [{ reader: OLGA, payload: { accountId: made.serviceAccount, userId: OLGA.id } }],
  }
}

/** The mails of the tasks that send one mail each. Every job of `jobsOf` sends one. */
export async function makeTaskMails(made: MailFixtures): Promise<SampleMail[]> {
  const { db, app } = made.world
  const sent: Mail[] = []
  const context = {
    db,
    clock: { now: () => made.world.now },
    site: app.site,
    mailer: { describe: 'a test', send: async (mail: Mail) => void sent.push(mail) },
  }
  const tasks: Task[] = [
    accountMailTask(context),
    emailChangeMailTask(context),
    ...joiningTasks(context),
    ...guestTasks(context),
    ...tokenTasks(context),
    ...serviceAccountTasks(context),
  ]
  const all: SampleMail[] = []
  for (const [name, jobs] of Object.entries(jobsOf(made)))
    for (const { reader, payload } of jobs) {
      sent.length = 0
      await tasks.find((task) => task.name === name)!.run(payload)
      if (sent.length !== 1) throw new Error(`${name} ${JSON.stringify(payload)} sent ${sent.length} mails`)
      all.push({ what: `${name} ${JSON.stringify(payload)}`, reader, mail: sent[0]! })
    }
  return all
}

/** Links in mails that earlier versions sent to guests. */
export async function makeFormerMails({ world, guest, provedGuest }: MailFixtures): Promise<SampleMail[]> {
  const { keyring } = world.app.site
  const mails: SampleMail[] = []
  for (const id of [guest, provedGuest]) {
    const token = `former${id}`
    const { email } = await world.db.write
      .updateTable('guest')
      .set({ access_token_hash: hashSecret(token), access_token_sealed: keyring.seal(token) })
      .where('id', '=', id)
      .returning('email')
      .executeTakeFirstOrThrow()
    const text = `${SITE_URL}${formerMailedPath(token, mailCode(keyring, { id, email }))}`
    mails.push({ what: `the former link of guest ${id}`, reader: undefined, mail: { text, html: '' } })
  }
  return mails
}
