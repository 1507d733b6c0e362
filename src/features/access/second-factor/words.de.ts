import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'factor.title': 'Zweiter Faktor',
  'factor.on': 'an',
  'factor.off': 'aus',
  'factor.intro': 'Mit einem zweiten Faktor reicht ein gestohlenes Passwort allein nicht, um sich mit deinem Konto einzuloggen.',
  'factor.app': 'Authenticator-App',
  'factor.app_text': 'Eine App auf deinem Handy zeigt alle 30 Sekunden einen neuen Code.',
  'factor.app_set_up': 'App einrichten',
  'factor.app_replace': 'App wechseln',
  'factor.app_remove': 'Authenticator-App entfernen?',
  'factor.app_title': 'Authenticator-App einrichten',
  'factor.app_replaces': 'Die bisher eingerichtete App gilt nicht mehr, sobald du den ersten Code der neuen App eingegeben hast.',
  'factor.app_first': '1. Konto in der App hinzufügen',
  'factor.app_scan': 'Öffne auf deinem Handy eine Authenticator-App und scanne diesen Code.',
  'factor.app_qr': 'QR-Code mit dem geheimen Schlüssel für deine Authenticator-App',
  'factor.app_open': 'App auf diesem Gerät öffnen',
  'factor.app_secret': 'Geheimer Schlüssel, falls du den Code nicht scannen kannst',
  'factor.app_secret_help': 'Wähle einen zeitbasierten Code mit sechs Ziffern. Zeig den Schlüssel niemandem.',
  'factor.app_second': '2. Code eingeben, den die App zeigt',
  'factor.app_submit': 'Einschalten',
  'factor.app_done': 'Deine Authenticator-App ist eingerichtet.',
  'factor.app_expired':
    'Das hat zu lange gedauert, der Schlüssel gilt nicht mehr. Füge bitte den neuen oben in deiner App hinzu.',
  'factor.app_instead': 'Stattdessen eine Authenticator-App einrichten',
  'factor.code': 'Code',
  'factor.code_help': 'Sechs Ziffern',
  'factor.code_missing': 'Bitte gib den Code ein, den die App zeigt.',
  'factor.code_wrong':
    'Dieser Code stimmt nicht. Prüfe, ob die Uhrzeit auf deinem Handy richtig ist, und gib den Code ein, den die App jetzt zeigt.',
  'factor.passkeys': 'Passkeys',
  'factor.passkeys_text': 'Logge dich mit Fingerabdruck, Gesicht oder der PIN deines Geräts ein, ohne Passwort.',
  'factor.passkey_add': 'Passkey hinzufügen',
  'factor.passkey_intro':
    'Dein Gerät erzeugt einen Schlüssel, der dort oder in deinem Passwortmanager bleibt. Niemand kann ihn erraten, und er gilt nur für diese Website.',
  'factor.passkey_name': 'Name des Passkeys',
  'factor.passkey_name_help': 'Zum Beispiel das Gerät, auf dem er gespeichert ist',
  'factor.passkey_name_missing': 'Bitte gib einen Namen ein.',
  'factor.passkey_name_long': 'Bitte gib höchstens 100 Zeichen ein.',
  'factor.passkey_default': 'Passkey {number}',
  'factor.passkey_create': 'Passkey erzeugen',
  'factor.passkey_done': 'Der Passkey „{name}“ wurde hinzugefügt. Du kannst dich ab jetzt damit einloggen.',
  'factor.passkey_missing': 'Passkeys brauchen JavaScript und einen Browser, der sie unterstützt.',
  'factor.passkey_cancelled': 'Es wurde kein Passkey verwendet. Versuch es noch einmal oder wähle einen anderen Weg.',
  'factor.passkey_failed': 'Das hat nicht geklappt. Lade die Seite neu und versuch es noch einmal.',
  'factor.passkey_known': 'Dieses Gerät hat schon einen Passkey für dein Konto.',
  'factor.passkey_refused': 'Der Passkey konnte nicht geprüft werden. Versuch es bitte noch einmal.',
  'factor.passkey_too_many': 'Du hast zu viele Passkeys. Entferne bitte zuerst einen.',
  'factor.synced': 'synchronisiert',
  'factor.since': 'Seit {date}',
  'factor.last_used': 'zuletzt benutzt {when}',
  'factor.never_used': 'noch nie benutzt',
  'factor.rename': 'Umbenennen',
  'factor.rename_of': '{name} umbenennen',
  'factor.rename_title': 'Passkey umbenennen',
  'factor.rename_submit': 'Namen speichern',
  'factor.renamed': 'Der Passkey heißt jetzt „{name}“.',
  'factor.remove': 'Entfernen',
  'factor.remove_of': '{name} entfernen',
  'factor.remove_title': 'Passkey „{name}“ entfernen?',
  'factor.remove_last': 'Du loggst dich wieder nur mit deinem Passwort ein.',
  'factor.remove_codes': 'Deine Wiederherstellungscodes werden gelöscht.',
  'factor.remove_one': 'Du kannst dich damit nicht mehr einloggen.',
  'factor.remove_others': 'Deine anderen Faktoren bleiben, wie sie sind.',
  'factor.remove_required':
    'Deine Organisation verlangt einen zweiten Faktor. Richte bitte einen anderen ein, bevor du diesen entfernst.',
  'factor.remove_gone': 'Er war schon entfernt.',
  'factor.removed': 'Der Faktor wurde entfernt.',
  'factor.recovery': 'Wiederherstellungscodes',
  'factor.codes_left': {
    one: 'Noch ein unbenutzter Code, falls du dein Handy verlierst.',
    other: 'Noch {count} unbenutzte Codes, falls du dein Handy verlierst.',
  },
  'factor.codes_few': 'nur noch wenige',
  'factor.codes_new': 'Neue Codes erzeugen',
  'factor.codes_title': 'Deine Wiederherstellungscodes',
  'factor.codes_once': 'Bewahre diese Codes jetzt auf. Sie werden nur einmal gezeigt.',
  'factor.codes_why':
    'Wenn du dein Handy verlierst, kannst du dich mit deinem Passwort und einem dieser Codes einloggen. Jeder Code gilt einmal.',
  'factor.codes_save': 'Herunterladen',
  'factor.codes_print': 'Drucken',
  'factor.codes_done': 'Ich habe die Codes aufbewahrt',
  'factor.codes_file': 'Wiederherstellungscodes für {site}. Jeder Code gilt einmal.',
  'factor.codes_file_name': 'wiederherstellungscodes.txt',
  'factor.codes_renew_title': 'Neue Wiederherstellungscodes erzeugen?',
  'factor.codes_renew_old': {
    one: 'Der unbenutzte Code gilt nicht mehr.',
    other: 'Die {count} unbenutzten Codes gelten nicht mehr.',
  },
  'factor.codes_renew_new': 'Du bekommst zehn neue Codes, die einmal gezeigt werden.',
  'factor.codes_need_factor':
    'Wiederherstellungscodes brauchen einen zweiten Faktor. Richte zuerst eine App oder einen Passkey ein.',
  'factor.trusted': 'Vertraute Geräte',
  'factor.trusted_count': {
    one: 'Auf einem Gerät wirst du nicht nach dem zweiten Faktor gefragt.',
    other: 'Auf {count} Geräten wirst du nicht nach dem zweiten Faktor gefragt.',
  },
  'factor.trusted_forget': 'Überall wieder fragen',
  'factor.trusted_forgotten': 'Du wirst auf allen Geräten wieder nach dem zweiten Faktor gefragt.',
  'factor.required_title': 'Zweiten Faktor einrichten',
  'factor.required_text':
    'Deine Organisation verlangt für dein Konto einen zweiten Faktor. Richte ihn bitte jetzt ein, danach geht es weiter.',
  'factor.due': 'Deine Organisation verlangt ab {date} einen zweiten Faktor für dein Konto.',
  'factor.due_link': 'Jetzt einrichten',
  'factor.place': 'Zweiter Faktor',
  'factor.place_text': 'Wer sich mit mehr als einem Passwort einloggen muss',
  'factor.policy_title': 'Zweiter Faktor',
  'factor.policy_intro':
    'Wer einen zweiten Faktor braucht, sieht bis zum Termin einen Hinweis. Danach geht nichts anderes mehr, bis einer eingerichtet ist. Vorhandene API-Token gelten weiter.',
  'factor.policy_nobody': 'Derzeit braucht niemand einen zweiten Faktor.',
  'factor.policy_count': {
    one: 'Eine Person braucht einen zweiten Faktor.',
    other: '{count} Personen brauchen einen zweiten Faktor.',
  },
  'factor.policy_lacking': { one: 'Eine hat noch keinen.', other: '{count} haben noch keinen.' },
  'factor.policy_administrators': 'Administratoren brauchen einen zweiten Faktor',
  'factor.policy_groups': 'Mitglieder dieser Gruppen brauchen ihn auch',
  'factor.policy_grace': 'Tage, bis er nötig ist',
  'factor.policy_grace_help': 'Ab dem Tag, an dem ihn eine Person braucht. Bei 0 muss er sofort eingerichtet werden.',
  'factor.policy_grace_invalid': 'Bitte gib eine Zahl von 0 bis 365 Tagen ein.',
  'factor.policy_provider': 'Auch nach dem Einloggen über einen Login-Dienst danach fragen',
  'factor.policy_provider_help':
    'Auch alle, die keinen zweiten Faktor brauchen, aber einen eingerichtet haben. Wer einen braucht, wird immer gefragt, außer wenn der Login-Dienst angibt, dass er gefragt hat, und auf seiner Seite eingestellt ist, dass das gilt.',
  'factor.policy_submit': 'Speichern',
  'factor.policy_saved': 'Die Regeln für den zweiten Faktor wurden gespeichert.',
  'factor.policy_unchanged': 'Es hat sich nichts geändert.',
  'factor.passkey_count': { one: 'ein Passkey', other: '{count} Passkeys' },
  'factor.code_count': { one: 'ein Wiederherstellungscode', other: '{count} Wiederherstellungscodes' },
  'factor.person_none': 'Es ist kein zweiter Faktor eingerichtet.',
  'factor.reset': 'Zweiten Faktor zurücksetzen',
  'factor.reset_title': 'Zweiten Faktor von {name} zurücksetzen?',
  'factor.reset_text': 'Vergewissere dich, dass wirklich diese Person darum bittet, zum Beispiel durch einen Anruf.',
  'factor.reset_first': 'App, Passkeys und Wiederherstellungscodes gelten nicht mehr.',
  'factor.reset_second': 'Die Person loggt sich nur mit dem Passwort ein, bis ein neuer zweiter Faktor eingerichtet ist.',
  'factor.reset_third': 'Die Person wird benachrichtigt, und das Protokoll zeigt, wer es getan hat.',
  'factor.reset_done': 'Der zweite Faktor von {name} wurde zurückgesetzt.',
  'factor.reset_none': 'Diese Person hat keinen zweiten Faktor.',
  'factor.reset_not_allowed':
    'Du kannst den zweiten Faktor dieser Person nicht zurücksetzen. Bei Administratoren können das nur Administratoren, und deine eigenen Faktoren findest du in deinen Einstellungen.',

  'notification.account_security.label': 'Sicherheit deines Kontos',
  'notification.account_security.help':
    'Ein zweiter Faktor wurde hinzugefügt, entfernt oder zurückgesetzt, ein Wiederherstellungscode wurde benutzt, oder ein Login über einen anderen Dienst wurde verknüpft oder aufgehoben.',
  'notification.account_security.why':
    'Du bekommst diese E-Mail immer, wenn sich der Schutz deines Kontos ändert. Sie lässt sich nicht abschalten.',
  'notification.account_security.subject_added_app': 'Für dein Konto wurde eine Authenticator-App eingerichtet',
  'notification.account_security.subject_added_app_of_child':
    'Für das Konto von {child} wurde eine Authenticator-App eingerichtet',
  'notification.account_security.subject_added_passkey': 'Deinem Konto wurde ein Passkey hinzugefügt',
  'notification.account_security.subject_added_passkey_of_child': 'Dem Konto von {child} wurde ein Passkey hinzugefügt',
  'notification.account_security.subject_removed_app': 'Die Authenticator-App wurde aus deinem Konto entfernt',
  'notification.account_security.subject_removed_app_of_child': 'Die Authenticator-App wurde aus dem Konto von {child} entfernt',
  'notification.account_security.subject_removed_passkey': 'Aus deinem Konto wurde ein Passkey entfernt',
  'notification.account_security.subject_removed_passkey_of_child': 'Aus dem Konto von {child} wurde ein Passkey entfernt',
  'notification.account_security.subject_codes_renewed': 'Für dein Konto wurden neue Wiederherstellungscodes erzeugt',
  'notification.account_security.subject_codes_renewed_of_child':
    'Für das Konto von {child} wurden neue Wiederherstellungscodes erzeugt',
  'notification.account_security.subject_code_used': 'In deinem Konto wurde ein Wiederherstellungscode benutzt',
  'notification.account_security.subject_code_used_of_child': 'Im Konto von {child} wurde ein Wiederherstellungscode benutzt',
  'notification.account_security.subject_reset': 'Die zweiten Faktoren deines Kontos wurden zurückgesetzt',
  'notification.account_security.subject_reset_of_child': 'Die zweiten Faktoren des Kontos von {child} wurden zurückgesetzt',
  'notification.account_security.line_added_app':
    'Eine Authenticator-App wurde als zweiter Faktor eingerichtet. Falls du das nicht warst, ändere sofort dein Passwort und wende dich an die Administratoren.',
  'notification.account_security.line_added_app_of_child':
    'Eine Authenticator-App wurde als zweiter Faktor eingerichtet. Falls {child} das nicht war, ändert sofort das Passwort und wendet euch an die Administratoren.',
  'notification.account_security.line_added_passkey':
    'Ein Passkey wurde hinzugefügt, mit dem man sich einloggen kann. Falls du das nicht warst, entferne ihn, ändere sofort dein Passwort und wende dich an die Administratoren.',
  'notification.account_security.line_added_passkey_of_child':
    'Ein Passkey wurde hinzugefügt, mit dem man sich einloggen kann. Falls {child} das nicht war, ändert sofort das Passwort und wendet euch an die Administratoren.',
  'notification.account_security.line_removed_app':
    'Die Authenticator-App wurde entfernt. Falls du das nicht warst, ändere sofort dein Passwort und wende dich an die Administratoren.',
  'notification.account_security.line_removed_app_of_child':
    'Die Authenticator-App wurde entfernt. Falls {child} das nicht war, ändert sofort das Passwort und wendet euch an die Administratoren.',
  'notification.account_security.line_removed_passkey':
    'Ein Passkey wurde entfernt. Falls du das nicht warst, ändere sofort dein Passwort und wende dich an die Administratoren.',
  'notification.account_security.line_removed_passkey_of_child':
    'Ein Passkey wurde entfernt. Falls {child} das nicht war, ändert sofort das Passwort und wendet euch an die Administratoren.',
  'notification.account_security.line_codes_renewed':
    'Neue Wiederherstellungscodes wurden erzeugt, die alten gelten nicht mehr. Falls du das nicht warst, ändere sofort dein Passwort und wende dich an die Administratoren.',
  'notification.account_security.line_codes_renewed_of_child':
    'Neue Wiederherstellungscodes wurden erzeugt, die alten gelten nicht mehr. Falls {child} das nicht war, ändert sofort das Passwort und wendet euch an die Administratoren.',
  'notification.account_security.line_code_used': {
    one: 'Mit einem Wiederherstellungscode hat sich jemand eingeloggt. Ein Code ist noch übrig. Falls du das nicht warst, ändere sofort dein Passwort und wende dich an die Administratoren.',
    other:
      'Mit einem Wiederherstellungscode hat sich jemand eingeloggt. {count} Codes sind noch übrig. Falls du das nicht warst, ändere sofort dein Passwort und wende dich an die Administratoren.',
  },
  'notification.account_security.line_code_used_of_child': {
    one: 'Mit einem Wiederherstellungscode hat sich jemand eingeloggt. Ein Code ist noch übrig. Falls {child} das nicht war, ändert sofort das Passwort und wendet euch an die Administratoren.',
    other:
      'Mit einem Wiederherstellungscode hat sich jemand eingeloggt. {count} Codes sind noch übrig. Falls {child} das nicht war, ändert sofort das Passwort und wendet euch an die Administratoren.',
  },
  'notification.account_security.line_reset':
    'Die Administratoren haben alle zweiten Faktoren entfernt. Du loggst dich nur mit deinem Passwort ein, bis du einen neuen einrichtest. Falls du nicht darum gebeten hast, wende dich an die Administratoren.',
  'notification.account_security.line_reset_of_child':
    'Die Administratoren haben alle zweiten Faktoren entfernt. {child} loggt sich nur mit dem Passwort ein, bis ein neuer eingerichtet ist.',
  'notification.account_security.subject_linked': 'Dein Konto lässt sich jetzt über {provider} öffnen',
  'notification.account_security.subject_linked_of_child': 'Das Konto von {child} lässt sich jetzt über {provider} öffnen',
  'notification.account_security.subject_unlinked': 'Dein Konto lässt sich nicht mehr über {provider} öffnen',
  'notification.account_security.subject_unlinked_of_child': 'Das Konto von {child} lässt sich nicht mehr über {provider} öffnen',
  'notification.account_security.line_linked':
    'Dein Konto wurde mit {provider} verknüpft: Wer sich dort mit dem verknüpften Konto einloggt, ist hier als du eingeloggt. Falls du das nicht warst, hebe die Verknüpfung in deinen Sicherheitseinstellungen auf, ändere sofort dein Passwort und wende dich an die Administratoren.',
  'notification.account_security.line_linked_of_child':
    'Das Konto von {child} wurde mit {provider} verknüpft: Wer sich dort einloggt, ist auch hier eingeloggt. Falls {child} das nicht war, ändert sofort das Passwort und wendet euch an die Administratoren.',
  'notification.account_security.line_unlinked':
    'Die Verknüpfung deines Kontos mit {provider} wurde aufgehoben: Du kannst dich darüber nicht mehr einloggen. Falls du das nicht warst, ändere sofort dein Passwort und wende dich an die Administratoren.',
  'notification.account_security.line_unlinked_of_child':
    'Die Verknüpfung des Kontos von {child} mit {provider} wurde aufgehoben: Darüber kann sich niemand mehr einloggen. Falls {child} das nicht war, ändert sofort das Passwort und wendet euch an die Administratoren.',
  'notification.account_security.open': 'Sicherheitseinstellungen öffnen',
}
