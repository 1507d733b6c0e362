import type { Room } from '../message.ts'

export const suggestion = {
  'suggestion.place.shift': 'On the shift',
  'suggestion.place.anybody': 'Anybody',
  'suggestion.place.unit': '{unit}, {position}',
  'suggestion.reason.assigned': 'Has this place already.',
  'suggestion.reason.wished': 'Wished for this.',
  'suggestion.reason.needed': 'Somebody is needed here.',
  'suggestion.reason.neededAs': 'Needed here as {needs}.',
  'suggestion.reason.room': 'There is room here.',
  'suggestion.reason.more': 'In addition to those who are needed.',
  'suggestion.reason.beyond': 'Put here although all places are taken.',
  'suggestion.wishMissed': '{place}, which they wished for, has no place for them.',
  'suggestion.unmatched.full': 'Every place that this person could take is taken.',
  'suggestion.unmatched.not_qualified': 'Lacks {needs}, valid until the end.',
  'suggestion.unmatched.conflict': 'Is confirmed elsewhere at that time: {other}.',
  'suggestion.open.any': '{place}: more people are welcome.',
  'suggestion.open.free': { one: '{place}: {count} place is open.', other: '{place}: {count} places are open.' },
  'suggestion.open.needs': {
    one: '{place}: {count} place is open for {needs}.',
    other: '{place}: {count} places are open for {needs}.',
  },
  'suggestion.help.move': 'It would help to move {name} here from {from}.',
  'suggestion.help.find': 'Nobody who asked could take it.',
} as const satisfies Room
