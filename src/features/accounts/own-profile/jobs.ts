import { getOrganizationName } from '#features/operations/settings/queries.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { type MailData, mailBodies } from '#platform/html/mail-body.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import { isAddress } from '#platform/no-address.ts'
import { createChangeToken } from './commands/email.ts'
import { getEmailChange, isAddressTaken } from './queries.ts'
import { canConfirm, STOP_HOURS, whatStops } from './rules.ts'
import { EMAIL_CHANGE_TASK, type EmailChangeMail, emailChangeMail } from './schema.ts'
import { EMAIL } from './views.ts'

type MailContext = { db: Database; clock: Clock; mailer: Mailer; site: Pick<Site, 'url' | 'timeZone'> }

/** One job for each mail, so that each is retried separately. The links are created here, so that they exist only in the mails. */
export const emailChangeMailTask = (context: MailContext): Task => ({
  name: EMAIL_CHANGE_TASK,
  run: async (payload) => sendMail(context, emailChangeMail.parse(payload)),
})

async function sendMail({ db, clock, mailer, site }: MailContext, mail: EmailChangeMail): Promise<void> {
  const change = await getEmailChange(db.write, mail.userId)
  if (!change?.isActive || change.requestedAt.toISOString() !== mail.requestedAt) return
  const words = wordsFor(change.language, site.timeZone)
  const siteName = (await getOrganizationName(db.read)) ?? 'Turnout'
  const send = (to: string, subject: string, content: Pick<MailData, 'paragraphs' | 'action' | 'notes'>) =>
    mailer.send({
      to,
      // The notice warns the owner of the account, so it is tried in any case.
      ...(mail.kind === 'notice' ? { userId: mail.userId, isAskedFor: true } : {}),
      subject,
      ...mailBodies({ words, siteName, name: change.name, siteUrl: site.url, ...content }),
    })
  if (mail.kind === 'notice') {
    if (!isAddress(change.formerEmail) || !whatStops(change, clock.now())) return
    const token = await createChangeToken(db.write, mail, 'stop_hash')
    if (token === undefined) return
    await send(change.formerEmail, words.t('profiles.mail_notice_subject', { site: siteName }), {
      paragraphs: [words.t('profiles.mail_notice_text', { site: siteName, time: words.dateTime(change.requestedAt) })],
      action: { label: words.t('profiles.mail_notice_action'), path: `/accounts/email-stop/${token}/` },
      notes: [words.t('profiles.mail_notice_note', { count: STOP_HOURS })],
    })
    return
  }
  if (!canConfirm(change, clock.now())) return
  if (await isAddressTaken(db.write, change.newEmail, mail.userId)) {
    await send(change.newEmail, words.t('profiles.mail_taken_subject', { site: siteName }), {
      paragraphs: [words.t('profiles.mail_taken_text', { site: siteName })],
    })
    return
  }
  const token = await createChangeToken(db.write, mail, 'confirm_hash')
  if (token === undefined) return
  await send(change.newEmail, words.t('profiles.mail_confirm_subject', { site: siteName }), {
    paragraphs: [words.t('profiles.mail_confirm_text', { site: siteName })],
    action: { label: words.t('profiles.mail_confirm_action'), path: `${EMAIL}confirm/${token}/` },
    notes: [words.t('profiles.mail_confirm_note')],
  })
}
