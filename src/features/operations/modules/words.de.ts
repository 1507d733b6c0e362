import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'modules.title': 'Module',
  'modules.place_text': 'Was diese Instanz anbietet. Was niemand braucht, lässt sich ausschalten.',
  'modules.intro':
    'Schalte aus, was ihr nicht braucht: Seiten, Knöpfe, Felder und Benachrichtigungen davon verschwinden. Gelöscht wird nichts.',
  'modules.count': { one: '{count} von {all} Modulen ist an', other: '{count} von {all} Modulen sind an' },
  'modules.on': 'An',
  'modules.off': 'Aus',
  'modules.switch_on': 'Einschalten',
  'modules.switch_off': 'Ausschalten',
  'modules.switch_on_named': 'Einschalten: {name}',
  'modules.switch_off_named': 'Ausschalten: {name}',
  'modules.details': 'Wer es sieht',
  'modules.picture': 'So sieht es aus: {name}',
  'modules.needs': 'Braucht: {names}.',
  'modules.needed_by': 'Ohne dieses Modul geht auch aus: {names}.',
  'modules.switched_on': 'Eingeschaltet: {names}.',
  'modules.switched_on_with': 'Eingeschaltet: {name} und, weil es dazu nötig ist, {others}.',
  'modules.switched_off': 'Ausgeschaltet: {names}. Was gespeichert ist, bleibt und kommt mit dem Modul zurück.',
  'modules.switched_off_with':
    'Ausgeschaltet: {name} und, weil es davon abhängt, {others}. Was gespeichert ist, bleibt und kommt zurück.',
  'modules.already': 'Nichts geändert: Das hat schon jemand anderes getan.',
  'modules.unknown': 'Dieses Modul gibt es nicht.',
  'modules.unused': 'Noch nichts gespeichert.',
  'modules.undone': 'Rückgängig gemacht.',
  'modules.start': 'Nach Art der Organisation auswählen',
  'modules.start_text': 'Wähle, was zu eurer Organisation passt, oder ändere unten einzelne Module.',
  'modules.start_title': 'Was für eine Organisation seid ihr?',
  'modules.start_intro':
    'Turnout zeigt dann, was solche Organisationen nutzen. Du siehst die Liste vorher, und jedes Modul lässt sich später umschalten.',
  'modules.kind_brigade': 'Feuerwehr oder Hilfsorganisation',
  'modules.kind_medical': 'Sanitätsdienst',
  'modules.kind_club': 'Verein oder Jugendgruppe',
  'modules.kind_festival': 'Festival oder Konferenz',
  'modules.kind_other': 'Etwas anderes',
  'modules.kind_brigade_text': 'Fahrzeuge, Leute fragen, Arbeitsstunden, Check-in',
  'modules.kind_medical_text': 'Sanitätsdienste mit Verfügbarkeit, Ruhezeiten, Vertretung',
  'modules.kind_club_text': 'Familien, Begleitpersonen, Seiten mit Texten',
  'modules.kind_festival_text': 'Viele Schichten, Gäste, Programme, Check-in',
  'modules.kind_other_text': 'Nur das Nötigste. Der Rest lässt sich jederzeit einschalten.',
  'modules.preview': 'Liste zeigen',
  'modules.preview_title': 'Das wird eingeschaltet',
  'modules.preview_intro':
    'Kreuze an, was ihr braucht. Alles andere verschwindet von den Seiten und lässt sich später einschalten.',
  'modules.preview_form': 'Module',
  'modules.save': 'Diese Module nutzen',
  'modules.saved': { one: '{count} Modul ist an.', other: '{count} Module sind an.' },
  'modules.saved_none': 'Alle Module sind aus.',

  'module.hours.title': 'Arbeitsstunden',
  'module.hours.text':
    'Zählt die Stunden vergangener Schichten und nimmt Einträge für andere Arbeit auf. Alle bekommen einen Nachweis, und du siehst die Summen je Person.',
  'module.hours.who': 'Alle sehen die eigenen Stunden unter „Meine Schichten“. Wer Personen verwaltet, sieht alle.',
  'module.hours.used': { one: '{count} Eintrag', other: '{count} Einträge' },
  'module.qualification_requests.title': 'Qualifikationen beantragen',
  'module.qualification_requests.text':
    'Personen beantragen eine Qualifikation mit einem Nachweis, und du entscheidest. Veranstaltungen können Qualifikationen verleihen, und an ablaufende wird erinnert.',
  'module.qualification_requests.who':
    'Alle finden ihre Qualifikationen in ihrem Konto. Wer Personen verwaltet, sieht Anträge und ablaufende Qualifikationen.',
  'module.qualification_requests.used': {
    one: '{count} Antrag oder Veranstaltung',
    other: '{count} Anträge und Veranstaltungen',
  },
  'module.guests.title': 'Gäste',
  'module.guests.text':
    'Personen ohne Konto melden sich über einen Link oder einen Aushang für eine Veranstaltung an. Sie bekommen eine persönliche Seite und sonst nichts.',
  'module.guests.who': 'Wer plant, erstellt den Link an der Veranstaltung. Gäste sehen nur diese eine Veranstaltung.',
  'module.guests.used': { one: '{count} Gast', other: '{count} Gäste' },
  'module.questionnaires.title': 'Fragen bei der Anmeldung',
  'module.questionnaires.text':
    'Schichten fragen, was ihr wissen müsst, etwa nach Essen oder T-Shirt-Größe. Die Antworten werden gezählt und lassen sich herunterladen.',
  'module.questionnaires.who': 'Wer plant, wählt Fragen für Schichten. Beantwortet werden sie bei der Anmeldung.',
  'module.questionnaires.used': { one: '{count} Frage', other: '{count} Fragen' },
  'module.files.title': 'Dateien',
  'module.files.text':
    'Veranstaltungen können Dateien haben, etwa Pläne und Checklisten. Was mehrere brauchen, wird einmal gespeichert.',
  'module.files.who': 'Wer plant, fügt Dateien hinzu. Öffnen können sie alle, die die Veranstaltung sehen.',
  'module.files.used': { one: '{count} Veranstaltung nutzt es', other: '{count} Veranstaltungen nutzen es' },
  'module.resources.title': 'Ressourcen',
  'module.resources.text':
    'Fahrzeuge, Räume und Geräte, die Schichten benutzen. Was zur selben Zeit doppelt verplant ist, fällt auf.',
  'module.resources.who': 'Wer plant, wählt Ressourcen für Schichten. Alle sehen sie an ihrer Schicht.',
  'module.resources.used': { one: '{count} Ressource', other: '{count} Ressourcen' },
  'module.content_pages.title': 'Seiten mit Texten',
  'module.content_pages.text':
    'Eigene Seiten, zum Beispiel mit Regeln oder dem Weg zu euch. Sie können am Ende jeder Seite verlinkt sein.',
  'module.content_pages.who': 'Geschrieben werden sie in der Verwaltung. Lesen können sie alle, auf Wunsch auch ohne Konto.',
  'module.content_pages.used': { one: '{count} Seite', other: '{count} Seiten' },
  'module.translations.title': 'Texte in mehreren Sprachen',
  'module.translations.text':
    'Titel und Beschreibungen von Veranstaltungen, Seiten und Fragen in jeder Sprache, die ihr anbietet. Alle lesen ihre.',
  'module.translations.who': 'Wer plant, findet es beim Bearbeiten einer Veranstaltung, die Verwaltung bei Seiten und Fragen.',
  'module.translations.used': { one: '{count} übersetzter Text', other: '{count} übersetzte Texte' },
  'module.programmes.title': 'Programme',
  'module.programmes.text':
    'Macht Schichten aus dem Programm einer Konferenz, etwa eine je Vortrag. Ändert sich das Programm, ziehen die Schichten nach.',
  'module.programmes.who': 'Wer plant, findet es im Menü einer Veranstaltung.',
  'module.programmes.used': { one: '{count} Veranstaltung nutzt es', other: '{count} Veranstaltungen nutzen es' },
  'module.timeline.title': 'Zeitplan',
  'module.timeline.text':
    'Zeigt die Schichten einer Veranstaltung nach Stunden nebeneinander. Wer plant, verschiebt sie mit Maus oder Tasten.',
  'module.timeline.who': 'Alle finden ihn an Veranstaltungen mit mehreren Schichten. Verschieben kann nur, wer plant.',
  'module.timeline.used': {
    one: '{count} Veranstaltung hat mehrere Schichten',
    other: '{count} Veranstaltungen haben mehrere Schichten',
  },
  'module.companions.title': 'Andere mitbringen',
  'module.companions.text': 'Wer sich anmeldet, bringt andere ohne Konto mit. Wie viele, sagst du je Schicht.',
  'module.companions.who': 'Zu sehen ist es bei der Anmeldung zu so einer Schicht. Wer plant, sieht, wer zu wem gehört.',
  'module.companions.used': { one: '{count} Person wurde mitgebracht', other: '{count} Personen wurden mitgebracht' },
  'module.families.title': 'Familien',
  'module.families.text':
    'Eltern handeln für ihre Kinder: anmelden, absagen, Angaben ändern. Auf Wunsch endet das mit dem 18. Geburtstag.',
  'module.families.who': 'Eltern finden ihre Kinder in der Navigation. Verbunden werden sie auf der Seite einer Person.',
  'module.families.used': { one: '{count} Kind ist verbunden', other: '{count} Kinder sind verbunden' },
  'module.availability.title': 'Verfügbarkeit',
  'module.availability.text':
    'Alle sagen, wann sie können und wann nicht, oder verbinden einen privaten Kalender. Wer plant, sieht dann, wer frei ist, und sonst nichts aus dem Kalender.',
  'module.availability.who': 'Alle finden es in ihrem Konto. Wer plant, sieht neben Namen, ob jemand frei ist.',
  'module.availability.used': { one: '{count} Person hat etwas angegeben', other: '{count} Personen haben etwas angegeben' },
  'module.waiting_list.title': 'Wartelisten',
  'module.waiting_list.text':
    'Ist eine Schicht voll, kann man auf einen Platz warten. Wird einer frei, bekommt ihn die erste Person angeboten und hat etwas Zeit zu antworten.',
  'module.waiting_list.who': 'Zu sehen sind sie an vollen Schichten. Wer plant, sieht, wer wartet.',
  'module.waiting_list.used': { one: '{count} Person wartet', other: '{count} Personen warten' },
  'module.exchanges.title': 'Vertretung und Tausch',
  'module.exchanges.text': 'Wer nicht kann, sucht eine Vertretung oder tauscht mit jemandem. Auf Wunsch entscheidet, wer plant.',
  'module.exchanges.who': 'Zu finden an den eigenen bestätigten Schichten. Wer plant, sieht, was läuft.',
  'module.exchanges.used': { one: '{count} Suche oder Tausch', other: '{count} Suchen und Tausche' },
  'module.inquiries.title': 'Leute fragen',
  'module.inquiries.text':
    'Wer plant, fragt Personen, ob sie einen Platz übernehmen, nacheinander oder alle auf einmal. Geantwortet wird mit einem Tippen in der Nachricht.',
  'module.inquiries.who': 'Zu finden an Schichten, die noch Leute brauchen. Wer gefragt wird, bekommt eine Nachricht.',
  'module.inquiries.used': { one: '{count}-mal Leute gefragt', other: '{count}-mal Leute gefragt' },
  'module.auto_fill.title': 'Offene Plätze füllen',
  'module.auto_fill.text':
    'Schlägt vor, wer welchen offenen Platz bekommt, und begründet es. Es achtet auf Können, Ruhezeiten und wer am wenigsten getan hat.',
  'module.auto_fill.who': 'Wer plant, findet es auf der Disposition. Die Verwaltung gewichtet Arten von Schichten.',
  'module.auto_fill.used': { one: '{count} Füllung', other: '{count} Füllungen' },
  'module.working_time_limits.title': 'Arbeitszeitgrenzen',
  'module.working_time_limits.text':
    'Ruhe zwischen Schichten, Stunden je Woche, Nächte und Regeln für Minderjährige. Turnout warnt oder lehnt ab, wenn sich jemand anmeldet oder bestätigt wird.',
  'module.working_time_limits.who': 'Festgelegt werden sie in der Verwaltung. Alle anderen sehen eine Warnung oder einen Grund.',
  'module.working_time_limits.used': { one: '{count} Satz Grenzen', other: '{count} Sätze Grenzen' },
  'module.check_in.title': 'Check-in',
  'module.check_in.text':
    'Hält fest, wer gekommen, gegangen oder weggeblieben ist, auch ohne Verbindung. Die echten Zeiten können als Arbeitsstunden zählen.',
  'module.check_in.who': 'Wer plant, findet ihn an der Veranstaltung. Mit einem Code kann man sich selbst eintragen.',
  'module.check_in.used': { one: '{count} Veranstaltung nutzt es', other: '{count} Veranstaltungen nutzen es' },
  'module.reports.title': 'Auswertungen',
  'module.reports.text':
    'Zahlen nach Monat, Veranstaltungstyp und Person, als Diagramm und Tabelle. Sie lassen sich herunterladen.',
  'module.reports.who': 'Wer plant, findet sie unter „Planung“.',
  'module.reports.used': {
    one: '{count} vergangene Veranstaltung zum Auswerten',
    other: '{count} vergangene Veranstaltungen zum Auswerten',
  },
  'module.federation.title': 'Föderation',
  'module.federation.text':
    'Teilt Veranstaltungen mit anderen Instanzen, damit deren Leute teilnehmen können. Verbundene Partner bleiben verbunden, solange das Modul aus ist.',
  'module.federation.who':
    'Verbunden wird in der Verwaltung, geteilt wird beim Planen. Alle finden Veranstaltungen der Partner in der Navigation.',
  'module.federation.used': { one: '{count} Partner', other: '{count} Partner' },
  'module.assistants.title': 'Assistenten',
  'module.assistants.text':
    'Wer mag, verbindet einen Assistenten (Model Context Protocol), der mit den eigenen Rechten nachsieht und Änderungen vorbereitet. Nichts ändert sich, bevor die Person es bestätigt. Ist das aus, kommt kein Assistent herein.',
  'module.assistants.who': 'Es steht im eigenen Konto unter „Mehr“. Die Verwaltung kann Anwendungen für Assistenten eintragen.',
  'module.assistants.used': { one: '{count} Token für Assistenten', other: '{count} Tokens für Assistenten' },
  'module.integrations.title': 'Webhooks und Dienstkonten',
  'module.integrations.text':
    'Verbindet Programme: Sie erfahren von Änderungen oder lesen und schreiben über die API, ohne eine Person zu sein. Schlüssel bleiben gültig, solange das Modul aus ist, aber an Webhooks wird nichts gesendet.',
  'module.integrations.who': 'Verwaltet werden sie in der Verwaltung. Webhooks stehen im eigenen Konto unter „Mehr“.',
  'module.integrations.used': { one: '{count} Webhook oder Dienstkonto', other: '{count} Webhooks und Dienstkonten' },
  'module.identity_providers.title': 'Login-Dienste',
  'module.identity_providers.text':
    'Man loggt sich mit einem Konto ein, das man anderswo hat, über OpenID Connect. Solange das Modul aus ist, braucht man hier ein Passwort.',
  'module.identity_providers.who':
    'Eingerichtet werden sie in der Verwaltung. Alle sehen einen Knopf auf der Seite zum Einloggen.',
  'module.identity_providers.used': { one: '{count} System', other: '{count} Systeme' },
}
