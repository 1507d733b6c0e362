// The real app in a process of its own: node bench/server.ts <database url> [cold]
import { buildApp } from '#app'
import { forgetBodies } from '#features/events/queries/bodies.ts'
import { forgetPages } from '#features/events/queries/plain-keys.ts'
import { systemClock } from '#platform/clock.ts'
import { readConfig } from '#platform/config.ts'
import { openDatabase } from '#platform/db/pool.ts'
import { makeLog } from '#platform/log.ts'
import { makeMailer } from '#platform/mail/mail.ts'
import { keyring, TIME_ZONE } from './data.ts'

const [url = '', temperature] = process.argv.slice(2)
const config = { ...readConfig({ RATE_LIMIT: 'off', LOG_LEVEL: 'silent', WORKER: 'off' }, 'try-out'), port: 0 }
const db = openDatabase({ url, timeZone: TIME_ZONE })
const clock = systemClock
const app = await buildApp({
  config,
  databaseUrl: url,
  db,
  clock,
  log: makeLog('silent'),
  keyring,
  mailer: makeMailer({ ...config, clock }),
})
// Without the cache of bodies, as after a start: every request makes its records anew.
if (temperature === 'cold')
  app.app.server.prependListener('request', () => {
    forgetBodies(db.read)
    forgetPages(db.read)
  })
console.log(await app.app.listen({ host: '127.0.0.1', port: 0 }))
process.on('SIGTERM', () => process.exit(0))
