import { startBackground } from '#app'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { systemClock } from '#platform/clock.ts'
import type { Command } from '#platform/command-line/command.ts'
import { secretKeyOf } from '#platform/command-line/data-directory.ts'
import { stopOnSignal } from '#platform/command-line/signals.ts'
import { makeLog } from '#platform/log.ts'
import { makeMailer } from '#platform/mail/mail.ts'
import { withDatabase } from './database.ts'
import { loadNamedExtensions } from './load-extensions.ts'

export const worker: Command = {
  mode: 'serve',
  options: {},
  run: async ({ config: given, terminal }) => {
    const log = makeLog(given.logLevel)
    const secretKey = secretKeyOf(given)
    const keyring = makeKeyring(secretKey, given.secretKeyOld)
    return withDatabase(given, async ({ db, url, config }) => {
      const clock = systemClock
      const mailer = makeMailer({ ...config, clock })
      const extensions = await loadNamedExtensions(config, db, url, log)
      const running = await startBackground({
        config,
        db,
        clock,
        log,
        keyring,
        secretKey,
        databaseUrl: url,
        mailer,
        extensions: extensions.features,
      })
      terminal.report('Worker is running')
      const stopped = Promise.withResolvers<void>()
      stopOnSignal(async () => stopped.resolve(), terminal.report)
      await stopped.promise
      await running.stop()
      await extensions.stop()
      return 0
    })
  },
}
