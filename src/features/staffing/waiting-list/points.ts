import type { CommandContext, RequestContext } from '#platform/auth/context.ts'
import { extensionPoint } from '#platform/features/extension-points.ts'
import type { Html } from '#platform/html/html.ts'
import type { PageRequest } from '#platform/http/page.ts'
import type { OfferByLink, OfferLoader } from './queries/offered.ts'
import type { DoneState } from './views/offer.ts'

/** Where the form is sent, the file with the shift, and the form for a sign-up with a choice. */
type OfferLinks = { action: string; calendarPath: string; signupPath: string }

/** `change`: the other answer, while it is possible. */
export type Answered = { state: DoneState; change: 'yes' | 'no' | undefined }

/** A kind of offer that people answer by a signed link. Pages and commands get the request of the person behind it. */
export type OfferKind<Offer extends OfferByLink = OfferByLink> = OfferLoader & {
  /** The question, what the person has answered, or why there is no question any more. */
  show: (own: PageRequest, offer: Offer, links: OfferLinks) => Promise<{ title: string; main: Html } | Answered | DoneState>
  /** Who asks; undefined: nobody, the person waits for a place. */
  askedBy: (offer: Offer) => string | undefined
  answer: (
    own: PageRequest,
    offer: Offer,
    given: { answer: 'yes' | 'no'; signupPath: string },
  ) => Promise<DoneState | { refused: string } | { redirect: string }>
}
// biome-ignore lint/suspicious/noExplicitAny: the page does not look into offers
type AnyKind = OfferKind<any>

export const offerKinds = extensionPoint<AnyKind>('waiting-list.offer')

/** What else those who plan see about the places of a shift. */
export const waitingListPage = {
  section:
    extensionPoint<(context: RequestContext, shiftId: number, csrfToken: string) => Promise<Html | false>>(
      'waiting-list.page.section',
    ),
}

/** Runs every minute, after places were offered, and when a place has changed. */
export const placeSteps = extensionPoint<(context: CommandContext) => Promise<void>>('waiting-list.step')
