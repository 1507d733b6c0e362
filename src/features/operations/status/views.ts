import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { TURNOUT } from '#platform/invocation.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView, factListView } from '#platform/ui/card.ts'
import { linkButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import type { AreaFacts, Fact } from './schema.ts'

export const STATUS = '/manage/status/'

type StatusData = { words: Words; areas: readonly AreaFacts[]; isThorough: boolean }

export function statusView({ words, areas, isThorough }: StatusData): Html {
  const bad = areas.flatMap(({ facts }) => facts).filter(({ state }) => state === 'bad').length
  const facts = bad ? words.t('status.attention', { count: bad }) : words.t('status.all_good')
  const list = factListView(
    areas.map(({ area, facts }) => ({
      name: words.t(`status.area_${area}`),
      value: html`<ul class="status-facts" role="list">${facts.map((fact) => factView(words, fact))}</ul>`,
    })),
  )
  const more = isThorough
    ? html`<p class="muted">${words.t('status.thorough_done')}</p>`
    : html`<p class="muted">${words.t('status.thorough_text')}</p>${linkButtonView({
        href: `${STATUS}?check=all`,
        label: words.t('status.thorough'),
        icon: 'list-checks',
      })}`
  const same = html`<p class="muted">${words.t('status.same', { command: `${TURNOUT} doctor` })}</p>`
  return html`${pageHeadView({ title: words.t('status.title'), facts })}${cardView({ body: list, footer: html`${more}${same}` })}`
}

function factView(words: Words, { state, text, href }: Fact): Html {
  const badge = state !== 'info' && badgeView({ tone: state === 'good' ? 'good' : 'bad', text: words.t(`status.${state}`) })
  return html`<li data-state="${state}">${badge} <span class="wrap">${text}</span>${href && html` <a href="${href}">${words.t('status.more')}</a>`}</li>`
}
