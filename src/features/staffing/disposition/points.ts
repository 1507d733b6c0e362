import { extensionPoint } from '#platform/features/extension-points.ts'
import type { PlainKey } from '#platform/i18n/words.ts'
import type { IconName } from '#platform/ui/icon.ts'

/** A link above a board. `path` gets the id of the shift or event; undefined: none. */
type BoardLink = {
  label: PlainKey
  icon: IconName
  path: (board: { shift: number; isPast: boolean } | { event: number; shiftCount: number }) => string | undefined
}

export const boardPage = { link: extensionPoint<BoardLink>('disposition.board.link') }
