import { type EventLink, eventPage } from '#features/events/events/points.ts'
import type { TaskBarData, TaskLink } from '#features/planning/planning/views/task-bar.ts'
import type { Candidacy } from '#features/staffing/eligibility/rules/candidacy.ts'
import type { EventDetails, ShiftDetails } from '#features/staffing/participations/queries/event-details.ts'
import { isShort } from '#features/staffing/staffing/views/staffing.ts'
import { toStaffing } from '#features/staffing/staffing/views/state.ts'
import { hasPermission } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import type { ExtensionPoint } from '#platform/features/extension-points.ts'
import type { EventShiftData } from '../views/event-shift.ts'
import { isShiftOpen } from '../views/shift-card.ts'

/** Links that features add to the page. */
export function linksOf(
  { actor, site, words }: RequestContext,
  point: ExtensionPoint<EventLink>,
  event: EventDetails,
  shiftCount: number,
): TaskLink[] {
  const about = { mayChange: event.is_responsible, isDraft: !event.active, shiftCount }
  return site
    .added(point)
    .filter(({ isFor }) => isFor(about, actor))
    .map(({ href, task, label, icon }) => ({ href: href(event.id), task, label: words.t(label), icon }))
}

/** Links to pages about a shift, the main one first. */
export function shiftLinksOf(
  { site, words, now }: RequestContext,
  event: EventDetails,
  shift: ShiftDetails & { isOnly: boolean },
  candidacy: Candidacy | undefined,
): EventShiftData['links'] {
  const about = {
    mayChange: event.is_responsible,
    isDraft: !event.active,
    isOnly: shift.isOnly,
    hasQuestions: (candidacy?.shift.questions.length ?? 0) > 0,
    isOpen: isShiftOpen({ now, isCancelled: event.cancelled_at !== null }, shift),
    isShort: isShort(toStaffing(shift)),
  }
  const links = site.added(eventPage.shiftAction).filter(({ isFor }) => isFor(about))
  const main = links.find(({ isMain }) => isMain?.(about)) ?? links[0]
  return links
    .toSorted((a, b) => Number(b === main) - Number(a === main))
    .map(({ path, label, icon, isMain }) => ({
      href: `/shifts/${shift.id}/${path}`,
      label: words.t(label),
      icon,
      isMain: isMain?.(about) ?? false,
    }))
}

/** Actions that the reader may take on the event. */
export function taskBarOf(context: RequestContext, event: EventDetails, csrfToken: string, shiftCount: number): TaskBarData {
  const { words, actor } = context
  const adds = hasPermission(actor, 'add_event')
  return {
    words,
    csrfToken,
    eventId: event.id,
    hasShifts: shiftCount > 0,
    links: [
      ...linksOf(context, eventPage.action, event, shiftCount),
      ...(event.is_responsible && shiftCount > 0 ? linksOf(context, eventPage.tool, event, shiftCount) : []),
    ],
    isDraft: !event.active,
    isCancelled: event.cancelled_at !== null,
    may: { change: event.is_responsible, publish: adds, duplicate: adds, delete: hasPermission(actor, 'delete_event') },
  }
}
