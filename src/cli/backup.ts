import { makeBackup } from '#features/moving/commands/backup.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import { systemClock } from '#platform/clock.ts'
import { VERSION } from '../version.ts'
import type { Command } from './command.ts'
import { secretKeyOf, withDatabase, withLanguage } from './instance.ts'

export const backup: Command = {
  name: 'backup',
  summary: 'Write everything into one file, while the server goes on working; BACKUP_PASSPHRASE seals it',
  options: {},
  operands: [{ name: 'file', help: 'Where to, for example turnout.backup' }],
  run: async ({ config, operands, terminal }) => {
    const secretKey = secretKeyOf(config)
    const keyring = makeKeyring(secretKey, config.secretKeyOld)
    return withDatabase(config, async ({ db }) => {
      const { defaultLanguage: language } = await withLanguage(config, db)
      const { rows } = await makeBackup(db.write, {
        path: operands[0]!,
        passphrase: config.backupPassphrase,
        keyring,
        secretKey,
        turnout: VERSION,
        now: systemClock.now(),
        site: { url: config.siteUrl, timeZone: config.timeZone, language },
        progress: terminal.progress('backing up'),
      })
      terminal.print(`${rows} rows are in ${operands[0]}`)
      terminal.print(
        config.backupPassphrase
          ? 'It is sealed with BACKUP_PASSPHRASE and contains the secret key.'
          : `It is not sealed: keep it safe. To restore it you need the secret key ${keyring.keyId} (SECRET_KEY, or the file secret-key in DATA_DIR), which is not in it.`,
      )
      return 0
    })
  },
}
