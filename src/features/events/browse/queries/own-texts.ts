import type { RequestContext } from '#platform/auth/context.ts'
import { findOwnTexts } from '#platform/features/own-texts.ts'

type Titled = { eventId: number; eventTitle: string }

/**
 * Gives rows that were just read the title of their event in the language of the reader, and returns them. Those at partners have titles of
 * the partner.
 */
export async function translateTitles<Row extends Titled>(context: RequestContext, rows: Row[]): Promise<Row[]> {
  const here = rows.filter(({ eventId }) => eventId > 0)
  const textOf = await findOwnTexts(
    context,
    'event',
    here.map(({ eventId }) => eventId),
  )
  for (const row of here) row.eventTitle = textOf(row.eventId, 'title', row.eventTitle)
  return rows
}
