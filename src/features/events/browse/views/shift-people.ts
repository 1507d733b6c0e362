import type { Need } from '#features/staffing/staffing/queries/needs.ts'
import { formatBounds } from '#features/staffing/staffing/views/needs.ts'
import { attrs, type Html, html } from '#platform/html/html.ts'
import type { Words } from '#platform/i18n/words.ts'
import { badgeView } from '#platform/ui/badge.ts'
import { iconView } from '#platform/ui/icon.ts'

export type PersonChip = { name: string; requested: boolean; isOwn: boolean }
/** A team, or places with the same label. */
type TeamData = {
  title: string
  /** How many people the team takes; undefined for places. */
  bounds: Pick<Need, 'min' | 'max'> | undefined
  missing: number
  people: readonly PersonChip[]
  hidden: number
}
/** A block of a plan with the people in it and in the blocks below. */
export type UnitData = {
  title: string
  confirmed: number
  missing: number
  hasOwn: boolean
  /** Positions with people or missing ones. */
  positions: readonly { title: string; people: readonly PersonChip[]; hidden: number; missing: number }[]
  units: readonly UnitData[]
}
export type ShiftPeople = {
  teams: readonly TeamData[]
  /** The tree of a plan of building blocks. */
  units: readonly UnitData[]
  /** People without a team, or all people of a shift without teams. */
  people: readonly PersonChip[]
  /** Number of people whose names the reader may not see. */
  hidden: number
  /** What `people` lack. */
  rest: 'team' | 'place'
}

type PeopleContext = {
  words: Words
  isOpen: boolean
  /** Planners read how many people are missing; all others, how many places are free. */
  isPlanner: boolean
}

/** More names are collapsed. */
const MAX_NAMES = 12

export function peopleView(context: PeopleContext, people: ShiftPeople): Html {
  const { words, isOpen } = context
  const { teams, units } = people
  const isEmpty = [people, ...teams].every((group) => group.people.length + group.hidden === 0)
  if (isEmpty && !teams.length && !units.length)
    return html`<p class="side-note">${iconView(isOpen ? 'hand-helping' : 'users', { size: 16 })}<span>${words.t(isOpen ? 'event.nobody' : 'event.nobody_came')}</span></p>`
  const rest = people.people.length + people.hidden > 0
  return html`${teams.map((team) => teamView(context, team))}${units.length > 0 && unitsView(context, units)}${rest && html`${teams.length + units.length > 0 && html`<p class="team-head"><b>${people.rest === 'place' ? words.t('find.no_place') : words.t('event.unassigned')}</b></p>`}${chipsView(context, words.t('event.people'), people)}`}`
}

function teamView(context: PeopleContext, team: TeamData): Html {
  const { title, bounds } = team
  return html`<div class="team"><p class="team-head"><b>${title}</b>${bounds && html`<span>${formatBounds(context.words, bounds)}</span>`}</p>${chipsView(context, title, team, context.isOpen ? team.missing : 0)}</div>`
}

const missingText = ({ words, isPlanner }: PeopleContext, count: number): string =>
  words.t(isPlanner ? 'ui.missing_count' : 'ui.free_count', { count })

/** With more units at one level, all but the reader's own are folded. */
const MAX_OPEN_UNITS = 3

function unitsView(context: PeopleContext, units: readonly UnitData[]): Html {
  return html`<ul class="units" role="list">${units.map((unit) => html`<li>${unitView(context, unit, units.length <= MAX_OPEN_UNITS)}</li>`)}</ul>`
}

function unitView(context: PeopleContext, unit: UnitData, isUnfolded: boolean): Html {
  const { words, isOpen, isPlanner } = context
  const { title, confirmed, missing, positions, units } = unit
  const isShort = isPlanner && isOpen && missing > 0
  const count = isShort
    ? words.t('ui.staffed', { confirmed, places: confirmed + missing })
    : words.t('ui.confirmed_count', { count: confirmed })
  return html`<details class="unit" ${attrs({ open: isUnfolded || unit.hasOwn })}><summary><b>${title}</b><span class="unit-count">${count}</span>${isShort && badgeView({ tone: 'bad', text: words.t('ui.missing_count', { count: missing }) })}</summary>
${
  positions.length > 0 &&
  html`<ul class="positions" role="list">${positions.map(
    ({ title, people, hidden, missing }) =>
      html`${people.map((person) => chipView(words, person, title))}${hidden > 0 && html`<li class="position others">${iconView('users', { size: 16 })}<span>${words.t('event.hidden', { count: hidden })}</span>${title && html`<span class="position-note">${title}</span>`}</li>`}${isOpen && missing > 0 && openView(context, missing, title)}`,
  )}</ul>`
}${units.length > 0 && unitsView(context, units)}</details>`
}

/** Places that nobody has taken. */
const openView = (context: PeopleContext, count: number, title = ''): Html =>
  html`<li class="position open${context.isPlanner && ' missing'}">${iconView('circle-dashed', { size: 16 })}${title && html`<span>${title}</span>`}<span class="position-who">${missingText(context, count)}</span></li>`

type Group = { people: readonly PersonChip[]; hidden: number }

function chipsView(context: PeopleContext, label: string, { people, hidden }: Group, missing = 0): Html {
  const { words } = context
  const shown = people.length > MAX_NAMES ? people.slice(0, MAX_NAMES - 1) : people
  const behind = people.slice(shown.length)
  const others = hidden > 0 && words.t(people.length ? 'event.also_hidden' : 'event.hidden', { count: hidden })
  return html`<ul class="positions" role="list" aria-label="${label}">${shown.map((person) => chipView(words, person))}${
    others && html`<li class="position others">${iconView('users', { size: 16 })}<span>${others}</span></li>`
  }${missing > 0 && openView(context, missing)}</ul>${
    behind.length > 0 &&
    html`<details class="more-people"><summary>${words.t('event.more', { count: behind.length })}</summary><ul class="positions" role="list">${behind.map((person) => chipView(words, person))}</ul></details>`
  }`
}

function chipView(words: Words, { name, requested, isOwn }: PersonChip, position = ''): Html {
  const notes = [position, isOwn && words.t('event.you'), requested && words.t('event.requested')].filter(Boolean).join(', ')
  return html`<li class="position${requested && ' requested'}${isOwn && ' own'}">${iconView(requested ? 'hourglass' : 'check', { size: 16 })}<span>${name}</span>${notes && html`<span class="position-note">${notes}</span>`}</li>`
}

/** Everybody who is shown, by name or as a number. */
export function countPeople({ teams, units, people, hidden }: ShiftPeople): number {
  const inGroup = (group: Group) => group.people.length + group.hidden
  const inUnits = (list: readonly UnitData[]): number =>
    list.reduce(
      (sum, { positions, units: below }) => sum + positions.reduce((own, each) => own + inGroup(each), 0) + inUnits(below),
      0,
    )
  return inGroup({ people, hidden }) + teams.reduce((sum, team) => sum + inGroup(team), 0) + inUnits(units)
}
