import type { Actor } from '#platform/auth/actor.ts'
import type { RequestContext } from '#platform/auth/context.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Html } from '#platform/html/html.ts'
import type { PlainKey } from '#platform/i18n/words.ts'
import type { IconName } from '#platform/ui/icon.ts'

/** Where the event stands in a series. */
export type SeriesPlace = { seriesId: number; position: number; count: number; previous: number | null; next: number | null }

/** `folder`: the path above the reader's further pages about the event. */
type SectionEvent = { id: number; mayChange: boolean; folder: string; series: SeriesPlace | null }

/** The menus of those who plan, in this order. */
export const EVENT_TASKS = ['plan', 'staff', 'day', 'after'] as const
export type EventTask = (typeof EVENT_TASKS)[number]

type LinkedEvent = { mayChange: boolean; isDraft: boolean; shiftCount: number }

/** A link to a page about the event. */
export type EventLink = {
  href: (eventId: number) => string
  /** The menu in which those who plan find it. */
  task: EventTask
  label: PlainKey
  icon: IconName
  isFor: (event: LinkedEvent, actor: Actor) => boolean
}

/** What those who plan do once people can see the event. */
export const forPlanners = ({ mayChange, isDraft }: Pick<LinkedEvent, 'mayChange' | 'isDraft'>): boolean => mayChange && !isDraft

type LinkedShift = {
  mayChange: boolean
  isDraft: boolean
  /** The event has no other. */
  isOnly: boolean
  hasQuestions: boolean
  /** Takes place, and has not ended. */
  isOpen: boolean
  /** People are missing. */
  isShort: boolean
}

/** A link to a page about one shift. `path`: below `/shifts/{id}/`. */
type ShiftLink = {
  path: string
  label: PlainKey
  icon: IconName
  isFor: (shift: LinkedShift) => boolean
  /** The main action of the shift; without one, the first link. */
  isMain?: (shift: LinkedShift) => boolean
}

/** A link to a page about a month, such as `2031-05`. */
type MonthLink = {
  href: (month: string) => string
  label: PlainKey
  icon: IconName
  isFor: (reader: { isPlanner: boolean }, actor: Actor) => boolean
}

/** What other features add to the calendar. */
export const calendarPage = { monthAction: extensionPoint<MonthLink>('events.calendar.month-action') }

/** What other features add to the page of an event. */
export const eventPage = {
  section: extensionPoint<{
    /** Undefined: nothing for this reader. */
    show: (context: RequestContext, event: SectionEvent) => Promise<Html | undefined>
    /** Visitors, guests and guardians see it, too. */
    isForAll?: true
  }>('events.page.section'),
  /** For everybody with an account: below the shifts, and for those who plan in the menu of its task. */
  tool: extensionPoint<EventLink>('events.page.tool'),
  /** On the card of a shift: the main one as a button, the others unfold. For people with an account. */
  shiftAction: extensionPoint<ShiftLink>('events.page.shift-action'),
  /** In the menu of its task, for those who plan. */
  action: extensionPoint<EventLink>('events.page.action'),
}
