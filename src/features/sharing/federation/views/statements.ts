import { shortStateBadge } from '#features/staffing/staffing/views/state.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { emptyView } from '#platform/ui/empty.ts'
import { postButtonView } from '#platform/ui/form.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import type { PartnerShift, Statement } from '../queries/statements.ts'
import { openingPath } from '../rules/openings.ts'

export const STATEMENTS = '/events/external/mine/'
export const OBJECTION = `${STATEMENTS}objection/`

type SilentHost = {
  name: string
  url: string
  lastVisitAt: Date | null
  opened: readonly { id: number; title: string; start: Date; end: Date; openedAt: Date }[]
}
type StatementsData = {
  words: Words
  now: Date
  csrfToken: string
  statements: readonly Statement[]
  /** Shifts that are over and count as hours. */
  past: readonly PartnerShift[]
  /** The person does not want hosts to tell about them. */
  objects: boolean
  silent: readonly SilentHost[]
}

export function statementsView(data: StatementsData): Html {
  const { words, now, csrfToken, statements, past, silent, objects } = data
  const answer = (about: 'statement' | 'hours', { id, title, isDenied }: Pick<Statement, 'id' | 'title' | 'isDenied'>) =>
    postButtonView({
      action: STATEMENTS,
      csrfToken,
      label: words.t(isDenied ? 'statement.accept' : 'statement.deny'),
      fields: { [about]: String(id), right: isDenied ? 'yes' : 'no' },
      attributes: { 'aria-label': `${words.t(isDenied ? 'statement.accept' : 'statement.deny')}: ${title}` },
      kind: 'secondary',
      small: true,
    })
  const stateOf = ({ state, isDenied }: Statement) => {
    const badge = isDenied ? { tone: 'quiet' as const, text: words.t('statement.denied') } : shortStateBadge(words, state, false)
    return badge && badgeView(badge)
  }
  return html`${pageHeadView({ title: words.t('statement.title'), facts: words.t('statement.intro') })}
<div class="section-block">${
    statements.length
      ? tableView({
          caption: words.t('statement.title'),
          rows: statements,
          columns: [
            {
              label: words.t('statement.shift'),
              main: true,
              cell: ({ title, label, href }) => html`<a href="${href}">${label ? `${title}, ${label}` : title}</a>`,
            },
            { label: words.t('statement.host'), cell: ({ host }) => host },
            { label: words.t('statement.when'), cell: ({ start, end }) => words.span(start, end, now) },
            { label: words.t('statement.state'), cell: stateOf },
            { label: words.t('statement.answer'), actions: true, cell: (row) => answer('statement', row) },
          ],
        })
      : emptyView({ icon: 'globe', text: words.t(objects ? 'statement.none_told' : 'statement.none') })
  }</div>
${past.length > 0 && pastView(data, (row) => answer('hours', row))}
<div class="section-block stack">${objectionView(data)}${
    silent.length > 0 &&
    cardView({
      title: words.t('statement.silent'),
      body: html`<p>${words.t('statement.silent_text')}</p><ul>${silent.map((host) => silentHostView(words, now, host))}</ul>`,
    })
  }</div>`
}

function pastView({ words, now, past }: StatementsData, answer: (row: PartnerShift) => Html): Html {
  return html`<section class="section-block stack"><header class="section-head"><h2>${words.t('statement.past')}</h2></header><p>${words.t('statement.past_text')}</p>${tableView<PartnerShift>(
    {
      caption: words.t('statement.past'),
      rows: past,
      columns: [
        {
          label: words.t('statement.shift'),
          main: true,
          cell: ({ title, label, isDenied }) =>
            html`${label ? `${title}, ${label}` : title}${isDenied && html` ${badgeView({ tone: 'quiet', text: words.t('statement.denied') })}`}`,
        },
        { label: words.t('statement.host'), cell: ({ host }) => host },
        { label: words.t('statement.when'), cell: ({ start, end }) => words.span(start, end, now) },
        { label: words.t('statement.answer'), actions: true, cell: answer },
      ],
    },
  )}</section>`
}

/** Whether hosts may tell where the person stands and how long they were there. */
function objectionView({ words, csrfToken, objects }: StatementsData): Html {
  const button = postButtonView({
    action: OBJECTION,
    csrfToken,
    label: words.t(objects ? 'statement.allow' : 'statement.object'),
    fields: { objects: objects ? 'no' : 'yes' },
    kind: 'secondary',
  })
  return cardView({
    title: words.t(objects ? 'statement.objecting_title' : 'statement.objection_title'),
    body: html`<p>${words.t(objects ? 'statement.objecting_text' : 'statement.objection_text')}</p>${button}`,
  })
}

function silentHostView(words: Words, now: Date, { name, url, lastVisitAt, opened }: SilentHost): Html {
  const visit = lastVisitAt ? words.t('statement.visited', { when: words.dateTime(lastVisitAt) }) : words.t('statement.never')
  const events = opened.map(
    ({ id, title, start, end, openedAt }) =>
      html`<li class="wrap"><a href="${openingPath(id)}">${title}</a>, ${words.span(start, end, now)}: ${words.t('statement.opened', { when: words.dateTime(openedAt) })}</li>`,
  )
  return html`<li class="wrap"><a href="${url}">${name}</a>: ${visit}${events.length > 0 && html`<ul>${events}</ul>`}</li>`
}
