import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { requireAlone } from '#features/moving/commands/alone.ts'
import { ArchiveRefused } from '#features/moving/commands/refusals.ts'
import { checkArchive, restoreBackup } from '#features/moving/commands/restore.ts'
import type { Manifest } from '#features/moving/schema.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Config } from '#platform/config.ts'
import type { Command } from './command.ts'
import { keyFile, withDatabase } from './instance.ts'

export const restore: Command = {
  name: 'restore',
  summary: 'Fill an instance with a backup; the file is checked before anything is touched',
  options: { replace: { type: 'boolean', help: 'Give up what is in the instance for it' } },
  operands: [{ name: 'file', help: 'A file that npx turnout backup made; BACKUP_PASSPHRASE opens a sealed one' }],
  run: async ({ config, values, operands, terminal }) => {
    const wish = { path: operands[0]!, passphrase: config.backupPassphrase, replace: Boolean(values.replace) }
    terminal.print('checking the file …')
    const checked = await checkArchive(wish.path, wish.passphrase)
    const newKey = keyToKeep(config, checked.manifest)
    return withDatabase(config, async ({ db }) => {
      await requireAlone(db)
      await restoreBackup(db.write, { ...wish, progress: terminal.progress('restoring') }, checked)
      if (newKey !== undefined) storeKey(config, newKey, terminal.print)
      terminal.print(`${checked.rows} rows of ${checked.manifest.made_at} are back. Everything is as it was then.`)
      return 0
    })
  },
}

/** The key that has to be written beside the data; undefined when the one in use serves. */
function keyToKeep(config: Config, { key_id: needed, secret_key: carried }: Manifest): string | undefined {
  const file = existsSync(keyFile(config)) ? readFileSync(keyFile(config), 'utf8').trim() : undefined
  const ours = [config.secretKey ?? file, config.secretKeyOld].filter((key) => key !== undefined)
  if (ours.some((key) => makeKeyring(key).keyId === needed)) return undefined
  if (carried !== undefined && !config.secretKey) return carried
  throw new ArchiveRefused(
    carried === undefined
      ? `Secrets in this backup are sealed with key ${needed}, which is neither SECRET_KEY nor SECRET_KEY_OLD. Set the one that the backed-up instance used.`
      : `Secrets in this backup are sealed with key ${needed}, which is not SECRET_KEY. Leave SECRET_KEY out to take the key from the backup: it is written to ${keyFile(config)}.`,
  )
}

function storeKey(config: Config, key: string, print: (line: string) => void): void {
  const file = keyFile(config)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  if (existsSync(file)) {
    renameSync(file, `${file}.before-restore`)
    print(`the former key is kept in ${file}.before-restore`)
  }
  writeFileSync(`${file}.new`, `${key}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  print(`the secret key of the backup is in ${file}`)
}
