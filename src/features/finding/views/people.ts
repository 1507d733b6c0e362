import { formatBounds, type NeedLine } from '#features/staffing/views/needs.ts'
import { type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { iconView } from '#platform/ui/icon.ts'

export type PersonChip = { name: string; asked: boolean; isOwn: boolean }
/** A team, or places that ask for the same. */
export type TeamData = {
  title: string
  /** How many people are wanted, where that is told. */
  bounds: Pick<NeedLine, 'min' | 'max'> | undefined
  missing: number
  people: readonly PersonChip[]
  hidden: number
}
export type ShiftPeople = {
  teams: readonly TeamData[]
  /** Those in no team, or in a shift without teams. */
  people: readonly PersonChip[]
  /** How many more there are whose names the reader may not see. */
  hidden: number
  /** What those others are without. */
  rest: 'team' | 'place'
}

/** More names than these wait behind a click. */
const MOST = 12

export function peopleView({ words, people, isOpen }: { words: Words; people: ShiftPeople; isOpen: boolean }): Html {
  const { teams } = people
  const isEmpty = [people, ...teams].every((group) => group.people.length + group.hidden === 0)
  if (isEmpty && !teams.length)
    return html`<p class="side-note">${iconView(isOpen ? 'hand-helping' : 'users', { size: 16 })}<span>${words.t(isOpen ? 'event.nobody' : 'event.nobody_came')}</span></p>`
  const rest = people.people.length + people.hidden > 0
  return html`${teams.map((team) => teamView(words, team, isOpen))}${rest && html`${teams.length > 0 && html`<p class="team-head"><b>${people.rest === 'place' ? words.t('find.no_place') : words.t('event.unassigned')}</b></p>`}${chipsView(words, words.t('event.people'), people)}`}`
}

function teamView(words: Words, team: TeamData, isOpen: boolean): Html {
  const { title, bounds } = team
  return html`<div class="team"><p class="team-head"><b>${title}</b>${bounds && html`<span>${formatBounds(words, bounds)}</span>`}</p>${chipsView(words, title, team, isOpen ? team.missing : 0)}</div>`
}

type Group = { people: readonly PersonChip[]; hidden: number }

function chipsView(words: Words, label: string, { people, hidden }: Group, missing = 0): Html {
  const shown = people.length > MOST ? people.slice(0, MOST - 1) : people
  const behind = people.slice(shown.length)
  const others = hidden > 0 && words.t(people.length ? 'event.also_hidden' : 'event.hidden', { count: hidden })
  return html`<ul class="positions" role="list" aria-label="${label}">${shown.map((person) => chipView(words, person))}${
    others && html`<li class="position others">${iconView('users', { size: 16 })}<span>${others}</span></li>`
  }${missing > 0 && html`<li class="position open">${iconView('circle-dashed', { size: 16 })}<span class="position-who">${words.t('ui.missing_count', { count: missing })}</span></li>`}</ul>${
    behind.length > 0 &&
    html`<details class="more-people"><summary>${words.t('event.more', { count: behind.length })}</summary><ul class="positions" role="list">${behind.map((person) => chipView(words, person))}</ul></details>`
  }`
}

function chipView(words: Words, { name, asked, isOwn }: PersonChip): Html {
  const notes = [isOwn && words.t('event.you'), asked && words.t('event.asked')].filter(Boolean).join(', ')
  return html`<li class="position${asked && ' asked'}${isOwn && ' own'}">${iconView(asked ? 'hourglass' : 'check', { size: 16 })}<span>${name}</span>${notes && html`<span class="position-note">${notes}</span>`}</li>`
}
