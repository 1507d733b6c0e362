import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { fieldRowView, fieldsetView, linkButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { Limit, StoredLimit } from './rules.ts'
import { limitsForm } from './schema.ts'

export const LIMITS = '/manage/limits/'
export const INSTANCE_LIMITS = `${LIMITS}all/`
export const groupLimitsPath = (groupId: number): string => `${LIMITS}groups/${groupId}/`

type Group = { id: number; name: string }

export function limitsView(words: Words, limits: readonly StoredLimit[], groups: readonly Group[]): Html {
  const limitsOf = (groupId: number | null) => limits.filter((limit) => limit.groupId === groupId)
  const limited = groups.filter(({ id }) => limitsOf(id).length > 0)
  const others = groups.filter(({ id }) => limitsOf(id).length === 0)
  return html`${pageHeadView({ title: words.t('limits.title'), facts: words.t('limits.intro') })}
    ${limitCardView(words, { title: words.t('limits.for_all'), href: INSTANCE_LIMITS, limits: limitsOf(null) })}
    ${limited.map(({ id, name }) =>
      limitCardView(words, {
        title: words.t('limits.for_group', { group: name }),
        href: groupLimitsPath(id),
        limits: limitsOf(id),
      }),
    )}
    ${others.length > 0 && otherGroupsView(words, others)}`
}

type LimitCard = { title: string; href: string; limits: readonly Limit[] }

function limitCardView(words: Words, { title, href, limits }: LimitCard): Html {
  const list =
    limits.length === 0
      ? html`<p class="hint">${words.t('limits.none')}</p>`
      : html`<ul>${limits.map((limit) => html`<li>${limitText(words, limit)}</li>`)}</ul>`
  return cardView({ title, body: html`${list}${linkButtonView({ href, label: words.t('limits.change') })}` })
}

function limitText(words: Words, { kind, value, blocks }: Limit): string {
  const text =
    kind === 'minor_accompanied' ? words.t('limits.text_minor_accompanied') : words.t(`limits.text_${kind}`, { count: value })
  return `${text} (${words.t(blocks ? 'limits.mode_refuse' : 'limits.mode_warn')})`
}

/** Groups can be many, so that a list of links stays folded. */
const otherGroupsView = (words: Words, groups: readonly Group[]): Html => html`<details class="card">
  <summary>${words.t('limits.other_groups')}</summary>
  <ul>${groups.map(({ id, name }) => html`<li><a href="${groupLimitsPath(id)}">${name}</a></li>`)}</ul>
</details>`

type FormContext = { words: Words; csrfToken: string; action: string; state: FormState }

export function limitsFormView({ words, csrfToken, action, state }: FormContext): Html {
  return limitsForm.view({
    words,
    csrfToken,
    action,
    state,
    submit: words.t('limits.save'),
    cancel: { href: LIMITS },
    layout: (field) => [
      fieldsetView({
        legend: words.t('limits.everyone'),
        fields: [
          fieldRowView(field('rest_hours'), field('rest_hours_mode')),
          fieldRowView(field('hours_per_week'), field('hours_per_week_mode')),
          fieldRowView(field('nights_in_row'), field('nights_in_row_mode')),
        ],
      }),
      fieldsetView({
        legend: words.t('limits.minors'),
        fields: [
          fieldRowView(field('minor_hours_per_day'), field('minor_hours_per_day_mode')),
          fieldRowView(field('minor_latest_hour'), field('minor_latest_hour_mode')),
          field('minor_accompanied'),
        ],
      }),
    ],
  })
}
