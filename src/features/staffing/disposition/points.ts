import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Day } from '#platform/i18n/days.ts'
import type { PlainKey } from '#platform/i18n/words.ts'
import type { IconName } from '#platform/ui/icon.ts'

/** The board of a shift or of an event. `day`: its first one; an event without shifts has none. */
export type LinkedBoard =
  | { shift: number; isPast: boolean; day: Day }
  | { event: number; shiftCount: number; day: Day | undefined }

/** A link above a board. `path` undefined: none. */
type BoardLink = { label: PlainKey; icon: IconName; path: (board: LinkedBoard) => string | undefined }

export const boardPage = { link: extensionPoint<BoardLink>('disposition.board.link') }
