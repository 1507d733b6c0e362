import { findRecipients } from '#features/accounts/users/queries/recipient.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { mailBodies } from '#platform/html/mail-body.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import { deleteEndedTokens, queueExpiryMails } from './commands/personal.ts'
import { getExpiringToken } from './queries/bearer.ts'
import { TOKEN_MAIL_TASK, tokenMail } from './schema.ts'

export type MailContext = { db: Database; clock: Clock; mailer: Mailer; site: Pick<Site, 'url' | 'timeZone'> }

export function tokenTasks(context: MailContext): Task[] {
  const { db, clock } = context
  return [
    {
      name: 'announce_token_expiry',
      schedule: '23 6 * * *',
      run: async () => void (await queueExpiryMails(db.write, clock.now())),
    },
    { name: 'clean_up_tokens', schedule: '53 3 * * *', run: async () => void (await deleteEndedTokens(db.write, clock.now())) },
    { name: TOKEN_MAIL_TASK, run: async (payload) => sendExpiryMail(context, tokenMail.parse(payload).tokenId) },
  ]
}

async function sendExpiryMail({ db, clock, mailer, site }: MailContext, tokenId: number): Promise<void> {
  const token = await getExpiringToken(db.write, tokenId, clock.now())
  if (!token) return
  const [to] = await findRecipients({ db: db.write, now: clock.now(), site }, token.userId, 'access')
  if (!to) return
  const words = wordsFor(to.language, site.timeZone)
  const date = words.date(token.expiresAt)
  const bodies = mailBodies({
    words,
    siteName: (await getOrganizationName(db.read)) ?? 'Turnout',
    name: to.name,
    about: to.about,
    siteUrl: site.url,
    paragraphs: [words.t('mail.token_text', { description: token.description, date }), words.t('mail.token_what')],
    action: { label: words.t('mail.token_action'), path: '/settings/tokens/' },
  })
  await mailer.send({
    to: to.email,
    ...(to.ownerId === undefined ? {} : { userId: to.ownerId }),
    subject: words.t('mail.token_subject', { date }),
    ...bodies,
  })
}
