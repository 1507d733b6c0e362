import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'mail.reset_subject': 'Ein neues Passwort für {site}',
  'mail.reset_text': 'du hast ein neues Passwort angefordert. Lege es mit diesem Link fest:',
  'mail.reset_action': 'Neues Passwort festlegen',
  'mail.sign_in_name': 'Der Benutzername ist {name}.',
  'mail.reset_note':
    'Der Link funktioniert einmal und gilt eine Stunde. Wenn du ihn nicht angefordert hast, ignoriere diese E-Mail. Dein Passwort bleibt unverändert.',
  'mail.welcome_subject': 'Willkommen bei {site}',
  'mail.welcome_text':
    'du hast jetzt ein Konto bei {site}. Dort siehst du, was geplant ist, und kannst dich für Schichten anmelden.',
  'mail.welcome_email': 'Du loggst dich mit {email} ein. Bitte lege zuerst ein Passwort fest:',
  'mail.welcome_action': 'Passwort festlegen',
  'mail.welcome_note': 'Der Link funktioniert einmal und gilt 28 Tage.',
  'mail.changed_subject': 'Dein Passwort für {site} wurde geändert',
  'mail.changed_text': 'dein Passwort wurde geändert ({time}).',
  'mail.changed_ended': 'Alle anderen Geräte sind ausgeloggt. API-Tokens und verbundene Anwendungen haben keinen Zugriff mehr.',
  'mail.changed_action': 'Neues Passwort festlegen',
  'mail.changed_note':
    'Wenn du das warst, musst du nichts tun. Wenn nicht, lege sofort ein neues Passwort fest und wende dich an die Administratoren.',
  'mail.email_changed_subject': 'Die E-Mail-Adresse deines Kontos bei {site} wurde geändert',
  'mail.email_changed_text': 'für dein Konto bei {site} wurde eine andere E-Mail-Adresse eingetragen ({time}).',
  'mail.email_changed_means':
    'Du loggst dich ab jetzt mit der neuen Adresse ein. An diese Adresse schicken wir keine weiteren E-Mails.',
  'mail.merged_subject': 'Deine Konten bei {site} wurden zusammengeführt',
  'mail.merged_text': '{name} aus der Administration von {site} hat zwei Konten von dir zu einem zusammengeführt ({time}).',
  'mail.merged_ended':
    'Deine Schichten, Qualifikationen und Gruppen aus beiden findest du in dem Konto, das bleibt. Geräte, API-Tokens und Anwendungen des anderen haben keinen Zugriff mehr.',
  'mail.merged_stays': 'Du loggst dich mit diesem Konto wie bisher ein.',
  'mail.merged_given_up':
    'Das Konto mit dieser Adresse ist geschlossen. Logge dich mit deinem anderen Konto ein. An diese Adresse schicken wir keine weiteren E-Mails.',
  'mail.merged_note':
    'Wenn du das nicht erwartet hast oder es Konten von zwei Personen waren, wende dich bald an die Administratoren.',
  'mail.erasure_subject': 'Dein Konto bei {site} wird gelöscht',
  'mail.erasure_text': 'Du möchtest dein Konto bei {site} löschen. Es wird am {time} gelöscht.',
  'mail.erasure_back': 'Bis dahin kannst du es zurücknehmen.',
  'mail.erasure_action': 'Ansehen oder zurücknehmen',
  'mail.erasure_note': 'Wenn du das nicht warst, nimm es zurück und ändere dein Passwort.',
  'mail.erasure_refused_subject': 'Dein Konto bei {site} bleibt',
  'mail.erasure_refused_text': 'Du möchtest dein Konto bei {site} löschen. Ein Administrator hat das abgelehnt.',
  'mail.erasure_refused_note': 'Wende dich an die Administratoren, um den Grund zu erfahren.',
  'mail.email_changed_note': 'Wenn du davon nichts weißt, wende dich an die Administratoren.',

  'reset.title': 'Passwort vergessen?',
  'reset.intro_no_mail':
    'Dieser Server sendet keine E-Mails. Frage die Administratoren: Sie können einen Link für dich erstellen, mit dem du ein neues Passwort festlegst.',
  'reset.intro':
    'Gib die E-Mail-Adresse oder den Benutzernamen ein, mit dem du dich einloggst. Ein Link für ein neues Passwort geht an die Adresse des Kontos.',
  'reset.submit': 'Link schicken',
  'reset.back': 'Zurück zum Einloggen',
  'reset.sent_title': 'Schau in dein Postfach',
  'reset.sent_text':
    'Wenn {email} zu einem Konto gehört, ist eine E-Mail mit einem Link unterwegs. Der Link funktioniert einmal und gilt eine Stunde.',
  'reset.sent_help':
    'Nach ein paar Minuten noch nichts da? Schau im Spam-Ordner nach und prüfe deine Eingabe. Ohne eigene E-Mail-Adresse geht die E-Mail an die Adresse deiner Familie. Gibt es keine, kann dir ein Administrator einen Link geben.',
  'reset.again': 'Anderen Namen oder andere Adresse eingeben',
  'reset.address_limit': {
    one: 'Aus deinem Netzwerk wurden zu viele Links angefordert. Versuche es in einer Sekunde erneut.',
    other: 'Aus deinem Netzwerk wurden zu viele Links angefordert. Versuche es in {count} Sekunden erneut.',
  },
  'reset.new_title': 'Neues Passwort festlegen',
  'reset.new_intro':
    '{name}, bitte wähle ein neues Passwort. Danach sind alle Geräte ausgeloggt, und deine API-Tokens gelten nicht mehr.',
  'reset.new_submit': 'Passwort festlegen und einloggen',
  'reset.done': 'Dein neues Passwort ist festgelegt. Stärke: {strength}.',
  'reset.done_step': 'Dein neues Passwort ist festgelegt. Stärke: {strength}. Bestätige jetzt mit deinem zweiten Faktor.',
  'reset.dead_title': 'Dieser Link funktioniert nicht mehr',
  'reset.dead_text_no_mail': 'Er wurde schon benutzt oder ist älter als eine Stunde.',
  'reset.dead_text': 'Er wurde schon benutzt oder ist älter als eine Stunde. Bitte fordere einen neuen an.',
  'reset.dead_action_no_mail': 'So bekommst du einen neuen Link',
  'reset.dead_action': 'Neuen Link anfordern',
  'reset.welcome_title': 'Willkommen, {name}',
  'reset.welcome_intro': 'Wähle ein Passwort, um dein Konto fertig einzurichten. Du loggst dich mit {email} ein.',
  'reset.welcome_submit': 'Passwort festlegen und loslegen',
  'reset.welcome_done': 'Dein Konto ist bereit. Stärke deines Passworts: {strength}.',
  'reset.invitation_dead':
    'Er wurde schon benutzt, zurückgezogen oder ist älter als eine Woche. Wenn du ein Passwort hast, logge dich ein. Sonst bitte um einen neuen Link.',
  'reset.welcome_dead':
    'Er wurde schon benutzt oder ist älter als vier Wochen. Wenn du ein Passwort hast, logge dich ein. Sonst fordere einen neuen Link an.',

  'security.password': 'Passwort',
  'security.password_ends_no_mail':
    'Ein neues Passwort loggt dich auf allen anderen Geräten aus und widerruft deine API-Tokens und den Zugriff verbundener Anwendungen. Hier bleibst du eingeloggt.',
  'security.password_ends':
    'Ein neues Passwort loggt dich auf allen anderen Geräten aus und widerruft deine API-Tokens und den Zugriff verbundener Anwendungen. Hier bleibst du eingeloggt und bekommst eine E-Mail.',
  'security.no_password_no_mail':
    'Du hast noch kein Passwort. Frage die Administratoren nach einem Link, um eines festzulegen: Dieser Server sendet keine E-Mails.',
  'security.no_password': 'Du hast noch kein Passwort. Fordere einen Link per E-Mail an, um eines festzulegen.',
  'security.request_link_no_mail': 'So bekommst du einen Link',
  'security.request_link': 'Link anfordern',
  'security.current': 'Aktuelles Passwort',
  'security.current_missing': 'Bitte gib dein aktuelles Passwort ein.',
  'security.current_wrong': 'Das ist nicht dein aktuelles Passwort.',
  'security.new': 'Neues Passwort',
  'security.new_again': 'Neues Passwort wiederholen',
  'security.same': 'Das ist dein aktuelles Passwort. Bitte wähle ein anderes.',
  'security.submit': 'Passwort ändern',
  'security.guess_limit': 'Zu viele falsche Passwörter. Versuche es um {time} Uhr erneut.',
  'security.changed': 'Dein Passwort wurde geändert, und alle anderen Geräte sind ausgeloggt. Stärke: {strength}.',
  'security.strength': 'Stärke: {strength}.',
  'security.strength_weak': 'schwach',
  'security.strength_fair': 'mittel',
  'security.strength_good': 'gut',
  'security.strength_strong': 'stark',
  'security.longer': 'Ein Wort mehr macht es stärker.',
  'security.devices': 'Wo du eingeloggt bist',
  'security.device': 'Gerät',
  'security.device_on': '{browser} auf {system}',
  'security.device_unknown': 'Unbekanntes Gerät',
  'security.this_device': 'dieses Gerät',
  'security.last_seen': 'Zuletzt gesehen',
  'security.since': 'Eingeloggt',
  'security.now': 'jetzt',
  'security.sign_out': 'Ausloggen',
  'security.sign_out_of': '{device} ausloggen',
  'security.others_submit': 'Alle anderen Geräte ausloggen',
  'security.alone': 'Du bist nur auf diesem Gerät eingeloggt.',
  'security.signed_out': 'Das Gerät wurde ausgeloggt.',
  'security.already_out': 'Dieses Gerät war schon ausgeloggt.',
  'security.others_out': { one: 'Ein anderes Gerät wurde ausgeloggt.', other: '{count} andere Geräte wurden ausgeloggt.' },
  'security.forgotten': 'Passwort vergessen?',

  'sign_in.title': 'Einloggen',
  'sign_in.try_out': 'Umsehen',
  'sign_in.try_out_intro':
    'Turnout plant, wer wann wo hilft: Alle melden sich für Schichten an, und wer plant, sieht, was noch fehlt. Hier sind Personen und Veranstaltungen erfunden, du kannst alles ausprobieren.',
  'sign_in.try_out_volunteer': 'Als Mitglied umsehen',
  'sign_in.try_out_planner': 'Als Planungsteam umsehen',
  'sign_in.try_out_administrator': 'Als Verwaltung umsehen',
  'sign_in.try_out_refused':
    'Das geht nur auf dem Rechner, auf dem Turnout läuft, und mit den Beispieldaten. Bitte logge dich mit E-Mail-Adresse und Passwort ein.',
  'sign_in.email': 'E-Mail',
  'sign_in.name_or_email': 'E-Mail-Adresse oder Benutzername',
  'sign_in.password': 'Passwort',
  'sign_in.register': 'Konto erstellen',
  'sign_in.or': 'oder mit einem Passwort',
  'sign_in.submit': 'Einloggen',
  'sign_in.wrong': 'E-Mail-Adresse oder Passwort ist falsch. Bitte prüfe beides.',
  'sign_in.account_limit':
    'Zu viele falsche Passwörter für diese Adresse. Versuche es um {time} Uhr erneut oder nutze ein Gerät, auf dem du schon einmal eingeloggt warst.',
  'sign_in.address_limit': {
    one: 'Zu viele Fehlversuche aus deinem Netzwerk. Versuche es in einer Sekunde erneut.',
    other: 'Zu viele Fehlversuche aus deinem Netzwerk. Versuche es in {count} Sekunden erneut.',
  },
  'sign_in.signed_out': 'Du bist ausgeloggt.',
  'sign_in.name': 'Dein Name',
  'sign_in.email_help': 'Mit dieser Adresse loggst du dich ein.',
  'sign_in.password_help':
    'Mindestens {count} Zeichen. Drei oder vier Wörter ohne Zusammenhang sind leicht zu merken und schwer zu erraten.',
  'sign_in.password_again': 'Passwort wiederholen',
  'sign_in.password_differs': 'Die Passwörter stimmen nicht überein.',
  'sign_in.name_missing': 'Bitte gib deinen Namen ein.',
  'sign_in.name_long': 'Dieser Name ist zu lang.',
  'sign_in.email_missing': 'Bitte gib deine E-Mail-Adresse oder deinen Benutzernamen ein.',
  'sign_in.email_invalid': 'Bitte gib eine vollständige E-Mail-Adresse ein, zum Beispiel ann@example.org.',
  'sign_in.email_taken': 'Mit dieser E-Mail-Adresse gibt es schon ein Konto.',
  'sign_in.password_missing': 'Bitte gib dein Passwort ein.',
  'sign_in.password_short': 'Bitte wähle ein Passwort mit mindestens {count} Zeichen.',
  'sign_in.password_long': 'Dieses Passwort ist zu lang.',
  'sign_in.password_digits': 'Ein Passwort nur aus Ziffern ist leicht zu erraten. Bitte füge Wörter hinzu.',
  'sign_in.password_pattern': 'Wiederholte Zeichen und Tastaturmuster sind leicht zu erraten. Bitte wähle etwas anderes.',
  'sign_in.password_common': 'Dieses Passwort gehört zu den häufigsten. Bitte wähle etwas anderes.',
  'sign_in.password_similar':
    'Dieses Passwort ist deinem Namen oder deiner E-Mail-Adresse zu ähnlich. Bitte wähle etwas anderes.',
  'sign_in.new_title': 'Diese Instanz ist neu',
  'sign_in.new_text':
    'Noch hat niemand ein Konto. Beim Start hat der Server einen Link für die erste Administration in sein Log geschrieben. Öffne ihn, um anzufangen.',
  'sign_in.new_again': 'Der Link gilt einmal und einen Tag lang. Jeder Start des Servers schreibt einen neuen.',
  'sign_in.first_title': 'Ersten Administrator einrichten',
  'sign_in.first_intro':
    'Diese Instanz hat noch keinen Administrator. Lege dein Konto an; danach kannst du andere einladen und alles einrichten.',
  'sign_in.first_submit': 'Konto anlegen und einloggen',
  'sign_in.first_done': 'Willkommen, {name}. Du bist jetzt Administrator dieser Instanz.',
  'sign_in.dead_title': 'Dieser Link funktioniert nicht mehr',
  'sign_in.dead_text':
    'Er wurde schon benutzt, ist älter als ein Tag, oder es gibt inzwischen einen Administrator. Wenn es keinen gibt, starte den Server neu, um einen neuen Link zu bekommen.',

  'sign_in.passkey': 'Passkey verwenden',
  'sign_in.passkey_wrong':
    'Dieser Passkey konnte nicht verwendet werden. Versuch es noch einmal oder logge dich mit deinem Passwort ein.',
  'confirm_sign_in.title': 'Bitte bestätige, dass du es bist',
  'confirm_sign_in.intro':
    'Diese Seite ist besonders geschützt. Dass du es bist, hast du vor mehr als 15 Minuten gezeigt. Bitte tu es noch einmal.',
  'confirm_sign_in.intro_own':
    'Du willst ändern, was dein Konto schützt. Dafür brauchst du dein Passwort oder einen zweiten Faktor, den du hier eingerichtet hast.',
  'confirm_sign_in.code': 'Code deiner Authenticator-App',
  'confirm_sign_in.submit': 'Bestätigen',
  'confirm_sign_in.password_wrong': 'Das ist nicht dein Passwort.',
  'confirm_sign_in.no_way': 'Bitte logge dich aus und wieder ein, um diese Seite zu öffnen.',
  'confirm_sign_in.done': 'Bestätigt',
  'confirm_sign_in.continue_text': 'Von dem, was du eingegeben hast, ist nichts verloren.',
  'confirm_sign_in.continue': 'Weiter',
  'second_step.title': 'Zweiter Schritt',
  'second_step.intro': 'Gib den Code ein, den deine Authenticator-App zeigt.',
  'second_step.code': 'Code',
  'second_step.code_missing': 'Bitte gib einen Code ein.',
  'second_step.wrong': 'Dieser Code ist falsch oder wurde schon benutzt. Warte auf den nächsten und versuch es noch einmal.',
  'second_step.trust': 'Diesem Gerät 30 Tage vertrauen',
  'second_step.trust_help': 'Wähle das nicht auf einem Gerät, das andere mitbenutzen.',
  'second_step.or': 'oder',
  'second_step.passkey': 'Passkey verwenden',
  'second_step.passkey_intro': 'Bestätige mit deinem Passkey, dass du es bist.',
  'second_step.passkey_wrong':
    'Dieser Passkey konnte nicht verwendet werden. Versuch es noch einmal oder wähle einen anderen Weg.',
  'second_step.passkey_missing':
    'Dein Passkey braucht JavaScript und einen Browser, der ihn unterstützt. Verwende hier einen Wiederherstellungscode.',
  'second_step.passkey_missing_app':
    'Dein Passkey braucht JavaScript und einen Browser, der ihn unterstützt. Verwende hier den Code deiner App.',
  'second_step.use_recovery': 'Handy verloren? Wiederherstellungscode verwenden',
  'second_step.no_recovery': 'Handy verloren und kein Wiederherstellungscode mehr da? Frag die Administratoren.',
  'second_step.recovery_intro':
    'Gib einen der Codes ein, die du beim Einrichten des zweiten Faktors bekommen hast. Jeder Code gilt einmal.',
  'second_step.recovery_code': 'Wiederherstellungscode',
  'second_step.recovery_wrong': 'Dieser Wiederherstellungscode ist falsch oder wurde schon benutzt.',
  'second_step.recovered':
    'Du hast dich mit einem Wiederherstellungscode eingeloggt, der jetzt nicht mehr gilt. Wenn du dein Handy verloren hast, entferne es bei den zweiten Faktoren.',
  'second_step.back': 'Anderen Weg wählen',
  'second_step.expired': 'Bitte logge dich noch einmal ein. Der zweite Schritt hat länger als zehn Minuten gedauert.',
  'second_step.limit': 'Zu viele falsche Codes. Versuch es um {time} noch einmal.',
  'second_step.limit_seconds': {
    one: 'Zu viele falsche Codes. Versuch es in einer Sekunde noch einmal.',
    other: 'Zu viele falsche Codes. Versuch es in {count} Sekunden noch einmal.',
  },
}
