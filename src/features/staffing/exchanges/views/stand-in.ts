import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView, type Tone } from '#platform/ui/badge.ts'
import { cardView } from '#platform/ui/card.ts'
import { linkButtonView, postButtonView } from '#platform/ui/form.ts'
import type { FormState } from '#platform/ui/form-values.ts'
import { pageHeadView } from '#platform/ui/page-head.ts'
import { tableView } from '#platform/ui/table.ts'
import { standInPath, standInStepPath } from '../rules/links.ts'
import type { StandInState } from '../rules/stand-in.ts'
import { standInForm } from '../schema.ts'

type StandInData = {
  words: Words
  now: Date
  csrfToken: string
  shift: { id: number; title: string; start: Date; end: Date }
  eventPath: string
  refusal: 'off' | 'no_place' | 'begun' | undefined
  needsAgreement: boolean
  open: { state: StandInState; asked: number } | undefined
  state: FormState
}

export function standInView(data: StandInData): Html {
  const { words, now, shift } = data
  return html`${pageHeadView({
    title: words.t('stand_in.title'),
    facts: html`<span class="fact">${words.span(shift.start, shift.end, now)}</span> <span class="fact">${shift.title}</span>`,
  })}<div class="stack">${bodyOf(data)}</div>`
}

function bodyOf({ words, csrfToken, shift, eventPath, refusal, needsAgreement, open, state }: StandInData): Html {
  if (open)
    return cardView({
      title: words.t(open.state === 'found' ? 'stand_in.found_title' : 'stand_in.searching_title'),
      body: html`<p>${open.state === 'found' ? words.t('stand_in.found_text') : words.t('stand_in.searching_text', { count: open.asked })}</p><p><b>${words.t('stand_in.still_yours')}</b></p>`,
      footer: postButtonView({
        action: `${standInPath(shift.id)}cancel/`,
        csrfToken,
        label: words.t('stand_in.cancel'),
        kind: 'secondary',
        icon: 'x',
      }),
    })
  if (refusal)
    return html`<p class="notice tone-warn">${words.t(`stand_in.refusal.${refusal}`)}</p>${linkButtonView({ href: eventPath, label: words.t('offers.see_event') })}`
  return html`<p>${words.t('stand_in.intro')} ${words.t(needsAgreement ? 'stand_in.intro_planner' : 'stand_in.intro_at_once')}</p>${standInForm.view(
    {
      words,
      csrfToken,
      state,
      action: standInPath(shift.id),
      submit: { label: words.t('stand_in.seek'), icon: 'users' },
      cancel: { href: eventPath },
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
  const button = ({ id, shiftId, name }: Row, deed: 'agree' | 'refuse' | 'undo', kind: 'primary' | 'quiet') => {
    const label = words.t(`stand_in.${deed}`)
    return postButtonView({
      action: standInStepPath(shiftId, id, deed),
      id: `stand-in-${deed}-${id}`,
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
        { label: words.t('stand_in.asked'), cell: ({ asked }) => words.number(asked) },
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
