import type { UnsentMail } from '#features/messaging/notifications/queries/outbox.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { tabsView } from '#platform/ui/tabs.ts'
import type { MailJob } from './queries/outbox.ts'
import type { FailedAddress } from './queries/state.ts'

export const MAIL = '/manage/mail/'
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
  unsent: readonly UnsentMail[]
  /** The last mail, if the server did not take it. */
  failed: { at: Date; reason: string } | undefined
  addresses: { count: number; people: readonly FailedAddress[] }
  bounces: { address: string | undefined; hasWebhook: boolean }
}

export function mailPageView(data: MailData): Html {
  const { words, now, csrfToken, hasMail, way, email, notifications, failed, bounces } = data
  const state = !hasMail
    ? badgeView({ tone: 'bad', text: words.t('mails.not_set_up') })
    : failed
      ? badgeView({ tone: 'bad', text: words.t('mails.failing') })
      : badgeView({ tone: 'good', text: words.t('mails.set_up') })
  const ways = [
    ...(bounces.address ? [words.t('mails.bounces_to', { address: bounces.address })] : []),
    ...(bounces.hasWebhook ? [words.t('mails.bounces_webhook')] : []),
  ]
  const set = cardView({
    title: words.t('mails.state'),
    aside: state,
    body: html`${!hasMail && html`<p>${words.t('mails.how_to')}</p>`}${factListView([
      { name: words.t('mails.way'), value: way },
      {
        name: words.t('mails.notifications'),
        value: words.t('mails.notifications_state', { late: notifications.late, failed: notifications.failed }),
      },
      ...(failed
        ? [
            {
              name: words.t('mails.last_failure'),
              value: html`<span class="wrap">${words.relative(failed.at, now)}: ${failed.reason}</span>`,
            },
          ]
        : []),
      { name: words.t('mails.bounces'), value: ways.length ? words.list(ways) : words.t('mails.bounces_none') },
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
<div class="stack">${set}${outboxView(data)}${unsentView(data)}${addressesView(data)}</div>`
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
          { label: words.t('mails.person'), cell: ({ name }) => name ?? '–' },
          {
            label: words.t('mails.attempts'),
            cell: ({ attempts, maxAttempts }) => words.t('mails.attempts_of', { attempts, count: maxAttempts }),
          },
          {
            label: words.t('mails.next'),
            cell: ({ isFailed, isSkipped, nextAt }) =>
              isSkipped
                ? badgeView({ tone: 'warn', text: words.t('mails.skipped') })
                : isFailed
                  ? badgeView({ tone: 'bad', text: words.t('mails.given_up') })
                  : words.relative(nextAt, now),
          },
          {
            label: words.t('mails.reason'),
            cell: ({ error, isSkipped }) =>
              html`<span class="wrap">${isSkipped ? words.t('mails.address_failed') : (error ?? '–')}</span>`,
          },
          { label: words.t('mails.actions'), actions: true, cell: (job) => actionsView(data, job) },
        ],
      })
    : emptyView({ icon: 'mail', text: words.t(onlyFailures ? 'mails.no_failures' : 'mails.none') })
  return html`<section class="section-block"><header class="section-head"><h2>${words.t('mails.outbox')}</h2></header>${tabs}${list}</section>`
}

/** Mails about notifications that were not sent. */
function unsentView({ words, now, csrfToken, unsent }: MailData): Html | false {
  if (!unsent.length) return false
  const next = ({ state, nextAt }: UnsentMail) =>
    state === 'waiting'
      ? words.relative(nextAt, now)
      : badgeView({
          tone: state === 'failed' ? 'bad' : 'warn',
          text: words.t(state === 'failed' ? 'mails.given_up' : 'mails.skipped'),
        })
  const list = tableView<UnsentMail>({
    caption: words.t('mails.unsent'),
    rows: unsent,
    columns: [
      {
        label: words.t('mails.kind'),
        main: true,
        cell: ({ kind, createdAt }) => html`${kind} <small class="muted">${words.relative(createdAt, now)}</small>`,
      },
      { label: words.t('mails.person'), cell: ({ name }) => name ?? '–' },
      { label: words.t('mails.next'), cell: next },
      {
        label: words.t('mails.reason'),
        cell: ({ state, reason }) =>
          html`<span class="wrap">${state === 'skipped' ? words.t('mails.address_failed') : (reason ?? '–')}</span>`,
      },
      {
        label: words.t('mails.actions'),
        actions: true,
        cell: ({ id }) =>
          postButtonView({
            action: `${MAIL}notification/`,
            csrfToken,
            fields: { notification: id },
            label: words.t('mails.retry'),
            kind: 'secondary',
            small: true,
          }),
      },
    ],
  })
  return html`<section class="section-block"><header class="section-head"><h2>${words.t('mails.unsent')}</h2></header>${list}</section>`
}

/** People whose mails came back, and what was left out. */
function addressesView({ words, now, csrfToken, addresses: { count, people } }: MailData): Html {
  const list = people.length
    ? tableView<FailedAddress>({
        caption: words.t('mails.addresses'),
        rows: people,
        columns: [
          {
            label: words.t('mails.person'),
            main: true,
            cell: ({ userId, name, email }) =>
              html`<a href="/manage/people/${userId}/">${name}</a> <small class="muted wrap">${email}</small>`,
          },
          { label: words.t('mails.since'), cell: ({ since }) => (since ? words.relative(since, now) : '–') },
          { label: words.t('mails.reason'), cell: ({ reason }) => html`<span class="wrap">${reason || '–'}</span>` },
          { label: words.t('mails.left_out'), cell: ({ skipped }) => String(skipped) },
          {
            label: words.t('mails.actions'),
            actions: true,
            cell: ({ userId, name }) =>
              postButtonView({
                action: `${MAIL}address/`,
                csrfToken,
                fields: { person: userId },
                label: words.t('mails.address_retry'),
                kind: 'secondary',
                small: true,
                attributes: { 'aria-label': words.t('mails.address_retry_of', { name }) },
              }),
          },
        ],
      })
    : emptyView({ icon: 'mail', text: words.t('mails.addresses_none') })
  const more =
    count > people.length && html`<p class="muted">${words.t('mails.addresses_more', { count: count - people.length })}</p>`
  return html`<section class="section-block"><header class="section-head"><h2>${words.t('mails.addresses')}</h2></header><p class="muted">${words.t('mails.addresses_text')}</p>${list}${more}</section>`
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
