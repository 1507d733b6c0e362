import { sql } from 'kysely'
import { type Actor, hasPermission } from '#platform/auth/actor.ts'
import { type LayoutPlace, layoutPart } from '#platform/features/layout.ts'
import { isOn } from '#platform/features/modules.ts'
import { endedLinksFor } from './queries/partner-events.ts'

const EVENTS = '/events/'
const CALENDAR = '/events/calendar/'
const SHIFTS = '/shifts/'
const SERIES = '/series/'

/** Others find the list of events below the one of shifts. */
const plansEvents = (actor: Actor): boolean => hasPermission(actor, 'add_event') || hasPermission(actor, 'change_event')

/** Pages of one event or one of its shifts. */
const isOfEvent = ({ path, isAt }: LayoutPlace): boolean =>
  (isAt(EVENTS) && !isAt(CALENDAR)) || (isAt(SHIFTS) && path !== SHIFTS) || isAt(SERIES)

/** Most used first: phones show four items and put the rest behind “More”. Events of partners are among the shifts. */
export const navigationPart = layoutPart({
  show: (_value: null, { words, actor, ...place }) => ({
    nav: [
      { href: '/', label: words.t('frame.home'), icon: 'house', current: place.isAt('/') },
      {
        href: SHIFTS,
        label: words.t('frame.find'),
        shortLabel: words.t('frame.find_short'),
        icon: 'search',
        current: place.path === SHIFTS || (!plansEvents(actor) && isOfEvent(place)),
      },
    ],
  }),
})

export const eventsPart = layoutPart({
  show: (_value: null, { words, actor, ...place }) => ({
    nav: plansEvents(actor)
      ? [{ href: EVENTS, label: words.t('frame.events'), icon: 'calendar-check', current: isOfEvent(place) }]
      : [],
  }),
})

/** On the home page of administrators. */
export const endedLinksPart = layoutPart({
  read: ({ actor, site }) => (isOn(site, 'federation') ? endedLinksFor(actor) : sql`'[]'::json`),
  show: (names: string[], { words, isAt }) => ({
    notices:
      names.length > 0 && isAt('/')
        ? [
            {
              tone: 'bad',
              text: words.t('federation.warn_ended_names', { names: words.list(names) }),
              link: { href: '/manage/federation/', label: words.t('federation.warn_look') },
            },
          ]
        : [],
  }),
})
