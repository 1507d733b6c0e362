import { tasksOf } from '#app'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { systemClock } from '#platform/clock.ts'
import { startWorker } from '#platform/jobs/worker.ts'
import { makeLog } from '#platform/log.ts'
import { makeMailer } from '#platform/mail/mail.ts'
import type { Command } from './command.ts'
import { secretKeyOf, withDatabase, withLanguage } from './database.ts'
import { stopOnSignal } from './signals.ts'

export const worker: Command = {
  mode: 'serve',
  options: {},
  run: async ({ config, terminal }) => {
    const log = makeLog(config.logLevel)
    const secretKey = secretKeyOf(config)
    const keyring = makeKeyring(secretKey, config.secretKeyOld)
    return withDatabase(config, async ({ db, url }) => {
      const clock = systemClock
      const mailer = makeMailer({ ...config, clock })
      const tasks = tasksOf({
        config: await withLanguage(config, db),
        db,
        clock,
        log,
        keyring,
        secretKey,
        databaseUrl: url,
        mailer,
      })
      const running = await startWorker({ url, tasks, log })
      terminal.print('Worker is running')
      const stopped = Promise.withResolvers<void>()
      stopOnSignal(async () => stopped.resolve(), terminal.print)
      await stopped.promise
      await running.stop()
      return 0
    })
  },
}
