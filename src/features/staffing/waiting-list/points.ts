import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Html } from '#platform/html/html.ts'
import type { PageRequest } from '#platform/http/page.ts'
import type { OfferByLink, OfferLoader } from './queries/offered.ts'
import type { DoneState } from './views/offer.ts'

/** A kind of offer that people answer by a signed link. Pages and commands get the request of the person behind it. */
export type OfferKind<Offer extends OfferByLink = OfferByLink> = OfferLoader & {
  /** The question, or why there is none any more. `action`: where the form is sent. */
  show: (own: PageRequest, offer: Offer, action: string) => Promise<{ title: string; main: Html } | DoneState>
  answer: (
    own: PageRequest,
    offer: Offer,
    answer: 'yes' | 'no',
  ) => Promise<DoneState | { refused: string } | { redirect: string }>
}
// biome-ignore lint/suspicious/noExplicitAny: the page does not look into offers
type AnyKind = OfferKind<any>

export const offerKinds = extensionPoint<AnyKind>('waiting-list.offer')

/** What else those who plan see about the places of a shift. */
export const linePage = {
  section:
    extensionPoint<(context: RequestContext, shiftId: number, csrfToken: string) => Promise<Html | false>>(
      'waiting-list.page.section',
    ),
}

/** Runs every minute, after places were offered, and when a place has changed. */
export const placeSteps = extensionPoint<(context: CommandContext) => Promise<void>>('waiting-list.step')
