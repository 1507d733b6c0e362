import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { fieldRowView, fieldsetView, linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { InactiveAccount, RetentionRun } from '../queries/retention.ts'
import { privacyForm } from '../schema.ts'

export const PRIVACY = '/manage/privacy/'

const RULES = ['guests', 'visitors', 'journal', 'notifications', 'messages', 'attendance', 'birth_dates'] as const
type RuleName = (typeof RULES)[number]
const ruleTitle = (words: Words, name: string): string =>
  (RULES as readonly string[]).includes(name) ? words.t(`privacy.rule_${name as RuleName}`) : name

type Preview = { name: string; days: number; count: number; oldest: Date | null }
type Request = { userId: number; name: string; requestedAt: Date; dueAt: Date; decidedAt: Date | null }

type PrivacyPage = {
  words: Words
  now: Date
  csrfToken: string
  state: FormState
  previews: readonly Preview[]
  runs: readonly RetentionRun[]
  requests: readonly Request[]
  needsApproval: boolean
  inactive: { days: number; accounts: readonly InactiveAccount[] }
  settingsPath: string
}

export function privacyView(data: PrivacyPage): Html {
  const { words } = data
  return html`${pageHeadView({ title: words.t('privacy.place'), facts: words.t('privacy.intro') })}
<div class="stack">${requestsCard(data)}${previewCard(data)}${formCard(data)}${inactiveCard(data)}${runsCard(data)}</div>`
}

const daysText = (words: Words, days: number): string =>
  days ? words.t('privacy.days', { count: days }) : words.t('privacy.off')

function previewCard({ words, previews, settingsPath }: PrivacyPage): Html {
  const table = tableView<Preview>({
    caption: words.t('privacy.preview'),
    rows: previews,
    columns: [
      { label: words.t('privacy.rule'), main: true, cell: ({ name }) => ruleTitle(words, name) },
      {
        label: words.t('privacy.period'),
        cell: ({ name, days }) =>
          name === 'guests'
            ? html`${daysText(words, days)} <small><a href="${settingsPath}">${words.t('privacy.rule_guests_where')}</a></small>`
            : daysText(words, days),
      },
      { label: words.t('privacy.would_delete'), numeric: true, cell: ({ count }) => words.number(count) },
      { label: words.t('privacy.oldest'), cell: ({ oldest }) => (oldest ? words.date(oldest) : '–') },
    ],
  })
  const isNeeded = previews.some(({ count }) => count > 0)
  return cardView({
    title: words.t('privacy.preview'),
    body: html`<p class="muted">${words.t('privacy.preview_help')}</p>${table}`,
    footer: isNeeded && linkButtonView({ href: `${PRIVACY}run/`, label: words.t('privacy.run_now'), icon: 'trash-2' }),
  })
}

function formCard({ words, csrfToken, state }: PrivacyPage): Html {
  return cardView({
    body: privacyForm.view({
      words,
      csrfToken,
      action: PRIVACY,
      state,
      submit: words.t('privacy.save'),
      layout: (field) => [
        fieldsetView({
          legend: words.t('privacy.rules'),
          help: words.t('privacy.rules_help'),
          fields: [
            fieldRowView(field('retention_visitors_days'), field('retention_journal_days')),
            fieldRowView(field('retention_notifications_days'), field('retention_messages_days')),
            fieldRowView(field('retention_attendance_days'), field('retention_birth_dates_days')),
            field('retention_accounts_days'),
          ],
        }),
        fieldsetView({
          legend: words.t('privacy.waiting'),
          fields: [field('erasure_waiting_days'), field('erasure_needs_approval')],
        }),
      ],
    }),
  })
}

const personLink = (id: number, name: string): Html => html`<a href="/manage/people/${id}/">${name}</a>`

function requestsCard({ words, now, csrfToken, requests, needsApproval }: PrivacyPage): Html {
  const title = words.t('privacy.requests')
  if (!requests.length) return cardView({ title, body: html`<p class="muted">${words.t('privacy.requests_none')}</p>` })
  const stateOf = ({ decidedAt }: Request): { tone: Tone; text: string } => {
    if (decidedAt) return { tone: 'info', text: words.t('privacy.state_agreed') }
    return needsApproval
      ? { tone: 'warn', text: words.t('privacy.state_undecided') }
      : { tone: 'info', text: words.t('privacy.state_waiting') }
  }
  const button = (id: number, what: 'agree' | 'refuse', name: string) =>
    postButtonView({
      action: `${PRIVACY}requests/${id}/${what}/`,
      csrfToken,
      label: words.t(`privacy.${what}`),
      kind: what === 'agree' ? 'secondary' : 'quiet',
      small: true,
      attributes: { 'aria-label': `${words.t(`privacy.${what}`)}: ${name}` },
    })
  const table = tableView<Request>({
    caption: title,
    rows: requests,
    columns: [
      { label: words.t('privacy.person'), main: true, cell: ({ userId, name }) => personLink(userId, name) },
      { label: words.t('privacy.state'), cell: (request) => badgeView(stateOf(request)) },
      { label: words.t('privacy.requested'), cell: ({ requestedAt }) => words.relative(requestedAt, now) },
      { label: words.t('privacy.due'), cell: ({ dueAt }) => words.dateTime(dueAt) },
      {
        label: words.t('privacy.actions'),
        actions: true,
        cell: ({ userId, name, decidedAt }) =>
          html`<span class="cluster">${needsApproval && !decidedAt && button(userId, 'agree', name)}${button(userId, 'refuse', name)}</span>`,
      },
    ],
  })
  return cardView({ title, body: table })
}

function inactiveCard({ words, now, inactive: { days, accounts } }: PrivacyPage): Html | false {
  if (days === 0) return false
  const title = words.t('privacy.inactive')
  const text = html`<p class="muted">${words.t('privacy.inactive_text', { period: words.t('privacy.days', { count: days }) })}</p>`
  if (!accounts.length) return cardView({ title, body: html`<p class="muted">${words.t('privacy.inactive_none')}</p>` })
  const table = tableView<InactiveAccount>({
    caption: title,
    rows: accounts,
    columns: [
      { label: words.t('privacy.person'), main: true, cell: ({ id, name }) => personLink(id, name) },
      {
        label: words.t('privacy.last_seen'),
        cell: ({ lastSeenAt }) => (lastSeenAt ? words.relative(lastSeenAt, now) : words.t('privacy.never')),
      },
      {
        label: words.t('privacy.actions'),
        actions: true,
        cell: ({ id, name }) =>
          linkButtonView({
            href: `/manage/people/${id}/delete/`,
            label: words.t('privacy.delete_person'),
            kind: 'quiet',
            small: true,
            attributes: { 'aria-label': `${words.t('privacy.delete_person')} ${name}` },
          }),
      },
    ],
  })
  return cardView({ title, body: html`${text}${table}` })
}

function runsCard({ words, runs }: PrivacyPage): Html {
  const title = words.t('privacy.runs')
  if (!runs.length) return cardView({ title, body: html`<p class="muted">${words.t('privacy.runs_none')}</p>` })
  const table = tableView<RetentionRun>({
    caption: title,
    rows: runs,
    columns: [
      { label: words.t('privacy.rule'), main: true, cell: ({ rule }) => ruleTitle(words, rule) },
      { label: words.t('privacy.ran_at'), cell: ({ ranAt }) => words.dateTime(ranAt) },
      { label: words.t('privacy.period'), cell: ({ days }) => daysText(words, days) },
      { label: words.t('privacy.removed'), numeric: true, cell: ({ removed }) => words.number(removed) },
    ],
  })
  return cardView({ title, body: table })
}
