export const OPENING = '/events/external/{id}/open/'

/** Our page that notes the visit and leads to the event at the partner. */
export const openingPath = (id: number): string => OPENING.replace('{id}', String(id))

/** Where links to an event of a partner lead. Visits are noted only for partners that do not tell us where our people stand. */
export const partnerEventHref = ({ id, href, isSilent }: { id: number; href: string; isSilent: boolean }): string =>
  isSilent ? openingPath(id) : href

export const GIVING_UP = '/events/external/places/{id}/give-up/'

/** Our page that asks before a place at a partner is given up. */
export const givingUpPath = (id: number): string => GIVING_UP.replace('{id}', String(id))
