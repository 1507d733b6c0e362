import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'push.many': { one: '{count} neue Benachrichtigung', other: '{count} neue Benachrichtigungen' },
  'notification.your_account': 'Dein Konto',
  'notification.your_account_of_child': 'Konto von {child}',
  'notification.someone': 'Jemand',
  'notification.deleted_shift': 'eine gelöschte Schicht',
  'notification.subject_changes': { one: '{count} Änderung: {event}', other: '{count} Änderungen: {event}' },
  'notification.subject_digest': {
    one: '{count} Benachrichtigung von {site}',
    other: '{count} Benachrichtigungen von {site}',
  },
  'notification.intro_changes': { one: 'Es gibt {count} Änderung:', other: 'Es gibt {count} Änderungen:' },
  'notification.intro_digest': 'Hier ist alles, was passiert ist, in einer E-Mail:',
  'notification.comment': '{author} schreibt: „{text}“',
  'notification.quote': '„{text}“',
  'notification.by': 'Geändert von {actor}.',
  'notification.meet': 'Treffen um {time}',
  'notification.subject_for': '{subject} (für {name})',
  'notification.open_family': 'Seite des Kindes öffnen',
  'notification.open_event': 'Veranstaltung öffnen',
  'notification.open_events': 'Veranstaltungen anzeigen',
  'notification.open_inbox': 'Benachrichtigungen anzeigen',
  'notification.why': {
    one: 'Du bekommst diese E-Mail, weil {kinds} in deinen Einstellungen eingeschaltet ist.',
    other: 'Du bekommst diese E-Mail, weil {kinds} in deinen Einstellungen eingeschaltet sind.',
  },
  'notification.unsubscribe': 'Diese E-Mails abbestellen',
  'notification.choose': 'E-Mail-Einstellungen',

  'notification.event_message.from': '{author} schreibt dir zu {event}:',
  'notification.event_message.from_of_child': '{author} schreibt {child} zu {event}:',
  'notification.event_message.read': 'Nachricht von {author}',
}
