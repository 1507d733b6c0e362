import type { Room } from '../message.ts'

export const visit = {
  'visit.hereAs': 'You are here as {name} of {home}',
  'visit.told': '{home} has told us your name, e-mail address, date of birth and qualifications.',
  'visit.back': 'Back to {home}',
  'visit.end': 'End visit',
  'visit.label': 'Your visit',
  'visit.strangerTitle': 'This visit did not begin here',
  'visit.strangerText':
    'You came back without what you took along when you left, or too late. Open the event again from the list of your own organisation.',
  'visit.silentTitle': 'Your organisation does not answer',
  'visit.silentText':
    '{home} has to tell us who you are, and could not be reached just now. Nothing is lost: please try again in a moment.',
  'visit.again': 'Try again',
} as const satisfies Room
