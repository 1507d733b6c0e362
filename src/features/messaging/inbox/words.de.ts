import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'notification.title': 'Benachrichtigungen',
  'notification.settings': 'Benachrichtigungen',
  'notification.settings_intro_no_mail':
    'Dieser Server sendet keine E-Mails. Hier auf der Seite siehst du alle Benachrichtigungen; deine Auswahl bleibt für später gespeichert.',
  'notification.settings_intro': 'Wähle, was du per E-Mail bekommst. Hier auf der Seite siehst du alle Benachrichtigungen.',
  'notification.settings_intro_push_no_mail':
    'Dieser Server sendet keine E-Mails. Wähle, was du als Push-Nachricht bekommst. Hier auf der Seite siehst du alle Benachrichtigungen.',
  'notification.settings_intro_push':
    'Wähle, was du per E-Mail und als Push-Nachricht bekommst. Hier auf der Seite siehst du alle Benachrichtigungen.',
  'notification.channel_mail': 'E-Mail',
  'notification.channel_push': 'Push',
  'notification.to_inbox': 'Benachrichtigungen anzeigen',
  'notification.to_settings': 'E-Mail-Einstellungen',
  'notification.none':
    'Noch keine Benachrichtigungen. Hier erscheinen Bestätigungen, Änderungen an deinen Schichten und Nachrichten.',
  'notification.for_child': 'für {name}',
  'notification.unread': 'neu',
  'notification.obsolete': 'überholt',
  'notification.mark_read': 'Alle als gelesen markieren',
  'notification.all_read': 'Alle Benachrichtigungen sind als gelesen markiert.',
  'notification.saved': 'Deine E-Mail-Einstellungen sind gespeichert.',
  'notification.save': 'Speichern',
  'notification.reminder_hours': 'Wann du an eine Schicht erinnert wirst',
  'notification.reminder_usual': 'wie hier üblich ({time})',
  'notification.hours_before': { one: '{count} Stunde vorher', other: '{count} Stunden vorher' },
  'notification.days_before': { one: '{count} Tag vorher', other: '{count} Tage vorher' },
  'notification.topic_shifts': 'Meine Schichten',
  'notification.topic_asked': 'Fragen an mich: helfen, vertreten, tauschen?',
  'notification.topic_news': 'Neue Veranstaltungen',
  'notification.topic_account': 'Mein Konto und meine Qualifikationen',
  'notification.topic_planning': 'Veranstaltungen, für die ich verantwortlich bin',
  'notification.topic_details': '{wanted} von {all} Arten',
  'notification.always_sent': 'Diese Art von Benachrichtigung lässt sich nicht abschalten.',
  'notification.always_no_mail': 'Nachrichten, die dir jemand zu einer Veranstaltung schreibt, stehen immer hier auf der Seite.',
  'notification.always': 'Nachrichten, die dir jemand zu einer Veranstaltung schreibt, kommen immer per E-Mail.',
  'notification.address_link': 'E-Mail-Adresse',
  'notification.address_invalid':
    'E-Mails an {email} kamen zurück, deshalb bekommst du keine. Gib eine andere Adresse an, oder versuche diese erneut:',
  'notification.off_title': 'E-Mails zu {kinds} abbestellen?',
  'notification.off_text': 'Hier auf der Seite siehst du diese Benachrichtigungen weiterhin.',
  'notification.off_consequence': 'Du bekommst keine E-Mails dieser Art mehr.',
  'notification.off_consequence_settings': 'In den Einstellungen kannst du sie wieder einschalten.',
  'notification.off_cancel': 'Behalten',
  'notification.off_done': 'Du bekommst keine E-Mails zu {kinds} mehr.',
  'notification.off_done_title': 'Abbestellt',
}
