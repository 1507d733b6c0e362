import { sql } from 'kysely'
import { type Actor, hasPermission } from '#platform/auth/actor.ts'
import { layoutPart } from '#platform/features/layout.ts'
import { isOn } from '#platform/features/modules.ts'
import { endedLinksFor } from './queries/partner-events.ts'

const EVENTS = '/events/'
const CALENDAR = '/events/calendar/'
const SHIFTS = '/shifts/'

/** Others find the list of events below the one of shifts. */
const plansEvents = (actor: Actor): boolean => hasPermission(actor, 'add_event') || hasPermission(actor, 'change_event')

/** Most used first: phones show four items and put the rest behind “More”. Events of partners are among the shifts. */
export const navigationPart = layoutPart({
  show: (_value: null, { words, isAt, actor }) => ({
    nav: [
      { href: '/', label: words.t('frame.home'), icon: 'house', current: isAt('/') },
      {
        href: SHIFTS,
        label: words.t('frame.find'),
        shortLabel: words.t('frame.find_short'),
        icon: 'search',
        current: isAt(SHIFTS) || (!plansEvents(actor) && isAt(EVENTS) && !isAt(CALENDAR)),
      },
    ],
  }),
})

export const eventsPart = layoutPart({
  show: (_value: null, { words, isAt, actor }) => ({
    nav: plansEvents(actor)
      ? [{ href: EVENTS, label: words.t('frame.events'), icon: 'calendar-check', current: isAt(EVENTS) && !isAt(CALENDAR) }]
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
