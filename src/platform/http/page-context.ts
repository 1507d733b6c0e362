import type { FileStore } from '#platform/files/store.ts'
import type { HttpContext } from './http-context.ts'
import type { ConfirmationLoader, LayoutLoader } from './page.ts'
import type { PageQueue } from './page-queue.ts'

export type PageHttpContext = HttpContext & {
  loadLayout: LayoutLoader
  /** Default: a redirect to the page that asks, without the submitted form. */
  loadConfirmation?: ConfirmationLoader | undefined
  /** Default: every module is on. */
  modules?: { refresh: () => Promise<void>; isOn: (name: string) => boolean }
  /** Whether pages that declare `keeps` are kept until something is written. Not with sections of extensions, which may show anything. */
  keepsPages?: boolean
  /** Default: all pages are made at once. */
  queue?: PageQueue | undefined
  version: string
  files: FileStore
}
