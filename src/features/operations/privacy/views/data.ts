import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { Area, OutsideKind } from '../queries/viewers.ts'

export const DATA = '/settings/data/'

type ShownViewers = {
  area: Area
  total: number
  through: { reason: string; group: string | null; count: number; names: readonly string[] | null }[]
}
type Outside = { kind: OutsideKind; name: string; scopes: readonly string[] }

type DataPage = {
  words: Words
  csrfToken: string
  viewers: readonly ShownViewers[]
  outside: readonly Outside[]
  waitingDays: number
  request: { dueAt: Date; needsDecision: boolean } | undefined
}

export const dataView = (data: DataPage): Html =>
  html`<div class="stack">${downloadCard(data)}${viewersCard(data)}${eraseCard(data)}</div>`

function downloadCard({ words, csrfToken }: DataPage): Html {
  const button = postButtonView({
    action: `${DATA}download/`,
    csrfToken,
    label: words.t('privacy.download_button'),
    kind: 'primary',
    icon: 'download',
  })
  return cardView({ title: words.t('privacy.download'), body: html`<p>${words.t('privacy.download_text')}</p>${button}` })
}

function viewersCard({ words, viewers, outside }: DataPage): Html {
  const areas = viewers.map(
    ({ area, total, through }) =>
      html`<h3>${words.t(`privacy.area_${area}`)}</h3>${
        total
          ? html`<details class="fold"><summary>${words.t('privacy.people', { count: total })}</summary><ul>${through.map(
              (each) =>
                html`<li>${throughText(words, each)}: ${each.names ? words.list(each.names) : words.t('privacy.people', { count: each.count })}</li>`,
            )}</ul></details>`
          : html`<p>${words.t('privacy.nobody')}</p>`
      }`,
  )
  const others = outside.length
    ? html`<ul>${outside.map((each) => html`<li>${outsideText(words, each)}</li>`)}</ul>`
    : html`<p>${words.t('privacy.outside_none')}</p>`
  return cardView({
    title: words.t('privacy.viewers'),
    body: html`<p class="muted">${words.t('privacy.viewers_text')}</p>${areas}<h3>${words.t('privacy.outside')}</h3>${others}`,
  })
}

const outsideText = (words: Words, { kind, name, scopes }: Outside): string =>
  kind === 'application' || kind === 'program'
    ? words.t(`privacy.outside_${kind}`, { name, scopes: scopes.join(', ') })
    : words.t(`privacy.outside_${kind}`, { name })

function throughText(words: Words, { reason, group }: { reason: string; group: string | null }): string {
  switch (reason) {
    case 'administrator':
    case 'permission':
    case 'participants':
      return words.t(`privacy.through_${reason}`)
    case 'group':
    case 'audience':
      return words.t(`privacy.through_${reason}`, { group: group ?? '' })
    case 'responsible':
      return group ? words.t('privacy.through_responsible_group', { group }) : words.t('privacy.through_responsible')
    case 'guardian':
      return words.t('privacy.through_guardian')
    case 'planner':
      return group ? words.t('privacy.through_planner_group', { group }) : words.t('privacy.through_planner')
    case 'decider':
      return words.t('privacy.through_decider', { group: group ?? '' })
    default:
      return group ? words.t('privacy.through_granted_group', { group }) : words.t('privacy.through_granted')
  }
}

function eraseCard({ words, csrfToken, waitingDays, request }: DataPage): Html {
  const title = words.t('privacy.erase')
  if (request) {
    const time = words.dateTime(request.dueAt)
    const text = request.needsDecision
      ? words.t('privacy.erase_pending_approval', { time })
      : words.t('privacy.erase_pending', { time })
    const keep = postButtonView({
      action: `${DATA}keep/`,
      csrfToken,
      label: words.t('privacy.erase_keep'),
      kind: 'primary',
      icon: 'undo-2',
    })
    return cardView({ title, body: html`<p class="notice tone-warn">${text}</p>${keep}` })
  }
  const wait = waitingDays ? words.t('privacy.erase_wait', { count: waitingDays }) : words.t('privacy.erase_at_once')
  const start = linkButtonView({ href: `${DATA}erase/`, label: words.t('privacy.erase_start'), kind: 'danger', icon: 'trash-2' })
  return cardView({ title, body: html`<p>${words.t('privacy.erase_text', { wait })}</p>${start}` })
}
