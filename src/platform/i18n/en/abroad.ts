import type { Room } from '../message.ts'

/** For everybody: events of other organisations, and shifts there. */
export const abroad = {
  'abroad.nav': 'External',
  'abroad.title': 'External events',
  'abroad.intro': 'Shared by other organisations. You sign up on their pages, with your account here.',
  'abroad.none': 'No organisation shares a coming event with you at the moment.',
  'abroad.none_linked': 'This instance is not linked with another organisation.',
  'abroad.lately': 'Ended lately',
  'abroad.see_own': 'See our own events',
  'abroad.link_now': 'Redeem an invitation',
  'abroad.at': 'at {host}',
  'abroad.stale': 'As of {when}; {host} cannot be reached',
  'abroad.stale_ended': 'As of {when}; {host} shares nothing new with us',
  'abroad.stale_paused': 'As of {when}; news of {host} are paused',
  'abroad.stale_never': '{host} has not answered yet',
  'abroad.oauth_error':
    'You were not signed in at the other organisation, because it was declined or something went wrong on the way. Open the event again to try once more.',
  'abroad.event_error': 'The other organisation does not share this event with us any more.',
  'abroad.other_error': 'The other organisation could not show the event.',
  'abroad.filter': 'Whose events',
  'abroad.filter_all': 'Ours and those of others',
  'abroad.filter_ours': 'Ours only',
  'abroad.filter_others': 'Of other organisations only',
} as const satisfies Room
