import { formatCsv, separatorFor } from '#platform/csv.ts'
import type { Words } from '#platform/i18n/words.ts'
import type { Download } from './page.ts'

/** `name`: of the file, without its ending. */
export const csvDownload = (words: Words, rows: readonly (readonly string[])[], name: string): Download => ({
  content: formatCsv(rows, separatorFor(words.language)),
  contentType: 'text/csv; charset=utf-8',
  headers: { 'content-disposition': `attachment; filename="${name}.csv"`, 'cache-control': 'no-store' },
})
