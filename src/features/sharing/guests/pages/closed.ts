import { getBranding } from '#features/operations/settings/queries.ts'
import type { PageBody, PageRequest } from '#platform/http/page.ts'
import { findOwnPlaces, getOwnGuest } from '../queries.ts'
import type { Closed, PublicEvent } from '../rules.ts'
import { closedView } from '../views/closed.ts'

/**
 * Links are secrets, so browsers must not keep the page. The policy for referrers of all pages tells other sites nothing;
 * `no-referrer` would also remove the origin of forms, which is checked.
 */
export const SECRET_HEADERS = { 'cache-control': 'no-store' }

/** 404 for links that nobody gave out; 403 for those that do not work now. */
export async function closedRegistration(
  { context }: PageRequest,
  reason: Closed,
  event: PublicEvent | undefined,
): Promise<PageBody> {
  const { db, words, now } = context
  const { hasImprint } = await getBranding(db)
  const isKnown = reason !== 'unknown' && reason !== 'draft'
  return {
    title: words.t('guests.closed_title'),
    bare: true,
    status: isKnown ? 403 : 404,
    headers: SECRET_HEADERS,
    main: closedView({
      words,
      now,
      hasImprint,
      text: words.t(`guests.closed_${reason}`),
      event: isKnown ? event : undefined,
      note: words.t('guests.closed_registered'),
    }),
  }
}

/** A personal link that does not work (any more), or not now. The guest still sees their shifts. */
export async function closedPersonalLink({ context }: PageRequest): Promise<PageBody> {
  const { db, words, now, actor } = context
  const [guest, { hasImprint }] = await Promise.all([getOwnGuest(db, actor), getBranding(db)])
  const known = guest && !guest.isDeleted ? guest : undefined
  return {
    title: words.t('guests.closed_title'),
    bare: true,
    status: known ? 403 : 404,
    headers: SECRET_HEADERS,
    main: closedView({
      words,
      now,
      hasImprint,
      text: words.t(known ? 'guests.personal_off' : 'guests.personal_unknown'),
      event: known && { title: known.eventTitle, start: known.start, end: known.end },
      places: known ? await findOwnPlaces(db, known.id) : [],
    }),
  }
}
