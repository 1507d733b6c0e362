import type { en } from './words.en.ts'

export const de: Record<keyof typeof en, string> = {
  'settings.assistants': 'Assistenten',
  'assistant.intro':
    'Verbinde einen Assistenten, der das Model Context Protocol spricht. Er sieht, was du siehst, soweit du es erlaubst. Jede Änderung probt er erst und führt sie nur aus, wenn du sie bestätigt hast. Im Protokoll steht, dass ein Assistent für dich gehandelt hat.',
  'assistant.address': 'Adresse',
  'assistant.address_help':
    'Trag sie in den Einstellungen des Assistenten ein. Fragt er nach deinem Konto, hat ihn die Verwaltung eingetragen; sonst braucht er ein Token von unten.',
  'assistant.new_title': 'Token für einen Assistenten',
  'assistant.description': 'Welcher Assistent?',
  'assistant.description_help': 'Daran erkennst du es in der Liste der Tokens, wo du es jederzeit beenden kannst.',
  'assistant.scopes': 'Was darf er?',
  'assistant.scopes_help': 'Wähl nur, wonach du ihn fragen willst.',
  'assistant.lifetime': 'Wie lange gilt es?',
  'assistant.submit': 'Token erstellen und anzeigen',
  'assistant.made_title': 'Dein Token für einen Assistenten',
  'assistant.made_once': 'Kopier das Token jetzt. Es wird nur dieses eine Mal angezeigt.',
  'assistant.made_until': 'Gilt bis {date}',
  'assistant.command': 'Für Assistenten, die ein Programm starten',
  'assistant.command_help':
    'Auf dem Computer des Assistenten muss Turnout installiert sein. Setz das Token in der Umgebungsvariable TURNOUT_TOKEN.',
}
