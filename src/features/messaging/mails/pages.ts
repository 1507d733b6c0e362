import { tryAddressAgain } from '#features/accounts/users/commands/address-state.ts'
import { countMails, findUnsentMails } from '#features/messaging/notifications/queries/outbox.ts'
import { kindLabel } from '#features/messaging/notifications/views/labels.ts'
import { getOrganizationName } from '#features/operations/settings/queries.ts'
import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import { mailBodies } from '#platform/html/mail-body.ts'
import { staff } from '#platform/http/access.ts'
import { actionPage, type Page, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import type { RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Mailer } from '#platform/mail/mail.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { manageCrumbs } from '#platform/ui/manage.ts'
import { discardMail, retryMail, retryNotification } from './commands/outbox.ts'
import { findMailJobs } from './queries/outbox.ts'
import { findFailedAddresses, getFailedDelivery } from './queries/state.ts'
import { mailJobForm, mailPersonForm, notificationForm } from './schema.ts'
import { MAIL, mailPageView } from './views.ts'

type MailOptions = {
  hasMail: boolean
  mailer: Mailer
  tests: RateLimiter
  bounces: { address: string | undefined; hasWebhook: boolean }
}

const ownEmail = ({ actor }: RequestContext): string => {
  if (actor.kind !== 'user') throw new Problem('permission_denied')
  return actor.email
}

const listPage = ({ hasMail, mailer, bounces }: MailOptions): Page =>
  viewPage({
    path: MAIL,
    access: staff,
    show: async ({ context, query, csrfToken }) => {
      const { words, now, db } = context
      const onlyFailures = query.get('show') === 'failures'
      const [jobs, notifications, unsent, failed, addresses] = await Promise.all([
        findMailJobs(db, onlyFailures),
        countMails(db, now),
        findUnsentMails(db),
        getFailedDelivery(db),
        findFailedAddresses(db),
      ])
      const main = mailPageView({
        words,
        now,
        csrfToken,
        hasMail,
        way: words.t(hasMail ? 'mails.way_server' : 'mails.way_folder', { place: mailer.describe }),
        email: ownEmail(context),
        jobs,
        onlyFailures,
        notifications,
        unsent: unsent.map((mail) => ({ ...mail, kind: kindLabel(words, context.site, mail.kind) })),
        failed,
        addresses,
        bounces,
      })
      return { title: words.t('mails.title'), breadcrumb: manageCrumbs(words), main }
    },
  })

/** Sent at once, so that the page can say what the mail server answered. */
const testPage = ({ hasMail, mailer, tests }: MailOptions): Page =>
  actionPage({
    path: `${MAIL}test/`,
    access: staff,
    form: emptyForm,
    submit: async ({ context }) => {
      const { words, db, site } = context
      const to = ownEmail(context)
      const { allowed, resetSeconds } = await tests.takeShared(to)
      if (!allowed) return { redirect: MAIL, flash: { kind: 'bad', text: words.t('mails.test_limit', { count: resetSeconds }) } }
      const siteName = (await getOrganizationName(db)) ?? 'Turnout'
      const name = context.actor.displayName
      const bodies = mailBodies({ words, siteName, name, siteUrl: site.url, paragraphs: [words.t('mails.test_text')] })
      try {
        await mailer.send({ to, subject: words.t('mails.test_subject', { site: siteName }), ...bodies })
      } catch (error) {
        const reason = error instanceof Error ? error.message.slice(0, 300) : '–'
        return { redirect: MAIL, flash: { kind: 'bad', text: words.t('mails.test_failed', { reason }) } }
      }
      const text = hasMail
        ? words.t('mails.test_sent', { email: to })
        : words.t('mails.test_written', { folder: mailer.describe })
      return { redirect: MAIL, flash: { kind: hasMail ? 'good' : 'info', text } }
    },
  })

const jobPage = (what: 'retry' | 'discard', perform: (context: CommandContext, id: number) => Promise<boolean>): Page =>
  actionPage({
    path: `${MAIL}${what}/`,
    access: staff,
    form: mailJobForm,
    submit: async ({ context: { words }, commandContext }, { job }) => {
      const isDone = await perform(commandContext, job)
      const text = words.t(isDone ? `mails.done_${what}` : 'mails.gone')
      return { redirect: MAIL, flash: { kind: isDone ? 'good' : 'info', text } }
    },
  })

const notificationPage = actionPage({
  path: `${MAIL}notification/`,
  access: staff,
  form: notificationForm,
  submit: async ({ context: { words }, commandContext }, { notification }) => {
    const isDone = await retryNotification(commandContext, notification)
    return {
      redirect: MAIL,
      flash: { kind: isDone ? 'good' : 'info', text: words.t(isDone ? 'mails.done_retry' : 'mails.gone') },
    }
  },
})

const addressPage = actionPage({
  path: `${MAIL}address/`,
  access: staff,
  form: mailPersonForm,
  submit: async ({ context: { words }, commandContext }, { person }) => {
    const isDone = await tryAddressAgain(commandContext, person)
    const text = words.t(isDone ? 'mails.address_done' : 'mails.address_works')
    return { redirect: MAIL, flash: { kind: isDone ? 'good' : 'info', text } }
  },
})

export const mailPages = (options: MailOptions): Page[] => [
  listPage(options),
  testPage(options),
  jobPage('retry', retryMail),
  jobPage('discard', discardMail),
  notificationPage,
  addressPage,
]
