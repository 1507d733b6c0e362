import type { Translation } from '#platform/i18n/message.ts'
import type { en } from './words.en.ts'

export const de = {
  'channels.not_linked': 'Nachrichten können auch dort ankommen.',
  'channels.linked_as': 'Nachrichten gehen an {label}.',
  'channels.link': 'Verbinden',
  'channels.unlink': 'Trennen',
  'channels.linked': 'Nachrichten kommen ab jetzt dort an.',
  'channels.unlinked': 'Dorthin gehen keine Nachrichten mehr.',
  'channels.link_title': '{name} verbinden',
  'channels.code': 'Dein Code',
  'channels.code_lasts': 'Er gilt einmal, bis {until}.',
  'channels.sent': 'Ich habe ihn gesendet',
  'channels.not_there': 'Es ist noch nichts angekommen. Sende den Code und versuche es gleich noch einmal.',
  'channels.test': 'Testnachricht senden',
  'channels.test_title': 'Es funktioniert',
  'channels.test_text': 'So sehen Nachrichten zu deinen Schichten aus.',
  'channels.test_sent': 'Die Testnachricht ist unterwegs.',
  'channels.test_gone': 'Dort werden keine Nachrichten mehr angenommen, die Verbindung ist getrennt.',
  'channels.test_later': 'Der Dienst ist gerade nicht erreichbar.',
} as const satisfies Translation<typeof en>
