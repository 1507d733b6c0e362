import { defineExtension } from 'turnout/extension'
import { matrix } from './matrix.js'
import { telegram } from './telegram.js'
import { de, en } from './words.js'

export default defineExtension({
  name: 'chat',
  version: '1.0.0',
  turnout: '^1.1',
  words: { en, de },
  migrations: [
    {
      name: 'positions',
      sql: `
        -- Until where the messages of a service were read.
        create table position (service text primary key, value text not null);`,
    },
  ],
  settings: [
    { name: 'telegram_token', label: 'telegram_token', help: 'telegram_help', kind: 'secret' },
    { name: 'telegram_server', label: 'telegram_server', help: 'server_help', kind: 'url' },
    { name: 'matrix_server', label: 'matrix_server', help: 'matrix_help', kind: 'url' },
    { name: 'matrix_token', label: 'matrix_token', kind: 'secret' },
  ],
  channels: [telegram, matrix],
})
