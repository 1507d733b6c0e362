import type { Kysely } from 'kysely'
import { deleteExpiredFactorRows } from '#features/access/second-factor/commands/factors.ts'
import { findRecipients, getFormerRecipient, type Recipient } from '#features/accounts/users/queries/recipient.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import type { DB } from '#platform/db/tables.ts'
import { type MailData, mailBodies } from '#platform/html/mail-body.ts'
import { mailName } from '#platform/html/mail-name.ts'
import { type Words, wordsFor } from '#platform/i18n/words.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import { createMailLink } from './commands/links.ts'
import { deleteExpiredRows } from './commands/sessions.ts'
import { getAccount } from './queries.ts'
import { ACCOUNT_MAIL_TASK, type AccountMail, accountMail } from './schema.ts'

export async function cleanUpSignIn(db: Kysely<DB>, now: Date): Promise<void> {
  await deleteExpiredRows(db, now)
  await deleteExpiredFactorRows(db, now)
}

export type MailContext = { db: Database; clock: Clock; mailer: Mailer; site: Pick<Site, 'url' | 'timeZone' | 'keyring'> }

/** Older requests for a new password are dropped, for example after an outage of the mail server. */
const RESET_MAIL_MAX_AGE_MS = 24 * 3600 * 1000

/** One job for each mail, so that each is retried separately. */
export function accountMailTask(context: MailContext): Task {
  return { name: ACCOUNT_MAIL_TASK, run: async (payload) => sendAccountMail(context, accountMail.parse(payload)) }
}

async function sendAccountMail(context: MailContext, mail: AccountMail): Promise<void> {
  const { db, clock, mailer, site } = context
  const siteName = (await getOrganizationName(db.read)) ?? 'Turnout'
  for (const to of await recipientsOf(context, mail)) {
    const words = wordsFor(to.language, site.timeZone)
    const shared = { words, siteName, name: to.name, about: to.about, siteUrl: site.url }
    // The link is created here, so that it exists only in the mail.
    const link = (purpose: 'reset_password' | 'welcome') =>
      createMailLink(db.write, { purpose, userId: to.userId, now: clock.now() })
    const getName = async (userId: number) => {
      const row = await db.write.selectFrom('user_profile').select('display_name').where('id', '=', userId).executeTakeFirst()
      return mailName(row?.display_name ?? '–')
    }
    const { subject, ...body } = await CONTENTS[mail.kind]({ words, siteName, link, mail, to, getName })
    const isAskedFor = mail.kind === 'reset_password'
    const owner = to.ownerId === undefined ? {} : { userId: to.ownerId }
    await mailer.send({ to: to.email, ...owner, isAskedFor, subject, ...mailBodies({ ...shared, ...body }) })
  }
}

async function recipientsOf({ db, clock, site }: MailContext, mail: AccountMail): Promise<Recipient[]> {
  if (mail.kind === 'email_changed' || (mail.kind === 'accounts_merged' && mail.sealedEmail !== undefined)) {
    const person = await getFormerRecipient(db.write, mail.userId)
    return person ? [{ ...person, email: site.keyring.unseal(mail.sealedEmail!) }] : []
  }
  const reading = { db: db.write, now: clock.now(), site }
  if (mail.kind !== 'reset_password') return findRecipients(reading, mail.userId, 'access')
  if (clock.now().getTime() - Date.parse(mail.at) > RESET_MAIL_MAX_AGE_MS) return []
  const { userId } = await getAccount(db.write, site.keyring.unseal(mail.sealedEmail))
  return userId === null ? [] : findRecipients(reading, userId, 'access')
}

type Content = Pick<MailData, 'paragraphs' | 'action' | 'notes'> & { subject: string }
type ContentAround = {
  words: Words
  siteName: string
  link: (purpose: 'reset_password' | 'welcome') => Promise<string>
  mail: AccountMail
  to: Recipient
  /** Of a person who is named in the mail. */
  getName: (userId: number) => Promise<string>
}

const CONTENTS: Record<AccountMail['kind'], (context: ContentAround) => Promise<Content>> = {
  reset_password: async ({ words, siteName, link, to }) => ({
    subject: words.t('mail.reset_subject', { site: siteName }),
    paragraphs: [words.t('mail.reset_text')],
    action: { label: words.t('mail.reset_action'), path: `/accounts/reset/${await link('reset_password')}/` },
    notes: [
      ...(to.about === undefined || !to.signInName ? [] : [words.t('mail.sign_in_name', { name: to.signInName })]),
      words.t('mail.reset_note'),
    ],
  }),
  welcome: async ({ words, siteName, link, to }) => ({
    subject: words.t('mail.welcome_subject', { site: siteName }),
    paragraphs: [
      words.t('mail.welcome_text', { site: siteName }),
      words.t('mail.welcome_email', { email: to.signInName ?? to.email }),
    ],
    action: { label: words.t('mail.welcome_action'), path: `/accounts/welcome/${await link('welcome')}/` },
    notes: [words.t('mail.welcome_note')],
  }),
  password_changed: async ({ words, siteName, mail }) => ({
    subject: words.t('mail.changed_subject', { site: siteName }),
    paragraphs: [
      words.t('mail.changed_text', { time: words.dateTime(new Date('at' in mail ? mail.at : 0)) }),
      words.t('mail.changed_ended'),
    ],
    action: { label: words.t('mail.changed_action'), path: '/accounts/reset/' },
    notes: [words.t('mail.changed_note')],
  }),
  erasure_requested: async ({ words, siteName, mail }) => ({
    subject: words.t('mail.erasure_subject', { site: siteName }),
    paragraphs: [
      words.t('mail.erasure_text', { site: siteName, time: words.dateTime(new Date('at' in mail ? mail.at : 0)) }),
      words.t('mail.erasure_back'),
    ],
    action: { label: words.t('mail.erasure_action'), path: '/settings/data/' },
    notes: [words.t('mail.erasure_note')],
  }),
  erasure_refused: async ({ words, siteName }) => ({
    subject: words.t('mail.erasure_refused_subject', { site: siteName }),
    paragraphs: [words.t('mail.erasure_refused_text', { site: siteName })],
    notes: [words.t('mail.erasure_refused_note')],
  }),
  // It names neither address: the one that was given up may belong to somebody else.
  accounts_merged: async ({ words, siteName, mail, getName }) => ({
    subject: words.t('mail.merged_subject', { site: siteName }),
    paragraphs: [
      words.t('mail.merged_text', {
        site: siteName,
        name: 'byId' in mail ? await getName(mail.byId) : '–',
        time: words.dateTime(new Date('at' in mail ? mail.at : 0)),
      }),
      words.t('mail.merged_ended'),
      words.t('sealedEmail' in mail && mail.sealedEmail !== undefined ? 'mail.merged_given_up' : 'mail.merged_stays'),
    ],
    notes: [words.t('mail.merged_note')],
  }),
  // To the old address. It does not name the new one: the old one may belong to somebody else by now.
  email_changed: async ({ words, siteName, mail }) => ({
    subject: words.t('mail.email_changed_subject', { site: siteName }),
    paragraphs: [
      words.t('mail.email_changed_text', { site: siteName, time: words.dateTime(new Date('at' in mail ? mail.at : 0)) }),
      words.t('mail.email_changed_means'),
    ],
    notes: [words.t('mail.email_changed_note')],
  }),
}
