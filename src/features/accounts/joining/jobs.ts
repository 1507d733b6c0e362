import { getOrganizationName } from '#features/operations/settings/queries.ts'
import { ANONYMOUS } from '#platform/auth/actor.ts'
import type { Site } from '#platform/auth/context.ts'
import type { Clock } from '#platform/clock.ts'
import type { Database } from '#platform/db/pool.ts'
import { type MailData, mailBodies } from '#platform/html/mail-body.ts'
import type { Language } from '#platform/i18n/languages.ts'
import { wordsFor } from '#platform/i18n/words.ts'
import type { Task } from '#platform/jobs/worker.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import { createConfirmationToken, deleteOldRegistrations } from './commands/registrations.ts'
import { getRefusal, getRegistration, isAddressTaken } from './queries.ts'
import { JOIN_MAIL_TASK, type JoinMail, joinMail } from './schema.ts'

type JoiningContext = { db: Database; clock: Clock; mailer: Mailer; site: Site }

export const joiningTasks = (context: JoiningContext): Task[] => [
  { name: JOIN_MAIL_TASK, run: async (payload) => sendJoinMail(context, joinMail.parse(payload)) },
  {
    name: 'clean_up_joining',
    schedule: '11 * * * *',
    run: () =>
      deleteOldRegistrations({
        db: context.db.write,
        actor: ANONYMOUS,
        now: context.clock.now(),
        site: context.site,
        requestId: null,
      }),
  },
]

async function sendJoinMail({ db, clock, mailer, site }: JoiningContext, mail: JoinMail): Promise<void> {
  const siteName = (await getOrganizationName(db.read)) ?? 'Turnout'
  const send = async (
    to: { email: string; name: string; language: Language },
    subject: string,
    content: Pick<MailData, 'paragraphs' | 'action' | 'notes'>,
  ) => {
    const words = wordsFor(to.language, site.timeZone)
    await mailer.send({
      to: to.email,
      subject,
      ...mailBodies({ words, siteName, name: to.name, siteUrl: site.url, ...content }),
    })
  }
  if (mail.kind === 'refused') {
    const refusal = await getRefusal(db.write, mail.requestId)
    if (!refusal) return
    const words = wordsFor(refusal.language, site.timeZone)
    return send(refusal, words.t('joining.mail_refused_subject', { site: siteName }), {
      paragraphs: [
        words.t('joining.mail_refused_text', { site: siteName }),
        ...(refusal.comment ? [words.t('joining.mail_refused_reason', { reason: refusal.comment })] : []),
      ],
    })
  }
  const registration = await getRegistration(db.write, mail.registrationId, clock.now())
  if (!registration) return
  const words = wordsFor(registration.language, site.timeZone)
  if (await isAddressTaken(db.write, registration.email))
    return send(registration, words.t('joining.mail_exists_subject', { site: siteName }), {
      paragraphs: [words.t('joining.mail_exists_text', { site: siteName })],
      action: { label: words.t('joining.mail_exists_action'), path: '/accounts/login/' },
      notes: [words.t('joining.mail_exists_note')],
    })
  const token = await createConfirmationToken(db.write, registration.id)
  if (token === undefined) return
  return send(registration, words.t('joining.mail_confirm_subject', { site: siteName }), {
    paragraphs: [words.t('joining.mail_confirm_text', { site: siteName })],
    action: { label: words.t('joining.mail_confirm_action'), path: `/join/confirm/${token}/` },
    notes: [words.t('joining.mail_confirm_note')],
  })
}
