import { makeKeyring } from '#platform/auth/secrets.ts'
import { systemClock } from '#platform/clock.ts'
import type { Command } from '#platform/command-line/command.ts'
import { placeOfSecretKey, requireDatabase, secretKeyOf } from '#platform/command-line/data-directory.ts'
import { openFileStore } from '#platform/files/open-store.ts'
import { makeBackup } from '../commands/backup.ts'

export const backup: Command = {
  options: {},
  operands: [{ name: 'file', help: 'Path of the backup, for example turnout.backup' }],
  run: async ({ config, operands, terminal, withDatabase, version }) => {
    requireDatabase(config)
    const secretKey = secretKeyOf(config)
    const keyring = makeKeyring(secretKey, config.secretKeyOld)
    return withDatabase(config, async ({ db, config: { timeZone, defaultLanguage: language } }) => {
      const { rows, files, missingFiles } = await makeBackup(db.write, {
        path: operands[0]!,
        passphrase: config.backupPassphrase,
        files: openFileStore(config),
        keyring,
        secretKey,
        turnout: version,
        now: systemClock.now(),
        site: { url: config.siteUrl, timeZone, language },
        progress: terminal.progress('backing up'),
      })
      const content = files ? `${rows} rows and ${files} ${files === 1 ? 'file' : 'files'}` : `${rows} rows`
      terminal.print(`Backup of ${content} written to ${operands[0]}`)
      if (missingFiles)
        terminal.print(`Files that are missing in DATA_DIR and therefore in the backup: ${missingFiles}. Check DATA_DIR.`)
      terminal.print(
        config.backupPassphrase
          ? 'It is encrypted with BACKUP_PASSPHRASE and contains the secret key.'
          : `It is not encrypted: keep it safe. Restoring it requires the secret key ${keyring.keyId} (${placeOfSecretKey(config)}), which it does not contain: keep a copy of it elsewhere.`,
      )
      return 0
    })
  },
}
