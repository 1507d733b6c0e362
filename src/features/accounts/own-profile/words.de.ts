import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'profiles.email': 'E-Mail-Adresse',
  'profiles.email_is': 'Du loggst dich mit {email} ein.',
  'profiles.email_waiting': 'Eine Änderung zu {email} wartet auf ihre Bestätigung. Bis dahin bleibt alles, wie es ist.',
  'profiles.change_email': 'E-Mail-Adresse ändern',
  'profiles.address_title': 'E-Mails an dich kommen zurück',
  'profiles.address_since': 'E-Mails an {email} kommen zurück ({when} zum ersten Mal). Bis das gelöst ist, bekommst du keine.',
  'profiles.address_failed': 'E-Mails an {email} kommen zurück. Bis das gelöst ist, bekommst du keine.',
  'profiles.address_reason': 'Der Mailserver sagt: {reason}',
  'profiles.address_help':
    'Gib eine andere Adresse an, oder versuche es erneut, wenn diese jetzt funktioniert, zum Beispiel weil das Postfach voll war.',
  'profiles.address_other': 'Andere Adresse angeben',
  'profiles.address_try': 'Sie funktioniert, erneut versuchen',
  'profiles.address_tried': 'E-Mails gehen wieder an {email}.',
  'profiles.address_works_no_mail': 'Dieser Server sendet keine E-Mails.',
  'profiles.address_works': 'Soweit bekannt, kommen E-Mails an {email} an.',
  'profiles.new_email': 'Neue E-Mail-Adresse',
  'profiles.email_how':
    'Wir schicken einen Link an die neue Adresse. Mit ihm bestätigst du sie. Auch an die jetzige Adresse geht eine Nachricht. Bis dahin loggst du dich mit der jetzigen ein.',
  'profiles.send_confirmation': 'Link senden',
  'profiles.email_same': 'Das ist deine jetzige Adresse.',
  'profiles.email_blocked':
    'Die Adresse deines Kontos wurde geändert oder eine Änderung wurde gestoppt. Eine weitere Änderung ist ab {time} möglich.',
  'profiles.email_sent':
    'Wir haben einen Link an {email} geschickt. Öffne ihn innerhalb eines Tages, um die Adresse zu bestätigen.',
  'profiles.no_mail':
    'Dieser Server verschickt keine E-Mails, deshalb kannst du keine andere Adresse bestätigen. Bitte die Administratoren, sie zu ändern.',
  'profiles.withdraw': 'Zurückziehen',
  'profiles.withdrawn': 'Die Änderung wurde zurückgezogen. Deine Adresse bleibt, wie sie ist.',
  'profiles.confirm_title': 'Bestätige deine neue Adresse',
  'profiles.confirm_text': 'Ab jetzt loggst du dich mit {to} statt mit {from} ein.',
  'profiles.confirm': 'Diese Adresse verwenden',
  'profiles.confirmed': 'Du loggst dich jetzt mit {email} ein.',
  'profiles.dead_title': 'Dieser Link funktioniert nicht mehr',
  'profiles.dead_text': 'Es wartet keine Änderung.',
  'profiles.dead_confirm':
    'Er wurde benutzt, ersetzt oder gestoppt, ist älter als ein Tag oder gehört zu einem anderen Konto. Logge dich mit dem Konto ein, das ihn angefordert hat, oder fordere in deinem Profil einen neuen Link an.',
  'profiles.dead_stop':
    'Die Änderung wurde schon gestoppt oder ist zu lange her. Wenn sie nicht von dir war, wende dich an die Administratoren.',
  'profiles.taken':
    'Diese Adresse gehört inzwischen zu einem anderen Konto, oder deine eigene wurde geändert. Deine Adresse bleibt, wie sie ist.',
  'profiles.revert_taken':
    'Deine frühere Adresse gehört inzwischen zu einem anderen Konto. Bitte wende dich an die Administratoren.',
  'profiles.home': 'Zur Startseite',
  'profiles.stop_title': 'Das war ich nicht',
  'profiles.stop_text': 'Jemand möchte die E-Mail-Adresse deines Kontos ändern. Du kannst das stoppen.',
  'profiles.revert_text': 'Die E-Mail-Adresse deines Kontos wurde geändert. Du kannst zu dieser Adresse zurückkehren.',
  'profiles.stop_also':
    'Alle Geräte werden ausgeloggt, API-Tokens und verbundene Anwendungen verlieren ihren Zugriff, und die Adresse kann drei Tage lang nicht geändert werden. Du bekommst einen Link zu einem neuen Passwort.',
  'profiles.stop': 'Änderung stoppen',
  'profiles.revert': 'Zu dieser Adresse zurückkehren',
  'profiles.stopped_title': 'Die Änderung wurde gestoppt',
  'profiles.reverted_title': 'Deine frühere Adresse gilt wieder',
  'profiles.stopped_text_no_mail':
    'Dein Konto hat diese Adresse, und alle Geräte sind ausgeloggt. Bitte die Administratoren um einen Link für ein neues Passwort: Dieser Server sendet keine E-Mails.',
  'profiles.stopped_text':
    'Dein Konto hat diese Adresse, und alle Geräte sind ausgeloggt. Setze mit dem Link, den wir dir geschickt haben, ein neues Passwort.',
  'profiles.sign_in': 'Einloggen',

  'profiles.propose': 'Vorschlag senden',
  'profiles.propose_title': 'Änderung vorschlagen',
  'profiles.propose_text': 'Diese Angaben verwalten andere. Jemand prüft deinen Vorschlag und entscheidet.',
  'profiles.note': 'Kommentar',
  'profiles.note_help': 'Zum Beispiel, warum sich etwas ändert. Wer entscheidet, liest ihn.',
  'profiles.propose_nothing': 'Bitte ändere zuerst etwas.',
  'profiles.propose_waiting': 'Dein letzter Vorschlag wartet noch auf eine Entscheidung.',
  'profiles.propose_future': 'Dieses Datum liegt in der Zukunft.',
  'profiles.proposed': 'Dein Vorschlag wurde gesendet. Du wirst benachrichtigt, sobald er entschieden ist.',
  'profiles.asks_name': 'Name: {from} → {to}',
  'profiles.asks_birth': 'Geburtsdatum: {from} → {to}',
  'profiles.asks_note': 'Kommentar: {note}',
  'profiles.unreadable': 'Eine Änderung des Profils, deren Daten ungültig sind',

  'profiles.picture': 'Bild',
  'profiles.picture_of': 'Bild von {name}',
  'profiles.no_picture': 'Du hast noch kein Bild.',
  'profiles.add_picture': 'Bild hinzufügen',
  'profiles.change_picture': 'Bild ändern',
  'profiles.picture_who': 'Alle, die deine Schichten planen, sehen es, und alle, die Personen verwalten.',
  'profiles.picture_file': 'Bilddatei',
  'profiles.picture_help':
    'JPEG, PNG oder WebP, höchstens 15 MB. Es wird verkleinert, ohne den Ort der Aufnahme gespeichert und quadratisch gezeigt.',
  'profiles.picture_save': 'Bild hochladen',
  'profiles.picture_saved': 'Dein Bild wurde gespeichert.',
  'profiles.picture_remove': 'Bild entfernen',
  'profiles.picture_removed': 'Dein Bild wurde entfernt.',
  'profiles.picture_base64': 'Das ist kein Bild in Base64. Lass „data:“ und den Typ weg.',
  'profiles.picture_missing': 'Bitte wähle zuerst ein Bild.',
  'profiles.picture_large': 'Dieses Bild ist zu groß. Die Grenze ist 15 MB.',
  'profiles.picture_type': 'Bitte wähle ein Bild in PNG, JPEG oder WebP.',

  'profiles.mail_confirm_subject': 'Bestätige deine neue Adresse für {site}',
  'profiles.mail_confirm_text': 'Du möchtest dich bei {site} mit dieser Adresse einloggen. Bestätige, dass sie dir gehört:',
  'profiles.mail_confirm_action': 'Adresse bestätigen',
  'profiles.mail_confirm_note':
    'Der Link gilt einen Tag, wenn du eingeloggt bist. Wenn du ihn nicht angefordert hast, ignoriere diese E-Mail.',
  'profiles.mail_taken_subject': 'Deine Adresse bei {site}',
  'profiles.mail_taken_text':
    'Jemand möchte diese Adresse für ein anderes Konto bei {site} verwenden. Sie gehört schon zu einem Konto, deshalb wurde nichts geändert.',
  'profiles.mail_notice_subject': 'Die E-Mail-Adresse deines Kontos bei {site} soll geändert werden',
  'profiles.mail_notice_text':
    'Für dein Konto bei {site} wurde eine andere E-Mail-Adresse eingetragen ({time}). Sie gilt, sobald sie bestätigt ist.',
  'profiles.mail_notice_action': 'Das war ich nicht',
  'profiles.mail_notice_note':
    'Wenn du das warst, musst du nichts tun. Sonst stoppt der Link die Änderung oder macht sie rückgängig, {count} Stunden lang.',
}
