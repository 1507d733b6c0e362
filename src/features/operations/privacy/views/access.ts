import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { addressText } from '#platform/ui/contact.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { EventAudience } from '../queries/explanation.ts'
import type { Explanation, Obstacle, Reason } from '../rules/explanation.ts'
import { searchView } from './merge.ts'

const accessPath = (eventId: number): string => `/events/${eventId}/access/`

export type Explained = { id: number; name: string; email: string; explanation: Explanation }

export function accessView({
  words,
  audience,
  query,
  people,
}: {
  words: Words
  audience: EventAudience
  query: string
  people: readonly Explained[]
}): Html {
  return html`${pageHeadView({ title: words.t('privacy.access_title', { title: audience.title }) })}
<div class="stack">${audienceCard(words, audience)}${cardView({
    title: words.t('privacy.access_person'),
    body: html`${searchView({ words, action: accessPath(audience.id), query, help: words.t('privacy.merge_find_help') })}${
      people.length
        ? html`<ul class="action-list" role="list">${people.map((person) => personView(words, person))}</ul>`
        : query !== '' && html`<p class="muted">${words.t('privacy.found_none')}</p>`
    }`,
  })}</div>`
}

function audienceCard(words: Words, audience: EventAudience): Html {
  const { groups, partners, people, participants, hasGuestLink, isDraft } = audience
  const group = ({ name, members, isResponsible }: EventAudience['groups'][number]) =>
    words.t(isResponsible ? 'privacy.access_group_responsible' : 'privacy.access_group', { name, count: members })
  return cardView({
    title: words.t('privacy.access'),
    body: html`${isDraft && html`<p class="notice tone-warn">${words.t('privacy.access_draft')}</p>`}${factListView([
      {
        name: words.t('privacy.access_groups'),
        value: groups.length
          ? html`${groups.map((each) => html`<div>${group(each)}</div>`)}`
          : words.t('privacy.access_no_groups'),
      },
      { name: words.t('privacy.access_people'), value: words.t('privacy.people', { count: people }) },
      { name: words.t('privacy.access_participants'), value: words.t('privacy.people', { count: participants }) },
      {
        name: words.t('privacy.access_partners'),
        value: partners.length ? words.list(partners) : words.t('privacy.access_no_partners'),
      },
      { name: words.t('privacy.access_guests'), value: words.t(hasGuestLink ? 'privacy.yes' : 'privacy.no') },
    ])}<p class="muted">${words.t('privacy.access_others')}</p>`,
  })
}

function personView(words: Words, { id, name, email, explanation: { sees, reasons, obstacles } }: Explained): Html {
  const badge = badgeView({
    tone: sees ? 'good' : 'quiet',
    text: words.t(sees ? 'privacy.access_sees' : 'privacy.access_sees_not'),
    icon: sees ? 'eye' : 'eye-off',
  })
  const lines = [
    ...reasons.map((reason) => reasonText(words, reason)),
    ...obstacles.map((obstacle) => obstacleText(words, obstacle)),
  ]
  return html`<li><span class="cluster"><a href="/manage/people/${id}/">${name}</a>${badge}</span><span class="muted">${addressText(words, email)}</span><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul></li>`
}

const reasonText = (words: Words, reason: Reason): string =>
  'name' in reason ? words.t(`privacy.why_${reason.kind}`, { name: reason.name }) : words.t(`privacy.why_${reason.kind}`)
const obstacleText = (words: Words, obstacle: Obstacle): string => words.t(`privacy.why_not_${obstacle}`)

export const accessLinkView = (words: Words, eventId: number): Html =>
  html`<p>${linkButtonView({ href: accessPath(eventId), label: words.t('privacy.access_link'), kind: 'quiet', icon: 'eye', small: true })}</p>`
