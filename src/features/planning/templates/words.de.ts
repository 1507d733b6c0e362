import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de: Translation<typeof en> = {
  'template.templates': 'Vorlagen',
  'template.intro':
    'Veranstaltungen, die gespeichert wurden, um daraus neue anzulegen. Angelegte Veranstaltungen folgen der Vorlage nicht.',
  'template.none': 'Es gibt noch keine Vorlage. Öffne eine Veranstaltung und wähle „Als Vorlage speichern“.',
  'template.name': 'Name',
  'template.description': 'Beschreibung',
  'template.description_help': 'Wofür die Vorlage gedacht ist. Teilnehmende sehen das nicht.',
  'template.last_used': 'Zuletzt benutzt',
  'template.never': 'nie',
  'template.edit': 'Bearbeiten',
  'template.edit_named': '{name} bearbeiten',
  'template.edit_intro':
    'Um Schichten oder Gruppen zu ändern, lege aus der Vorlage eine Veranstaltung an, ändere sie und speichere sie anstelle dieser Vorlage.',
  'template.delete': 'Löschen',
  'template.delete_named': '{name} löschen',
  'template.deleted': '{name} liegt im Papierkorb.',
  'template.restored': '{name} ist wieder eine Vorlage.',
  'template.bin_intro': 'Vorlagen bleiben hier 30 Tage.',
  'template.save': 'Als Vorlage speichern',
  'template.save_intro':
    'Gespeichert werden Titel, Beschreibung, Ort, Gruppen und alle Schichten mit Einstellungen, Bedarf und Fragen. Zeiten zählen ab dem ersten Tag.',
  'template.save_submit': 'Vorlage speichern',
  'template.saved': 'Vorlage {name} gespeichert.',
  'template.parts': 'Auch speichern',
  'template.part.people': 'verantwortliche Personen und Gruppen',
  'template.part.resources': 'Ressourcen',
  'template.part.files': 'Dateien, solange eine Veranstaltung sie hat',
  'template.replaces': 'Anstelle von',
  'template.replaces_none': 'keiner, als neue Vorlage speichern',
  'template.replaces_help': 'Der Inhalt der gewählten Vorlage wird ersetzt.',
  'template.use': 'Neue Veranstaltung aus Vorlage',
  'template.use_intro': 'Es entstehen Entwürfe. Du kannst jeden ändern, bevor du ihn veröffentlichst.',
  'template.use_submit': 'Entwürfe anlegen',
  'template.used': { one: '{count} Entwurf angelegt.', other: '{count} Entwürfe angelegt.' },
  'plan.act.template': 'Als Vorlage speichern',
  'plan.from_template': 'Mit einer Vorlage beginnen',
}
