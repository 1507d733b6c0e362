import { findRecipients } from '#features/accounts/users/queries/recipient.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { mailBodies } from '#platform/html/mail-body.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import { queueExpiryMails } from './commands/keys.ts'
import { getExpiringAccount } from './queries.ts'
import { warningThreshold } from './rules.ts'
import { EXPIRY_MAIL_TASK, expiryMail } from './schema.ts'
import { accountPath, lastMoment } from './views/list.ts'

type MailContext = { db: Database; clock: Clock; mailer: Mailer; site: Pick<Site, 'url' | 'timeZone'> }

export function serviceAccountTasks(context: MailContext): Task[] {
  const { db, clock } = context
  return [
    {
      name: 'announce_service_account_expiry',
      schedule: '27 6 * * *',
      run: async () => void (await queueExpiryMails(db.write, clock.now())),
    },
    { name: EXPIRY_MAIL_TASK, run: async (payload) => sendExpiryMail(context, expiryMail.parse(payload)) },
  ]
}

type Mail = { accountId: number; userId: number }

async function sendExpiryMail({ db, clock, mailer, site }: MailContext, { accountId, userId }: Mail): Promise<void> {
  const now = clock.now()
  const account = await getExpiringAccount(db.write, { id: accountId, now, until: warningThreshold(now) })
  if (!account) return
  const [to] = await findRecipients({ db: db.write, now, site }, userId, 'access')
  if (!to) return
  const words = wordsFor(to.language, site.timeZone)
  const { name } = account
  const date = words.date(lastMoment(account.expiresAt))
  const bodies = mailBodies({
    words,
    siteName: (await getOrganizationName(db.read)) ?? 'Turnout',
    name: to.name,
    about: to.about,
    siteUrl: site.url,
    paragraphs: [words.t('mail.service_text', { name, date }), words.t('mail.service_what')],
    action: { label: words.t('mail.service_action'), path: accountPath(accountId) },
  })
  await mailer.send({
    to: to.email,
    ...(to.ownerId === undefined ? {} : { userId: to.ownerId }),
    subject: words.t('mail.service_subject', { name, date }),
    ...bodies,
  })
}
