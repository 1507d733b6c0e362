import type { Room } from '../message.ts'

export const home = {
  'home.greeting': 'Hello {name}',
  'home.nextIn': 'Your next shift begins {when}.',
  'home.running': 'You have a shift right now.',
  'home.nothingSoon': 'Nothing is planned for you at the moment.',
  'home.nextShifts': 'Your next shifts',
  'home.noShifts': 'You are not expected at any shift yet.',
  'home.findShift': 'Find a shift',
  'home.asked': 'Asked, not yet decided',
  'home.noneAsked': 'None of your requests is waiting for an answer.',
  'home.seeEvents': 'See what is coming',
  'home.waiting': 'Waiting for your decision',
  'home.noneWaiting': 'Nobody is waiting for your decision.',
  'home.peopleAsk': { one: '{count} person asks', other: '{count} people ask' },
  'home.comingEvents': 'Coming events',
  'home.allEvents': 'All events',
  'home.noEvents': 'No event is planned for your groups.',
  'home.pastEvents': 'See past events',
} as const satisfies Room
