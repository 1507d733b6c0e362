import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { importExtensions } from '#features/operations/extensions/commands/check.ts'
import { recreateTables } from '#features/operations/extensions/commands/migrations.ts'
import { makeKeyring } from '#platform/auth/secrets.ts'
import type { Command } from '#platform/command-line/command.ts'
import { keyFile, placeOfSecretKey, requireWritableDataDir } from '#platform/command-line/data-directory.ts'
import { interruptible } from '#platform/command-line/signals.ts'
import type { Config } from '#platform/config.ts'
import { openFileStore } from '#platform/files/open-store.ts'
import { requireEncryption } from '../commands/archive.ts'
import { requireExclusiveAccess } from '../commands/exclusive-access.ts'
import { checkArchive, type ExtensionTables, restoreBackup } from '../commands/restore.ts'
import { TransferError } from '../commands/transfer-error.ts'
import type { Manifest } from '../schema.ts'

export const restore: Command = {
  options: {
    replace: { type: 'boolean', help: 'Overwrite existing data' },
    'leave-out-extensions': { type: 'boolean', help: 'Restore everything but the tables of extensions' },
    'accept-unencrypted': { type: 'boolean', help: 'Accept a plain backup although BACKUP_PASSPHRASE is set' },
  },
  operands: [{ name: 'file', help: 'File written by the command backup; BACKUP_PASSPHRASE decrypts it' }],
  run: async ({ config, values, operands, terminal, withDatabase }) => {
    const options = { path: operands[0]!, passphrase: config.backupPassphrase, replace: Boolean(values.replace) }
    terminal.print('Verifying the backup …')
    if (options.passphrase !== undefined && !values['accept-unencrypted']) await requireEncryption(options.path)
    const checked = await checkArchive(options.path, options.passphrase)
    const newKey = findKeyToStore(config, checked.manifest)
    const isPartial = Boolean(values['leave-out-extensions'])
    const extensions = isPartial ? [] : await findExtensionTables(config.extensions, checked.manifest.extensions)
    return withDatabase(config, async ({ db }) => {
      await requireExclusiveAccess(db)
      if (checked.end.files) requireWritableDataDir(config)
      await interruptible('The restore was interrupted. Nothing was changed; it can be started again.', async (onCommit) => {
        const files = openFileStore(config)
        await restoreBackup(
          db.write,
          { ...options, files, extensions, progress: terminal.progress('restoring'), onCommit },
          checked,
        )
        // Without it, the secrets that were restored could not be read.
        if (newKey !== undefined) storeKey(config, newKey, terminal.print)
      })
      const { files } = checked.end
      const content = files ? `${checked.rows} rows and ${files} ${files === 1 ? 'file' : 'files'}` : `${checked.rows} rows`
      terminal.print(`Restored ${content} from the backup of ${checked.manifest.made_at}.`)
      return 0
    })
  },
}

/** The extensions of the backup, as the setting EXTENSIONS names them. */
async function findExtensionTables(sources: readonly string[], stored: Manifest['extensions']): Promise<ExtensionTables[]> {
  if (!stored.length) return []
  const known = await importExtensions(sources, process.cwd())
  return stored.map(({ name, version, migrations }) => {
    const extension = known.get(name)
    const missing = migrations.filter((each) => !extension?.migrations?.some((migration) => migration.name === each))
    if (extension && !missing.length) return { name, create: (tx) => recreateTables(tx, extension, migrations) }
    throw new TransferError(
      `The backup has data of the extension ${name} ${version ?? ''}, which ${extension ? 'is older here' : 'is not here'}. Name it in EXTENSIONS, or use --leave-out-extensions to restore everything else.`,
    )
  })
}

/** The key to write to DATA_DIR; undefined if the configured key fits the backup. */
function findKeyToStore(config: Config, { key_id: neededId, secret_key: backupKey }: Manifest): string | undefined {
  const file = existsSync(keyFile(config)) ? readFileSync(keyFile(config), 'utf8').trim() : undefined
  const configured = [config.secretKey ?? file, config.secretKeyOld].filter((key) => key !== undefined)
  if (configured.some((key) => makeKeyring(key).keyId === neededId)) return undefined
  if (backupKey !== undefined && !config.secretKey) return backupKey
  throw new TransferError(
    backupKey === undefined
      ? `Secrets in this backup are encrypted with key ${neededId}, which is neither SECRET_KEY nor SECRET_KEY_OLD. Set SECRET_KEY to the key of the backed-up instance.`
      : `Secrets in this backup are encrypted with key ${neededId}, which is not ${placeOfSecretKey(config)}. Remove it to use the key from the backup; it is written to ${keyFile(config)}.`,
  )
}

function storeKey(config: Config, key: string, print: (line: string) => void): void {
  const file = keyFile(config)
  requireWritableDataDir(config)
  if (existsSync(file)) {
    renameSync(file, `${file}.before-restore`)
    print(`The former secret key is now in ${file}.before-restore`)
  }
  writeFileSync(`${file}.new`, `${key}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  print(`The secret key of the backup is now in ${file}`)
}
