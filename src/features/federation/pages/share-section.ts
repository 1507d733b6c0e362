import type { z } from 'zod'
import type { FormValues } from '#features/planning/rules/form-values.ts'
import type { Doing } from '#platform/auth/ask.ts'
import type { Tx } from '#platform/db/transaction.ts'
import type { Html } from '#platform/html/html.ts'
import type { Visit } from '#platform/http/page.ts'
import { shareEventWith } from '../commands/shares.ts'
import { findShareSwitches } from '../queries/shares.ts'
import { shareSection } from '../schema.ts'
import { shareSectionView } from '../views/share.ts'

/** What the form of an event says about sharing; handed down to it where the house is put together. */
export const eventShareSection = {
  schema: shareSection,
  show: async ({ ask: { db, words } }: Visit, eventId: number | undefined, typed: FormValues | undefined): Promise<Html> => {
    const guests = await findShareSwitches(db, eventId)
    const chosen = typed
      ? [typed.share_with ?? []].flat().map(Number)
      : guests.filter(({ isShared }) => isShared).map(({ guestId }) => guestId)
    return shareSectionView({ words, guests, chosen })
  },
  save: (tx: Tx, doing: Doing, eventId: number, { share_with }: z.infer<typeof shareSection>): Promise<void> =>
    shareEventWith(tx, doing, eventId, share_with),
}
