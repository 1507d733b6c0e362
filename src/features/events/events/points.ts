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

type LinkedEvent = { mayChange: boolean; isDraft: boolean; shiftCount: number }

/** A link to a page about the event. `path`: below `/events/{id}/`. */
export type EventLink = {
  path: string
  label: PlainKey
  icon: IconName
  isFor: (event: LinkedEvent, actor: Actor) => boolean
}

/** What those who plan do once people can see the event. */
export const forPlanners = ({ mayChange, isDraft }: Pick<LinkedEvent, 'mayChange' | 'isDraft'>): boolean => mayChange && !isDraft

/** A link to a page about one shift. `path`: below `/shifts/{id}/`. */
type ShiftLink = {
  path: string
  label: PlainKey
  icon: IconName
  isFor: (shift: { mayChange: boolean; isDraft: boolean; hasQuestions: boolean }) => boolean
}

/** What other features add to the page of an event. */
export const eventPage = {
  section: extensionPoint<{
    /** Undefined: nothing for this reader. */
    show: (context: RequestContext, event: SectionEvent) => Promise<Html | undefined>
    /** Visitors, guests and guardians see it, too. */
    isForAll?: true
  }>('events.page.section'),
  /** Below the shifts; for those who plan the first is a button, and the others are in the menu. For people with an account. */
  tool: extensionPoint<EventLink>('events.page.tool'),
  /** On the card of a shift: the first as a button, the others unfold. For people with an account. */
  shiftAction: extensionPoint<ShiftLink>('events.page.shift-action'),
  /** In the menu of those who plan. */
  action: extensionPoint<EventLink>('events.page.action'),
}
