import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'push.title': 'Push-Nachrichten',
  'push.intro': 'Dein Gerät meldet sich, sobald sich etwas ändert, auch wenn diese Seite zu ist.',
  'push.no_script': 'Push-Nachrichten brauchen JavaScript.',
  'push.unsupported':
    'Dieser Browser kann keine Push-Nachrichten anzeigen. Auf iPhone und iPad füge diese Seite zuerst zum Home-Bildschirm hinzu und öffne sie von dort.',
  'push.denied':
    'Du hast Nachrichten dieser Seite blockiert. Erlaube sie in den Einstellungen deines Browsers und lade diese Seite neu.',
  'push.failed': 'Push-Nachrichten konnten nicht eingeschaltet werden. Bitte versuche es später noch einmal.',
  'push.on': 'Push-Nachrichten sind in diesem Browser eingeschaltet.',
  'push.turn_on': 'Nachrichten einschalten',
  'push.turned_on': 'Push-Nachrichten sind in diesem Browser eingeschaltet.',
  'push.not_now': 'Jetzt nicht',
  'push.offer': 'Nachricht bei Änderungen',
  'push.devices': 'Deine Geräte',
  'push.this': 'dieser Browser',
  'push.since': 'eingeschaltet {when}',
  'push.remove': 'Ausschalten',
  'push.removed': 'Dieses Gerät bekommt keine Push-Nachrichten mehr.',
  'push.test': 'Testnachricht senden',
  'push.test_title': 'Es funktioniert',
  'push.test_body': 'So sehen Push-Nachrichten aus.',
  'push.test_sent': {
    one: 'Die Testnachricht ist unterwegs an {count} Gerät.',
    other: 'Die Testnachricht ist unterwegs an {count} Geräte.',
  },
  'push.test_gone': {
    one: '{count} Gerät nimmt keine Nachrichten mehr an und wurde entfernt.',
    other: '{count} Geräte nehmen keine Nachrichten mehr an und wurden entfernt.',
  },
  'push.test_failed': {
    one: '{count} Gerät war gerade nicht erreichbar.',
    other: '{count} Geräte waren gerade nicht erreichbar.',
  },
}
