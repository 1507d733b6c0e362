import type { z } from 'zod'
import type { CommandContext } from '#platform/auth/context.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { Html } from '#platform/html/html.ts'
import type { PageRequest } from '#platform/http/page.ts'
import type { FormValues } from '#platform/ui/form-values.ts'
import { shareEventWith } from '../commands/shares.ts'
import { findShareSwitches } from '../queries/shares.ts'
import { shareSection } from '../schema.ts'
import { shareSectionView } from '../views/share.ts'

/** The sharing section of the event form. */
export const eventShareSection = {
  schema: shareSection,
  show: async (
    { context: { db, words } }: PageRequest,
    eventId: number | undefined,
    typed: FormValues | undefined,
  ): Promise<Html> => {
    const guests = await findShareSwitches(db, eventId)
    const chosen = typed
      ? [typed.share_with ?? []].flat().map(Number)
      : guests.filter(({ isShared }) => isShared).map(({ guestId }) => guestId)
    return shareSectionView({ words, guests, chosen })
  },
  save: (tx: Tx, commandContext: CommandContext, eventId: number, { share_with }: z.infer<typeof shareSection>): Promise<void> =>
    shareEventWith(tx, commandContext, eventId, share_with),
}
