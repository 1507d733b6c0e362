import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import type { MailTask } from './schema.ts'

export const MAIL = '/manage/mail/'

type MailJob = {
  id: number
  task: MailTask
  attempts: number
  maxAttempts: number
  error: string | null
  createdAt: Date
  nextAt: Date
  isFailed: boolean
}
type MailData = {
  words: Words
  now: Date
  csrfToken: string
  hasMail: boolean
  /** Where mails go, in the words of the server. */
  way: string
  email: string
  jobs: readonly MailJob[]
  onlyFailures: boolean
  notifications: { late: number; failed: number }
}

export function mailPageView(data: MailData): Html {
  const { words, csrfToken, hasMail, way, email, notifications } = data
  const state = hasMail
    ? badgeView({ tone: 'good', text: words.t('mails.set_up') })
    : badgeView({ tone: 'bad', text: words.t('mails.not_set_up') })
  const set = cardView({
    title: words.t('mails.state'),
    aside: state,
    body: html`${!hasMail && html`<p>${words.t('mails.how_to')}</p>`}${factListView([
      { name: words.t('mails.way'), value: way },
      {
        name: words.t('mails.notifications'),
        value: words.t('mails.notifications_state', { late: notifications.late, failed: notifications.failed }),
      },
    ])}`,
    footer: postButtonView({
      action: `${MAIL}test/`,
      csrfToken,
      label: words.t('mails.test', { email }),
      kind: 'secondary',
      icon: 'send',
    }),
  })
  return html`${pageHeadView({ title: words.t('mails.title'), facts: words.t('mails.intro') })}
<div class="stack">${set}${outboxView(data)}</div>`
}

function outboxView(data: MailData): Html {
  const { words, now, jobs, onlyFailures } = data
  const tabs = tabsView({
    label: words.t('mails.outbox'),
    tabs: [
      { href: MAIL, label: words.t('mails.all'), current: !onlyFailures },
      { href: `${MAIL}?show=failures`, label: words.t('mails.failures'), current: onlyFailures },
    ],
  })
  const list = jobs.length
    ? tableView<MailJob>({
        caption: words.t('mails.outbox'),
        rows: jobs,
        columns: [
          { label: words.t('mails.kind'), cell: ({ task }) => words.t(`mails.task_${task}`), main: true },
          {
            label: words.t('mails.attempts'),
            cell: ({ attempts, maxAttempts }) => words.t('mails.attempts_of', { attempts, count: maxAttempts }),
          },
          {
            label: words.t('mails.next'),
            cell: ({ isFailed, nextAt }) =>
              isFailed ? badgeView({ tone: 'bad', text: words.t('mails.given_up') }) : words.relative(nextAt, now),
          },
          { label: words.t('mails.reason'), cell: ({ error }) => html`<span class="wrap">${error ?? '–'}</span>` },
          { label: words.t('mails.actions'), actions: true, cell: (job) => actionsView(data, job) },
        ],
      })
    : emptyView({ icon: 'mail', text: words.t(onlyFailures ? 'mails.no_failures' : 'mails.none') })
  return html`<section class="section-block"><header class="section-head"><h2>${words.t('mails.outbox')}</h2></header>${tabs}${list}</section>`
}

const actionsView = ({ words, csrfToken }: MailData, { id }: MailJob): Html =>
  html`<div class="button-row">${(['retry', 'discard'] as const).map((what) =>
    postButtonView({
      action: `${MAIL}${what}/`,
      csrfToken,
      fields: { job: id },
      label: words.t(`mails.${what}`),
      kind: what === 'retry' ? 'secondary' : 'quiet',
      small: true,
    }),
  )}</div>`
