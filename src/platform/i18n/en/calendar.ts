import type { Room } from '../message.ts'

export const calendar = {
  'calendar.feed': 'Your shifts in your own calendar',
  'calendar.about':
    'Subscribe once, and the calendar of your phone or computer shows your shifts and keeps them up to date: times, place, and when something is cancelled.',
  'calendar.none': 'You have no calendar address yet.',
  'calendar.make': 'Make my calendar address',
  'calendar.made': 'Your calendar address is ready.',
  'calendar.address': 'Your secret address',
  'calendar.addressHelp': 'Whoever has it can see your shifts. Pass it on to nobody.',
  'calendar.unreadable':
    'Your address still works, but it cannot be shown any more. Make a new one if you need it somewhere else.',
  'calendar.subscribe': 'Subscribe on this device',
  'calendar.with': 'What it holds',
  'calendar.withHelp': 'Confirmed shifts are always there. For the others, use one of these addresses instead.',
  'calendar.withRequested': 'Also what you asked for',
  'calendar.withRejected': 'Also what you asked for and what was turned down',
  'calendar.how': 'How to subscribe',
  'calendar.howApple':
    'iPhone, iPad, Mac: press “Subscribe on this device”, or choose “Add subscription calendar” and paste the address.',
  'calendar.howGoogle':
    'Android and Google: on a computer, open Google Calendar, choose “Other calendars”, “From URL” and paste the address. The phone shows it a little later.',
  'calendar.howOutlook': 'Outlook: choose “Add calendar”, “Subscribe from web” and paste the address.',
  'calendar.howThunderbird': 'Thunderbird: choose “New calendar”, “On the network” and paste the address.',
  'calendar.resetTitle': 'Make a new address?',
  'calendar.reset': 'Make a new address…',
  'calendar.resetSubmit': 'Make a new address',
  'calendar.resetText': 'Do this if somebody else may know your address.',
  'calendar.resetStops': 'The old address stops working at once.',
  'calendar.resetAgain': 'Every calendar that uses it has to be subscribed again with the new one.',
  'calendar.wasReset': 'The old address has stopped working. This is the new one.',
  'calendar.name': 'Shifts · {site}',
  'calendar.meet': 'Meet at {time}',
  'calendar.asked': 'asked, not yet decided',
  'calendar.turnedDown': 'turned down',
  'calendar.cancelled': 'Cancelled: {reason}',
} as const satisfies Room
