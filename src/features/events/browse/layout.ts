import { layoutPart } from '#platform/features/layout.ts'
import { endedLinksFor } from './queries/partner-events.ts'

const EVENTS = '/events/'
const CALENDAR = '/events/calendar/'

/** Most used first: phones show four items and put the rest behind “More”. Events of partners are among the others. */
export const navigationPart = layoutPart({
  show: (_value: null, { words, isAt }) => ({
    nav: [
      { href: '/', label: words.t('frame.home'), icon: 'house', current: isAt('/') },
      {
        href: EVENTS,
        label: words.t('frame.events'),
        shortLabel: words.t('frame.events_short'),
        icon: 'calendar-check',
        current: isAt(EVENTS) && !isAt(CALENDAR),
      },
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
