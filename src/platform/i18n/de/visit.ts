import type { visit as english } from '../en/visit.ts'
import type { Translation } from '../message.ts'

export const visit: Translation<typeof english> = {
  'visit.hereAs': 'Du bist hier als {name} von {home}',
  'visit.told': '{home} hat uns deinen Namen, deine E-Mail-Adresse, dein Geburtsdatum und deine Qualifikationen genannt.',
  'visit.back': 'Zurück zu {home}',
  'visit.end': 'Besuch beenden',
  'visit.label': 'Dein Besuch',
  'visit.strangerTitle': 'Dieser Besuch hat nicht hier begonnen',
  'visit.strangerText':
    'Du bist ohne das zurückgekommen, was du beim Weggehen mitgenommen hast, oder zu spät. Öffne die Veranstaltung noch einmal aus der Liste deiner eigenen Organisation.',
  'visit.silentTitle': 'Deine Organisation antwortet nicht',
  'visit.silentText':
    '{home} muss uns sagen, wer du bist, und war gerade nicht zu erreichen. Nichts ist verloren: Bitte versuche es gleich noch einmal.',
  'visit.again': 'Noch einmal versuchen',
}
