import type { Page } from '#platform/http/page.ts'
import { downloadPage, type FileOptions } from './downloads.ts'
import { changePage, choosePage, removePage } from './event-files.ts'
import { addPage, deletePage, editPage, listPage, storedDownloadPage } from './stored-files.ts'

export const filePages = (options: FileOptions): Page[] => [
  changePage(options),
  downloadPage(options),
  choosePage,
  removePage,
  listPage(options),
  addPage(options),
  editPage,
  storedDownloadPage(options),
  deletePage,
]
