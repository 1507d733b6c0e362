import { SCOPES } from '#platform/auth/scopes.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { confirmView } from '#platform/ui/confirm.ts'
import { copyView } from '#platform/ui/copy.ts'
import { emptyView } from '#platform/ui/empty.ts'
import type { Option } from '#platform/ui/fields.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { OwnToken } from './queries/bearer.ts'
import {
  type Bounds,
  DEFAULT_DAYS,
  getDateRange,
  getExpiry,
  getPresetDays,
  getSamplePath,
  getTokenState,
  type TokenState,
} from './rules.ts'
import { newTokenForm } from './schema.ts'

export function tokenListView({ words, now, tokens }: { words: Words; now: Date; tokens: readonly OwnToken[] }): Html {
  const add = linkButtonView({ href: '/settings/tokens/new/', label: words.t('token.new'), kind: 'primary', icon: 'plus' })
  if (!tokens.length) return emptyView({ icon: 'key-round', text: words.t('token.none'), action: add })
  const isEnded = (token: OwnToken) => ['expired', 'revoked'].includes(getTokenState(token, now))
  const [working, ended] = [tokens.filter((token) => !isEnded(token)), tokens.filter(isEnded)]
  return html`<div class="stack"><p class="muted">${words.t('token.intro')} <a href="/api/schema/swagger-ui/">${words.t('token.guide')}</a></p>
<p>${add}</p>
${working.length > 0 && tokenTable(words, now, words.t('token.list'), working)}
${ended.length > 0 && html`<section class="muted"><h2>${words.t('token.ended')}</h2>${tokenTable(words, now, words.t('token.ended'), ended)}</section>`}</div>`
}

function tokenTable(words: Words, now: Date, caption: string, tokens: readonly OwnToken[]): Html {
  return tableView({
    caption,
    rows: tokens,
    columns: [
      {
        label: words.t('token.value'),
        cell: (token) =>
          html`<span class="cluster"><span>${token.description || '–'}</span>${stateBadge(words, now, token)}${token.isForAssistant && badgeView({ tone: 'quiet', text: words.t('token.for_assistant') })}</span>`,
      },
      { label: words.t('token.scope'), cell: ({ scopes }) => scopeCodes(scopes) },
      { label: words.t('token.made_at'), cell: ({ createdAt }) => words.day(createdAt, now) },
      {
        label: words.t('token.expires'),
        cell: ({ expiresAt }) => (expiresAt ? words.day(expiresAt, now) : words.t('token.never')),
      },
      {
        label: words.t('token.last_used'),
        cell: ({ lastUsedAt }) =>
          lastUsedAt
            ? html`<span title="${words.dateTime(lastUsedAt)}">${words.relative(lastUsedAt, now)}</span>`
            : words.t('token.not_used'),
      },
      { label: words.t('ui.actions'), actions: true, cell: (token) => revokeLink(words, now, token) },
    ],
  })
}

export const scopeCodes = (scopes: readonly string[]): Html =>
  html`<span class="cluster">${scopes.map((scope) => html`<code>${scope}</code> `)}</span>`

const TONES: Record<TokenState, Tone> = { active: 'good', soon: 'warn', expired: 'quiet', revoked: 'quiet' }

function stateBadge(words: Words, now: Date, token: OwnToken): Html {
  const state = getTokenState(token, now)
  const text =
    state === 'soon' ? words.t('token.soon', { when: words.relative(token.expiresAt!, now) }) : words.t(`token.${state}`)
  return badgeView({ tone: TONES[state], text })
}

function revokeLink(words: Words, now: Date, token: OwnToken): Html | false {
  if (['expired', 'revoked'].includes(getTokenState(token, now))) return false
  return linkButtonView({
    href: `/settings/tokens/${token.id}/revoke/`,
    label: words.t('token.revoke'),
    kind: 'quiet',
    small: true,
    attributes: { 'aria-label': words.t('token.revoke_of', { description: token.description }) },
  })
}

type NewTokenData = {
  words: Words
  bounds: Bounds
  csrfToken: string
  /** Undefined: a new form. */
  state: FormState | undefined
}

/** Read scopes first, because most programs only read. */
export const SHOWN_SCOPES = SCOPES.toSorted((a, b) => Number(a.endsWith('WRITE')) - Number(b.endsWith('WRITE')))

export function newTokenView({ words, bounds, csrfToken, state }: NewTokenData): Html {
  const { first, last } = getDateRange(bounds)
  const lastDay = words.date(new Date(`${last}T12:00:00Z`))
  const form = newTokenForm.view({
    words,
    csrfToken,
    state: state ?? newTokenForm.state({ scope: ['PUBLIC_READ'], lifetime: Math.min(DEFAULT_DAYS, bounds.maxDays) }),
    action: '/settings/tokens/new/',
    submit: { label: words.t('token.submit'), icon: 'key-round' },
    cancel: { href: '/settings/tokens/' },
    layout: (field) => [
      field('description'),
      field('scope', { options: SHOWN_SCOPES.map((scope) => scopeOption(words, scope)) }),
      field('lifetime', { options: lifetimeOptions(words, bounds) }),
      field('date', { help: words.t('token.date_help', { date: lastDay }), min: first, max: last }),
    ],
  })
  return html`${pageHeadView({ title: words.t('token.new_title'), facts: words.t('token.intro') })}
${form}`
}

export function scopeOption(words: Words, scope: (typeof SCOPES)[number]): Option {
  const help = scope === 'PUBLIC_READ' ? `${scope} – ${words.t('token.narrowest')}` : scope
  return { value: scope, label: words.t(`token.${scope}`), help }
}

function lifetimeOptions(words: Words, bounds: Bounds): Option[] {
  const presets = getPresetDays(bounds.maxDays).map((count) => {
    const date = words.date(getExpiry({ days: count }, bounds)!)
    return { value: count, label: words.t('token.days_until', { days: words.t('token.days', { count }), date }) }
  })
  return [...presets, { value: 'date', label: words.t('token.until_date') }]
}

/** Response to the form. The value is shown once and not stored. */
export function newTokenMadeView({
  words,
  siteUrl,
  token,
  scopes,
  expiresAt,
}: {
  words: Words
  siteUrl: string
  token: string
  scopes: readonly string[]
  expiresAt: Date
}): Html {
  const curl = `curl -H 'Authorization: Bearer ${token}' '${siteUrl}${getSamplePath(scopes)}'`
  const body = html`<p><strong>${words.t('token.made_once')}</strong></p>
${copyView({ words, id: 'token-value', label: words.t('token.value'), value: token, help: words.t('token.value_help', { date: words.dateTime(expiresAt) }) })}
${copyView({ words, id: 'token-curl', label: words.t('token.curl'), value: curl })}`
  const footer = linkButtonView({ href: '/settings/tokens/', label: words.t('token.made_done'), kind: 'primary', icon: 'check' })
  return html`${pageHeadView({ title: words.t('token.made_title') })}${cardView({ body, footer })}`
}

export function revokeTokenView({
  words,
  now,
  csrfToken,
  token,
}: {
  words: Words
  now: Date
  csrfToken: string
  token: OwnToken
}): Html {
  const used = token.lastUsedAt && words.t('token.revoke_used', { when: words.relative(token.lastUsedAt, now) })
  return confirmView({
    words,
    title: words.t('token.revoke_title', { description: token.description }),
    text: used || undefined,
    consequences: [words.t('token.revoke_refused'), words.t('token.revoke_final')],
    action: `/settings/tokens/${token.id}/revoke/`,
    csrfToken,
    submit: words.t('token.revoke_submit'),
    cancel: { href: '/settings/tokens/' },
  })
}
