import type { RequestContext } from '#platform/auth/context.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Html } from '#platform/html/html.ts'

/** Where the event stands in a series. */
export type SeriesPlace = { seriesId: number; position: number; count: number; previous: number | null; next: number | null }

/** `folder`: the path above the reader's further pages about the event. */
type SectionEvent = { id: number; mayChange: boolean; folder: string; series: SeriesPlace | null }

/** What other features add to the page of an event. */
export const eventPage = {
  section: extensionPoint<{
    /** Undefined: nothing for this reader. */
    show: (context: RequestContext, event: SectionEvent) => Promise<Html | undefined>
    /** Visitors, guests and guardians see it, too. */
    isForAll?: true
  }>('events.page.section'),
}
