import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import { type FormState, fieldValues } from '#platform/ui/form-values.ts'
import { iconView } from '#platform/ui/icon.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { standInPath, standInStepPath } from '../rules/links.ts'
import type { StandInState } from '../rules/stand-in.ts'
import type { SearchProgress, Taker } from '../rules/waves.ts'
import { standInForm } from '../schema.ts'
import { progressText, stopSearchView } from './search.ts'

type StandInData = {
  words: Words
  now: Date
  csrfToken: string
  shift: { id: number; title: string; start: Date; end: Date }
  eventPath: string
  refusal: 'off' | 'no_place' | 'begun' | 'no_taker' | undefined
  needsAgreement: boolean
  open: SearchProgress | undefined
  takers: readonly Taker[]
  state: FormState
}

/** People whom the person knows best; a longer list would not be read. */
const MOST_NAMES = 8

export function standInView(data: StandInData): Html {
  const { words, now, shift } = data
  return html`${pageHeadView({
    title: words.t('stand_in.title'),
    facts: html`<span class="fact">${words.span(shift.start, shift.end, now)}</span> <span class="fact">${shift.title}</span>`,
  })}<div class="stack">${bodyOf(data)}</div>`
}

function bodyOf(data: StandInData): Html {
  const { words, now, csrfToken, shift, eventPath, refusal, open } = data
  if (open)
    return cardView({
      title: words.t(open.state === 'found' ? 'stand_in.found_title' : 'stand_in.searching_title'),
      body: html`<p>${open.state === 'found' ? words.t('stand_in.found_text') : progressText(words, now, open)}</p><p><b>${words.t('stand_in.still_yours')}</b></p>`,
      footer: stopSearchView(words, { csrfToken, shiftId: shift.id, from: 'event' }),
    })
  if (refusal)
    return html`<p class="notice tone-warn">${words.t(`stand_in.refusal.${refusal}`)}</p>${linkButtonView({ href: eventPath, label: words.t('offers.see_event') })}`
  return askView(data)
}

/** The number of people and the order in which they are asked stand above the button. */
function askView({ words, csrfToken, shift, eventPath, needsAgreement, takers, state }: StandInData): Html {
  const known = takers.filter(({ shared }) => shared > 0).slice(0, MOST_NAMES)
  const hasLine = takers.some(({ line }) => line !== undefined)
  const order = hasLine ? 'stand_in.order_line' : known.length ? 'stand_in.order_known' : 'stand_in.order'
  return html`<p><b>${words.t('stand_in.count', { count: takers.length })}</b> ${words.t(order)}</p><p>${words.t('stand_in.intro')} ${words.t(needsAgreement ? 'stand_in.intro_planner' : 'stand_in.intro_at_once')}</p>${standInForm.view(
    {
      words,
      csrfToken,
      state,
      action: standInPath(shift.id),
      submit: { label: words.t('stand_in.seek'), icon: 'users' },
      cancel: { href: eventPath },
      layout: (field) => html`${takers.length > 1 && field('size', { help: words.t('stand_in.size_help') })}
${field('message')}
${known.length > 1 && html`<details class="fold" ${attrs({ open: fieldValues(state.values, 'first').length > 0 })}><summary>${words.t('stand_in.choose')}${iconView('chevron-down', { size: 18 })}</summary>${field('first', { options: known.map(({ id, name, shared }) => ({ value: id, label: name, help: words.t('stand_in.shared', { count: shared }) })) })}</details>`}`,
    },
  )}`
}

/** Below the own place on the page of the event. */
export function standInLinkView(words: Words, shiftId: number, shift: string): Html {
  const label = words.t('stand_in.link')
  return linkButtonView({
    href: standInPath(shiftId),
    label,
    kind: 'quiet',
    icon: 'users',
    attributes: { 'aria-label': words.t('signup.for_shift', { action: label, shift }) },
  })
}

type Row = {
  id: number
  shiftId: number
  name: string
  takenByName: string | null
  state: StandInState
  asked: number
  people: number
  message: string
  start: Date
}

const TONES: Record<StandInState, Tone> = {
  open: 'info',
  found: 'warn',
  done: 'good',
  cancelled: 'quiet',
  expired: 'quiet',
  refused: 'quiet',
  undone: 'quiet',
}

/** For planners. */
export function standInsView({
  words,
  now,
  csrfToken,
  rows,
}: {
  words: Words
  now: Date
  csrfToken: string
  rows: readonly Row[]
}): Html {
  const button = ({ id, shiftId, name }: Row, step: 'agree' | 'refuse' | 'undo', kind: 'primary' | 'quiet') => {
    const label = words.t(`stand_in.${step}`)
    return postButtonView({
      action: standInStepPath(shiftId, id, step),
      id: `stand-in-${step}-${id}`,
      csrfToken,
      label,
      kind,
      attributes: { 'aria-label': words.t('stand_in.deed_named', { action: label, name }) },
    })
  }
  return cardView({
    title: words.t('stand_in.list'),
    body: tableView<Row>({
      caption: words.t('stand_in.list'),
      rows,
      rowId: ({ id }) => `stand-in-${id}`,
      columns: [
        { label: words.t('offers.person'), main: true, cell: ({ name }) => name },
        {
          label: words.t('offers.state'),
          cell: ({ state }) => badgeView({ tone: TONES[state], text: words.t(`stand_in.state.${state}`) }),
        },
        { label: words.t('stand_in.taker'), cell: ({ takenByName }) => takenByName ?? '–' },
        { label: words.t('stand_in.asked'), cell: ({ asked, people }) => words.t('stand_in.asked_of', { asked, people }) },
        { label: words.t('offers.why'), cell: ({ message }) => message },
        {
          label: words.t('offers.actions'),
          cell: (row) =>
            row.state === 'found'
              ? html`${button(row, 'agree', 'primary')} ${button(row, 'refuse', 'quiet')}`
              : row.state === 'done' && row.start > now && button(row, 'undo', 'quiet'),
        },
      ],
    }),
  })
}
