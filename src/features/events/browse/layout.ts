import { hasHosts } from '#features/sharing/federation/queries/links.ts'
import { layoutPart } from '#platform/features/layout.ts'
import { endedLinksFor } from './queries/partner-events.ts'

const EVENTS = '/events/'
const CALENDAR = '/events/calendar/'
const EXTERNAL = '/events/external/'

/** Most used first: phones show four items and put the rest behind “More”. */
export const navigationPart = layoutPart({
  read: () => hasHosts,
  show: (isLinked: boolean, { words, isAt }) => ({
    nav: [
      { href: '/', label: words.t('frame.home'), icon: 'house', current: isAt('/') },
      {
        href: EVENTS,
        label: words.t('frame.events'),
        shortLabel: words.t('frame.events_short'),
        icon: 'calendar-check',
        current: isAt(EVENTS) && !isAt(CALENDAR) && !(isLinked && isAt(EXTERNAL)),
      },
      { href: CALENDAR, label: words.t('frame.calendar'), icon: 'calendar-days', current: isAt(CALENDAR) },
      ...(isLinked ? [{ href: EXTERNAL, label: words.t('external.nav'), icon: 'globe' as const, current: isAt(EXTERNAL) }] : []),
    ],
  }),
})

/** On the home page of administrators. */
export const endedLinksPart = layoutPart({
  read: ({ actor }) => endedLinksFor(actor),
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
