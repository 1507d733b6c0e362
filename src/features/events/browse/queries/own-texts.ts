import { findOwnTexts, type Reading } from '#platform/features/own-texts.ts'

type Titled = { eventId: number; eventTitle: string }

/** The same for calendars of other programs, which have the description, too. */
export async function translateEvents<Row extends Titled & { description: string | null }>(
  context: Reading,
  rows: readonly Row[],
): Promise<Row[]> {
  const ids = rows.flatMap(({ eventId }) => (eventId > 0 ? [eventId] : []))
  const textOf = await findOwnTexts(context, 'event', ids)
  return rows.map((row) => ({
    ...row,
    eventTitle: textOf(row.eventId, 'title', row.eventTitle),
    description: row.description === null ? null : textOf(row.eventId, 'description', row.description),
  }))
}

/**
 * Gives rows that were just read the title of their event in the language of the reader, and returns them. Those at partners have titles of
 * the partner.
 */
export async function translateTitles<Row extends Titled>(context: Reading, rows: Row[]): Promise<Row[]> {
  const here = rows.filter(({ eventId }) => eventId > 0)
  const textOf = await findOwnTexts(
    context,
    'event',
    here.map(({ eventId }) => eventId),
  )
  for (const row of here) row.eventTitle = textOf(row.eventId, 'title', row.eventTitle)
  return rows
}
