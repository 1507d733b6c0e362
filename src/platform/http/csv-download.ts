import { setImmediate } from 'node:timers/promises'
import { formatCsv, formatLines, separatorFor } from '#platform/csv.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Download } from './page.ts'

/** `name`: of the file, without its ending. */
export const csvDownload = (words: Words, rows: readonly (readonly string[])[], name: string): Download => ({
  content: formatCsv(rows, separatorFor(words.language)),
  contentType: 'text/csv; charset=utf-8',
  headers: { 'content-disposition': `attachment; filename="${name}.csv"`, 'cache-control': 'no-store' },
})

/** Rows of a long file that are made without a turn of the event loop. */
const ROWS_AT_ONCE = 200

/** For files that grow with the number of people. */
export async function csvDownloadInTurns<Item>(
  words: Words,
  items: readonly Item[],
  {
    head,
    rowsOf,
    name,
    atOnce = ROWS_AT_ONCE,
  }: {
    head: readonly string[]
    rowsOf: (items: readonly Item[]) => readonly (readonly string[])[]
    name: string
    /** Items that are made without a turn. */
    atOnce?: number
  },
): Promise<Download> {
  const separator = separatorFor(words.language)
  const download = csvDownload(words, [head], name)
  // A long string would be copied into one buffer without a turn.
  const parts = [Buffer.from(String(download.content))]
  for (let from = 0; from < items.length; from += atOnce) {
    await setImmediate()
    parts.push(Buffer.from(formatLines(rowsOf(items.slice(from, from + atOnce)), separator)))
  }
  return { ...download, content: Buffer.concat(parts) }
}
