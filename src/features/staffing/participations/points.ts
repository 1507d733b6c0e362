import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Page } from '#platform/http/page.ts'
import type { PageMount } from './mount.ts'

/** Under which paths other people than members take part: event page, files, sign-up, decline, undo. */
export type ParticipantMount = {
  mount: PageMount
  eventPath: string
  /** Applied to each of these pages. */
  wrap?: (page: Page) => Page
  /** Applied to the event page instead of `wrap`. */
  wrapEvent?: (page: Page) => Page
}

export const participantMounts = extensionPoint<ParticipantMount>('participations.mount', { isAlwaysOn: true })
