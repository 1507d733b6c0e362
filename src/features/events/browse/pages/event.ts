import { loadCatalogue } from '#features/accounts/qualifications/queries.ts'
import { findChildActors } from '#features/accounts/users/queries/guardians.ts'
import { eventPage } from '#features/events/events/points.ts'
import { eventFields } from '#features/events/events/rules/event-fields.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { findResourcesOfEvent } from '#features/events/resources/queries.ts'
import { findRemovedShifts } from '#features/planning/planning/queries/removed-shifts.ts'
import { planAssets } from '#features/planning/planning/views/assets.ts'
import { restorableSince } from '#features/planning/removed-shifts/rules.ts'
import { loadEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { findWaysOut, needsWaysOut } from '#features/staffing/eligibility/queries/ways-out.ts'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import { ownSwapOf } from '#features/staffing/exchanges/queries/offered.ts'
import { findOpenSwaps, type Swap } from '#features/staffing/exchanges/queries/swap.ts'
import { MEMBER_MOUNT } from '#features/staffing/participations/mount.ts'
import type { ParticipantMount } from '#features/staffing/participations/points.ts'
import {
  type EventDetails,
  findShiftDetails,
  getEventDetails,
  type ParticipantDetails,
  type ShiftDetails,
} from '#features/staffing/participations/queries/event-details.ts'
import { familyLinks, type Links, MEMBER_LINKS, SHIFT_FILTERS } from '#features/staffing/participations/rules/links.ts'
import type { SignupData } from '#features/staffing/participations/views/signup.ts'
import { placeText } from '#features/staffing/rosters/views/roster.ts'
import { type Coverage, coverageOf } from '#features/staffing/staffing/queries/coverage.ts'
import { findNeeds, type Needs, needsOfShifts } from '#features/staffing/staffing/queries/needs.ts'
import { hasMatchedPlaces, type Places, placesOf } from '#features/staffing/staffing/queries/places.ts'
import { reasonContextOf } from '#features/staffing/staffing/queries/qualifications.ts'
import { loadStaffing } from '#features/staffing/staffing/queries/staffing.ts'
import { isIn, type PlaceLabel, type ReasonContext, STATE } from '#features/staffing/staffing/rules/model.ts'
import { effectiveTeam } from '#features/staffing/staffing/structures/named-teams.ts'
import { ownWaitingListOf } from '#features/staffing/waiting-list/rules/waiting-list.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { isOn } from '#platform/features/modules.ts'
import { type Html, html } from '#platform/html/html.ts'
import { type Page, type PageRequest, type ViewPage, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { eventPageView } from '../views/event.ts'
import type { EventShiftData } from '../views/event-shift.ts'
import type { PersonChip, ShiftPeople, UnitData } from '../views/shift-people.ts'
import { linksOf, shiftLinksOf, taskBarOf } from './event-links.ts'

export const memberEventPage: ViewPage = viewPage({
  path: '/events/{event:slug}/',
  access: MEMBER_MOUNT.access,
  show: async (request) => {
    const { context, path, url } = request
    const event = await requireEvent(context, path.event.id)
    const canonical = eventPath(event.id, event.title)
    if (`/events/${path.event.segment}/` !== canonical) return { redirect: canonical + queryOf(url) }
    return {
      title: event.title,
      main: await eventMain(request, event, MEMBER_LINKS),
      live: true,
      ...planAssets(),
      breadcrumb: [{ href: '/events/', label: context.words.t('event.list') }],
    }
  },
})

/** The event page at another URL, for visitors and guests. */
const eventPageFor = ({ mount, eventPath: path }: ParticipantMount): ViewPage =>
  viewPage({
    path,
    access: mount.access,
    show: async (request) => {
      const mounted = await mount.authorize(request)
      if (!('links' in mounted)) return mounted
      const { links, banner, eventId, ...page } = mounted
      if (eventId === undefined) throw new Problem('not_found')
      const event = await requireEvent(request.context, eventId)
      return { title: event.title, main: html`${banner}${await eventMain(request, event, links)}`, live: true, ...page }
    },
  })

/** The event page for those who take part under other paths. */
export function eventPageAt(place: ParticipantMount): Page {
  const page = eventPageFor(place)
  const { wrap = (own) => own, wrapEvent = wrap } = place
  return wrapEvent(page)
}

async function eventMain({ context, csrfToken, query }: PageRequest, event: EventDetails, links: Links): Promise<Html> {
  const { actor, site } = context
  const isMember = actor.kind === 'user' && !actor.by
  const folder = isMember ? `/events/${event.id}/` : links.event(event.id, event.title)
  const about = { id: event.id, mayChange: event.is_responsible, folder, series: event.series }
  const sections = site.added(eventPage.section).filter(({ isForAll }) => isForAll || links === MEMBER_LINKS)
  const more = await Promise.all(sections.map(({ show }) => show(context, about)))
  const { shifts, people } = await findShiftDetails(context, event.id)
  const mayRestore = event.is_responsible && isMember
  const removed = event.has_removed
    ? await findRemovedShifts(context, { eventId: event.id, mayChange: mayRestore, since: restorableSince(context.now) })
    : []
  const { eligibility, facts } = await loadEligibility(
    context,
    shifts.map(({ id }) => id),
  )
  const catalogue = await loadCatalogue(context.db)
  const needs = facts ? needsOfShifts(shifts, catalogue, facts.blocks) : await findNeeds(context, shifts)
  const split = new Set(splitShifts(context, event, shifts, people))
  const staffed = await loadStaffing(
    context.db,
    shifts.filter(({ id, structure_slug }) => split.has(id) || hasMatchedPlaces(structure_slug)).map(({ id }) => id),
    facts && { qualifications: facts.inclusions, blocks: facts.blocks, shifts: facts.shifts },
  )
  const places = placesOf(staffed)
  const coverage = coverageOf(staffed.filter(({ id }) => split.has(id)))
  const peopleOf = Map.groupBy(people, ({ shift_id }) => shift_id)
  const waysOut = needsWaysOut(eligibility.values())
    ? await findWaysOut(context, event.id, {
        shifts: comingOf(context, shifts),
        candidacies: eligibility,
        contacts: event.contacts,
      })
    : undefined
  // The page names how to reach them once, below the shifts.
  const named = waysOut && { ...waysOut, deciders: waysOut.deciders.map(({ name }) => ({ name, email: null, phone: null })) }
  const reasonContext = { ...reasonContextOf(context, catalogue), waysOut: named }
  const children =
    isMember && isOn(site, 'families')
      ? await findChildrenAt(
          context,
          event.id,
          shifts.map(({ id }) => id),
        )
      : []
  const hasPlace = isMember && isOn(site, 'exchanges') && people.some(({ is_own, state }) => is_own && state === 1)
  const swaps = hasPlace ? await findOpenSwaps(context.db, actor.userId, { now: context.now, eventId: event.id }) : []
  const resourcesOf = Map.groupBy(
    isOn(site, 'resources') ? await findResourcesOfEvent(context, event.id) : [],
    ({ shiftId }) => shiftId,
  )
  return eventPageView({
    ...reasonContext,
    links: isOn(site, 'companions') ? links : { ...links, companions: undefined },
    csrfToken,
    path: links.event(event.id, event.title),
    filter: SHIFT_FILTERS.find((filter) => filter === query.get('show')),
    ...eventFields.pick(event),
    type: { name: event.type_title, colour: event.type_color },
    time: event.start_time && event.end_time ? { start: event.start_time, end: event.end_time } : undefined,
    cancelledBecause: event.cancelled_at && event.cancellation_reason,
    namesHiddenBy: whyHidden(
      context,
      event,
      people.filter((person) => isNamed(person, event)),
    ),
    contacts: event.contacts,
    removed,
    more: more.filter((section) => section !== undefined),
    plan: isMember ? taskBarOf(context, event, csrfToken, shifts.length) : undefined,
    tools: isMember && shifts.length > 0 ? linksOf(context, eventPage.tool, event, shifts.length) : [],
    shifts: shifts.map((shift) => {
      const here = peopleOf.get(shift.id) ?? []
      const seated = places.get(shift.id)
      const shown = here.filter((person) => isNamed(person, event))
      return shiftDataOf(shift, {
        needs: needs.get(shift.id)!,
        people: here,
        candidacy: eligibility.get(shift.id),
        coverage: coverage.get(shift.id),
        resources: resourcesOf.get(shift.id) ?? [],
        isMember,
        hasWaitingLists: isOn(site, 'waiting_list'),
        hasExchanges: isOn(site, 'exchanges'),
        links: isMember ? shiftLinksOf(context, event, { ...shift, isOnly: shifts.length < 2 }, eligibility.get(shift.id)) : [],
        swaps: isMember ? ownSwapsIn(context, actor.userId, swaps, shift.id) : [],
        children,
        grouped: seated ? seatPeople(shown, seated, reasonContext) : groupPeople(shown, needs.get(shift.id)!),
      })
    }),
  })
}

/** The proposals about the reader's place in one shift. */
const ownSwapsIn = (context: RequestContext, userId: number, swaps: readonly Swap[], shiftId: number): EventShiftData['swaps'] =>
  swaps
    .filter(({ proposer, other }) => (proposer.userId === userId ? proposer : other).shiftId === shiftId)
    .map((swap) => ownSwapOf(context.site.keyring, userId, swap))

/** Shifts that have not ended, soonest first. */
const comingOf = ({ now }: RequestContext, shifts: readonly ShiftDetails[]) =>
  shifts
    .filter(({ end }) => end > now)
    .map(({ id: shiftId, label, start, end }) => ({ shiftId, label, start, end }))
    .sort((a, b) => a.start.getTime() - b.start.getTime() || a.shiftId - b.shiftId)
type ChildAt = { name: string; links: Links; eligibility: ReadonlyMap<number, Candidacy> }

/** The reader's children who see the event, and what each can do about its shifts. */
async function findChildrenAt(context: RequestContext, eventId: number, shiftIds: readonly number[]): Promise<ChildAt[]> {
  const children = await findChildActors(context)
  const found = await Promise.all(
    children.map(async (actor) => {
      const own = { ...context, actor }
      if (!(await getEventDetails(own, eventId))) return []
      const { eligibility } = await loadEligibility(own, shiftIds)
      return [{ name: actor.displayName, links: familyLinks(actor.userId), eligibility }]
    }),
  )
  return found.flat()
}

async function requireEvent(context: RequestContext, id: number): Promise<EventDetails> {
  const event = await getEventDetails(context, id)
  // 404 instead of 403, so hidden ids cannot be probed.
  if (!event) throw new Problem('not_found')
  return event
}

const queryOf = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '')

/** Requests of others are for those who decide about them. */
const isNamed = ({ state, is_own }: ParticipantDetails, { is_responsible }: EventDetails): boolean =>
  isIn(state) && (state === STATE.confirmed || is_own || is_responsible)

function whyHidden(
  { actor }: RequestContext,
  { shows }: EventDetails,
  people: ParticipantDetails[],
): 1 | 2 | 'partner' | undefined {
  if (!people.some(({ name }) => name === null)) return undefined
  if (actor.kind !== 'user') return 'partner'
  return shows === 1 || shows === 2 ? shows : undefined
}

/** Upcoming shifts with individual times; for the others, the statistics say enough. */
function splitShifts(
  { now }: RequestContext,
  event: EventDetails,
  shifts: readonly ShiftDetails[],
  people: readonly ParticipantDetails[],
): number[] {
  if (event.cancelled_at) return []
  const split = new Set(people.filter(({ state, has_own_times }) => state === 1 && has_own_times).map(({ shift_id }) => shift_id))
  return shifts.filter(({ id, end }) => end >= now && split.has(id)).map(({ id }) => id)
}

type AboutShift = {
  needs: Needs
  people: ParticipantDetails[]
  grouped: ShiftPeople
  candidacy: Candidacy | undefined
  coverage: Coverage | undefined
  resources: EventShiftData['resources']
  /** Visitors and guests cannot wait. */
  isMember: boolean
  hasWaitingLists: boolean
  hasExchanges: boolean
  swaps: EventShiftData['swaps']
  children: readonly ChildAt[]
  links: EventShiftData['links']
}

function shiftDataOf(
  shift: ShiftDetails,
  {
    needs,
    people,
    grouped,
    candidacy,
    coverage,
    resources,
    isMember,
    hasWaitingLists,
    hasExchanges,
    swaps,
    children,
    links,
  }: AboutShift,
): EventShiftData {
  const own = people.find(({ is_own }) => is_own)
  return {
    ...shift,
    own: own && { state: own.state, start: own.start_time, end: own.end_time, hasOwnTimes: own.has_own_times },
    needs,
    people: grouped,
    shortages: coverage?.shortages ?? [],
    signup: candidacy && signupDataOf(candidacy),
    resources,
    line: candidacy && isMember && hasWaitingLists ? ownWaitingListOf(candidacy) : undefined,
    hasExchanges,
    swaps,
    links,
    children: children.flatMap(({ name, links, eligibility }) => {
      const each = eligibility.get(shift.id)
      return each ? [{ name, links, signup: signupDataOf(each) }] : []
    }),
  }
}

export function signupDataOf(candidacy: Candidacy): SignupData {
  const { shift, own, signupRules, formReasons, signupState, areTimesOutside } = candidacy
  return {
    shiftId: shift.id,
    state: own?.state,
    eligibility: candidacy,
    formReasons,
    signupState,
    areTimesOutside,
    closesAt: signupRules?.closesAt,
    companions: { count: own?.companions ?? 0, max: signupRules?.maxCompanions ?? 0 },
  }
}

/** People by team; confirmed people first, each in order of sign-up. */
function groupPeople(people: ParticipantDetails[], { teams }: Needs): ShiftPeople {
  const uuids = new Set(teams.map(({ uuid }) => uuid))
  const byTeam = Map.groupBy(people, ({ structure_data }) => {
    const uuid = effectiveTeam({ structureData: structure_data })
    return uuid !== undefined && uuids.has(uuid) ? uuid : ''
  })
  return {
    teams: teams.map(({ uuid, title, min, max }) => {
      const members = byTeam.get(uuid) ?? []
      const confirmed = members.filter(({ state }) => state === 1).length
      return { title: title ?? '', bounds: { min, max }, missing: Math.max(min - confirmed, 0), ...chipsOf(members) }
    }),
    units: [],
    ...chipsOf(byTeam.get('') ?? []),
    rest: 'team',
  }
}

/** People by place, in the order of the structure. Leaves out optional places that are empty. */
function seatPeople(
  people: ParticipantDetails[],
  { labels, placeOf, open }: Places,
  { words, titleOf }: ReasonContext,
): ShiftPeople {
  if (labels.some(({ kind }) => kind === 'unit')) return unitPeople(people, { labels, placeOf, open })
  const textOf = (label: PlaceLabel | undefined) => placeText(words, titleOf, label)
  const byPlace = Map.groupBy(people, ({ id }) => textOf(placeOf.get(id)))
  const missing = Map.groupBy(open, textOf)
  const titles = [...new Set([...labels.map(textOf), ...byPlace.keys()])].filter(Boolean)
  const teams = titles.map((title) => ({
    title,
    bounds: undefined,
    missing: missing.get(title)?.length ?? 0,
    ...chipsOf(byPlace.get(title) ?? []),
  }))
  return {
    teams: teams.filter((team) => team.missing + team.people.length + team.hidden > 0),
    units: [],
    ...chipsOf(byPlace.get('') ?? []),
    rest: 'place',
  }
}

/** People by the blocks of the plan. Leaves out blocks without people in which nobody is missing. */
function unitPeople(people: ParticipantDetails[], { labels, placeOf, open }: Places): ShiftPeople {
  type UnitLabel = Extract<PlaceLabel, { kind: 'unit' }>
  const isUnit = (label: PlaceLabel | undefined): label is UnitLabel => label?.kind === 'unit'
  const unitOf = ({ blocks }: UnitLabel) => blocks.at(-1)!.path
  const byUnit = Map.groupBy(people, ({ id }) => {
    const label = placeOf.get(id)
    return isUnit(label) ? unitOf(label) : ''
  })
  const openIn = Map.groupBy(open.filter(isUnit), unitOf)
  const build = (inside: readonly UnitLabel[], depth: number): UnitData[] =>
    [...Map.groupBy(inside, ({ blocks }) => blocks[depth]?.path ?? '')].flatMap(([path, below]) => {
      const block = below[0]!.blocks[depth]
      if (!block) return []
      const units = build(below, depth + 1)
      const here = byUnit.get(path) ?? []
      const missing = openIn.get(path) ?? []
      const titles = new Set(
        [...below.filter((label) => unitOf(label) === path), ...missing].map(({ position }) => position ?? ''),
      )
      const positionOf = ({ id }: ParticipantDetails) => (placeOf.get(id) as UnitLabel).position ?? ''
      const positions = [...titles].map((title) => ({
        title,
        missing: missing.filter(({ position }) => (position ?? '') === title).length,
        ...chipsOf(here.filter((person) => positionOf(person) === title)),
      }))
      const sum = (own: number, of: (unit: UnitData) => number) => units.reduce((total, unit) => total + of(unit), own)
      const unit: UnitData = {
        title: block.title,
        confirmed: sum(here.filter(({ state }) => state === 1).length, ({ confirmed }) => confirmed),
        missing: sum(missing.length, (each) => each.missing),
        hasOwn: here.some(({ is_own }) => is_own) || units.some(({ hasOwn }) => hasOwn),
        positions: positions.filter((each) => each.people.length + each.hidden + each.missing > 0),
        units,
      }
      return unit.missing > 0 || here.length > 0 || units.length > 0 ? [unit] : []
    })
  return { teams: [], units: build(labels.filter(isUnit), 0), ...chipsOf(byUnit.get('') ?? []), rest: 'place' }
}

function chipsOf(people: ParticipantDetails[]): { people: PersonChip[]; hidden: number } {
  const named = people.flatMap(({ name, state, is_own }) =>
    name === null ? [] : [{ name, requested: state === 0, isOwn: is_own }],
  )
  return { people: named.sort((a, b) => Number(a.requested) - Number(b.requested)), hidden: people.length - named.length }
}
