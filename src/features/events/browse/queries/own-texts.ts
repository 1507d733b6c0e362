import type { RequestContext } from '#platform/auth/context.ts'
import { findOwnTexts } from '#platform/features/own-texts.ts'

/** Shifts with the title of their event in the language of the reader. Those at partners have titles of the partner. */
export async function withOwnTitles<Row extends { eventId: number; eventTitle: string }>(
  context: RequestContext,
  rows: readonly Row[],
): Promise<Row[]> {
  const textOf = await findOwnTexts(
    context,
    'event',
    rows.flatMap(({ eventId }) => (eventId > 0 ? [eventId] : [])),
  )
  return rows.map((row) => ({ ...row, eventTitle: textOf(row.eventId, 'title', row.eventTitle) }))
}
