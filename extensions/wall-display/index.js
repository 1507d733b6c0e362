import { defineExtension } from 'turnout/extension'
import { readBoard } from './board.js'
import { de, en } from './words.js'

export default defineExtension({
  name: 'wall_display',
  version: '1.0.0',
  turnout: '^1.2',
  words: { en, de },
  settings: [{ name: 'names', label: 'names', help: 'names_help', kind: 'switch' }],
  screens: [
    {
      path: '/x/wall_display/',
      title: 'title',
      script: new URL('screen.js', import.meta.url),
      style: new URL('screen.css', import.meta.url),
      scopes: ['PUBLIC_READ'],
    },
  ],
  endpoints: [
    {
      method: 'GET',
      path: '/api/x/wall_display/board/',
      access: { scope: 'PUBLIC_READ' },
      summary: 'Shifts of today and tomorrow that have not ended, with who is missing and who is there',
      read: readBoard,
    },
  ],
})
