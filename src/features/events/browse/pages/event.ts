import { loadCatalogue, requireCatalogue } from '#features/accounts/qualifications/queries.ts'
import { eventPage } from '#features/events/events/points.ts'
import { eventFields } from '#features/events/events/rules/event-fields.ts'
import { eventPath } from '#features/events/events/rules/slug.ts'
import { findResourcesOfEvent } from '#features/events/resources/queries.ts'
import { findRemovedShifts } from '#features/planning/planning/queries/removed-shifts.ts'
import { planAssets } from '#features/planning/planning/views/assets.ts'
import { restorableSince } from '#features/planning/removed-shifts/rules.ts'
import { loadEligibility } from '#features/staffing/eligibility/queries/eligibility.ts'
import { findWaysOut, needsWaysOut } from '#features/staffing/eligibility/queries/ways-out.ts'
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
import { type Links, MEMBER_LINKS, SHIFT_FILTERS } from '#features/staffing/participations/rules/links.ts'
import { coverageOf } from '#features/staffing/staffing/queries/coverage.ts'
import { findNeeds, needsOfShifts } from '#features/staffing/staffing/queries/needs.ts'
import { hasMatchedPlaces, placesOf } from '#features/staffing/staffing/queries/places.ts'
import { reasonContextOf } from '#features/staffing/staffing/queries/qualifications.ts'
import { loadStaffing } from '#features/staffing/staffing/queries/staffing.ts'
import { isIn, STATE } from '#features/staffing/staffing/rules/model.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { isOn } from '#platform/features/modules.ts'
import { findOwnTexts } from '#platform/features/own-texts.ts'
import { type Html, html } from '#platform/html/html.ts'
import { type Page, type PageRequest, type ViewPage, viewPage } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { eventPageView } from '../views/event.ts'
import type { EventShiftData } from '../views/event-shift.ts'
import { linksOf, shiftLinksOf, taskBarOf } from './event-links.ts'
import { findChildrenAt, shiftDataOf } from './event-shift.ts'
import { groupPeople, seatPeople } from './shift-people.ts'

export const memberEventPage: ViewPage = viewPage({
  path: '/events/{event:slug}/',
  access: MEMBER_MOUNT.access,
  keeps: true,
  show: async (request) => {
    const { context, path, url } = request
    const event = await requireEvent(context, path.event.id)
    const canonical = eventPath(event.id, event.title)
    if (`/events/${path.event.segment}/` !== canonical) return { redirect: canonical + queryOf(url) }
    const shown = await inReadersLanguage(context, event)
    return {
      title: shown.title,
      main: await eventMain(request, event, shown, MEMBER_LINKS),
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
      const shown = await inReadersLanguage(request.context, event)
      return { title: shown.title, main: html`${banner}${await eventMain(request, event, shown, links)}`, live: true, ...page }
    },
  })

/** The event page for those who take part under other paths. */
export function eventPageAt(place: ParticipantMount): Page {
  const page = eventPageFor(place)
  const { wrap = (own) => own, wrapEvent = wrap } = place
  return wrapEvent(page)
}

/** What the organisation has written. Addresses have the original title. */
async function inReadersLanguage(context: RequestContext, { id, title, description }: EventDetails) {
  const textOf = await findOwnTexts(context, 'event', [id])
  return {
    title: textOf(id, 'title', title),
    description: description === null ? null : textOf(id, 'description', description),
  }
}

async function eventMain(
  { context, csrfToken, query }: PageRequest,
  event: EventDetails,
  shown: Pick<EventDetails, 'title' | 'description'>,
  links: Links,
): Promise<Html> {
  const { actor, site } = context
  const isMember = actor.kind === 'user' && !actor.by
  const more = await findSections(context, event, links)
  const { shifts, people } = await findShiftDetails(context, event.id)
  const shiftIds = shifts.map(({ id }) => id)
  const { eligibility, facts } = await loadEligibility(context, shiftIds)
  const catalogue = await (facts ? requireCatalogue(context.db, facts.catalogueVersion) : loadCatalogue(context.db))
  const needs = facts ? needsOfShifts(shifts, catalogue, facts.blocks) : await findNeeds(context, shifts)
  const split = splitShifts(context, event, shifts, people)
  const staffed = await loadStaffing(
    context.db,
    shifts.filter(({ id, structure_slug }) => split.has(id) || hasMatchedPlaces(structure_slug)).map(({ id }) => id),
    facts && { qualifications: facts.inclusions, blocks: facts.blocks, shifts: facts.shifts },
  )
  const places = placesOf(staffed)
  const coverage = coverageOf(staffed.filter(({ id }) => split.has(id)))
  const peopleOf = Map.groupBy(people, ({ shift_id }) => shift_id)
  const waysOut = await findWaysOutOf(context, event, shifts, eligibility)
  const reasonContext = { ...reasonContextOf(context, catalogue), waysOut }
  const children = isMember && isOn(site, 'families') ? await findChildrenAt(context, event.id, shiftIds) : []
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
    ...shown,
    type: { name: event.type_title, colour: event.type_color },
    time: event.start_time && event.end_time ? { start: event.start_time, end: event.end_time } : undefined,
    cancelledBecause: event.cancelled_at && event.cancellation_reason,
    namesHiddenBy: whyHidden(
      context,
      event,
      people.filter((person) => isNamed(person, event)),
    ),
    contacts: event.contacts,
    removed: await findRemoved(context, event, isMember),
    more,
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

/** What features above add below the shifts. */
async function findSections(context: RequestContext, event: EventDetails, links: Links) {
  const { actor, site } = context
  const folder = actor.kind === 'user' && !actor.by ? `/events/${event.id}/` : links.event(event.id, event.title)
  const about = { id: event.id, mayChange: event.is_responsible, folder, series: event.series }
  const sections = site.added(eventPage.section).filter(({ isForAll }) => isForAll || links === MEMBER_LINKS)
  const shown = await Promise.all(sections.map(({ show }) => show(context, about)))
  return shown.filter((section) => section !== undefined)
}

/** Shifts that were cancelled or deleted, and that planners can restore. */
async function findRemoved(context: RequestContext, event: EventDetails, isMember: boolean) {
  if (!event.has_removed) return []
  const mayChange = event.is_responsible && isMember
  return findRemovedShifts(context, { eventId: event.id, mayChange, since: restorableSince(context.now) })
}

/** Who can help with a refusal, without addresses: the page names how to reach them once, below the shifts. */
async function findWaysOutOf(
  context: RequestContext,
  event: EventDetails,
  shifts: readonly ShiftDetails[],
  candidacies: Awaited<ReturnType<typeof loadEligibility>>['eligibility'],
) {
  if (!needsWaysOut(candidacies.values())) return undefined
  const found = await findWaysOut(context, event.id, { shifts: comingOf(context, shifts), candidacies, contacts: event.contacts })
  return { ...found, deciders: found.deciders.map(({ name }) => ({ name, email: null, phone: null })) }
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
): Set<number> {
  if (event.cancelled_at) return new Set()
  const split = new Set(people.filter(({ state, has_own_times }) => state === 1 && has_own_times).map(({ shift_id }) => shift_id))
  return new Set(shifts.filter(({ id, end }) => end >= now && split.has(id)).map(({ id }) => id))
}
