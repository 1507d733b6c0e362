import type { suggestion as en } from '../en/suggestion.ts'
import type { Translation } from '../message.ts'

export const suggestion: Translation<typeof en> = {
  'suggestion.place.shift': 'In der Schicht',
  'suggestion.place.anybody': 'Alle',
  'suggestion.place.unit': '{unit}, {position}',
  'suggestion.reason.assigned': 'Ist schon hier eingeteilt.',
  'suggestion.reason.wished': 'Hat sich das gewünscht.',
  'suggestion.reason.needed': 'Hier wird noch jemand gebraucht.',
  'suggestion.reason.neededAs': 'Wird hier gebraucht ({needs}).',
  'suggestion.reason.room': 'Hier ist Platz.',
  'suggestion.reason.more': 'Zusätzlich zu denen, die gebraucht werden.',
  'suggestion.reason.beyond': 'Hier eingeteilt, obwohl alle Plätze vergeben sind.',
  'suggestion.wishMissed': 'Für den Wunsch „{place}“ ist kein Platz da.',
  'suggestion.unmatched.full': 'Alle Plätze, die in Frage kämen, sind vergeben.',
  'suggestion.unmatched.not_qualified': 'Es fehlt {needs}, gültig bis zum Ende.',
  'suggestion.unmatched.conflict': 'Ist zu dieser Zeit woanders zugesagt: {other}.',
  'suggestion.open.any': '{place}: weitere Leute sind willkommen.',
  'suggestion.open.free': { one: '{place}: {count} Platz ist offen.', other: '{place}: {count} Plätze sind offen.' },
  'suggestion.open.needs': {
    one: '{place}: {count} Platz ist offen für {needs}.',
    other: '{place}: {count} Plätze sind offen für {needs}.',
  },
  'suggestion.help.move': 'Es würde helfen, {name} von dort zu holen: {from}.',
  'suggestion.help.find': 'Niemand, der angefragt hat, kann das übernehmen.',
  'suggestion.missing.somebody': 'Jemand',
  'suggestion.missing.in': '{place}: {what}',
  'suggestion.missing.part': { one: '{what} fehlt {times}', other: '{what} fehlt {times} ({count})' },
  'suggestion.missing.more': { one: '{count} weiteres fehlt', other: '{count} weitere fehlen' },
}
