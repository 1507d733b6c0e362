import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseEnv } from 'node:util'
import { type Keyring, makeKeyring, randomSecret } from '#platform/auth/secrets.ts'
import { type Config, ConfigError } from '#platform/config.ts'
import { hasCluster } from '#platform/db/embedded/embedded.ts'
import { OperatorError } from '#platform/operator-error.ts'

export const keyFile = (config: Config): string => join(config.dataDir, 'secret-key')

export const keyringOf = (config: Config): Keyring => makeKeyring(secretKeyOf(config), config.secretKeyOld)

/** False if a command that needs the key would have to generate it. */
export const hasSecretKey = (config: Config): boolean => Boolean(config.secretKey) || existsSync(keyFile(config))

/** Creates the data directory if it is missing. */
export function requireWritableDataDir({ dataDir }: Config): void {
  try {
    makeDirectory(dataDir)
  } catch (error) {
    throw new OperatorError(
      `the data directory ${dataDir} cannot be created (${reasonOf(error)}). Set DATA_DIR to a directory that this user may write.`,
    )
  }
  try {
    rmdirSync(mkdtempSync(join(dataDir, '.writable-')))
  } catch (error) {
    throw new OperatorError(
      `the data directory ${dataDir} is not writable (${reasonOf(error)}). Set DATA_DIR to a directory that this user may write.`,
    )
  }
}

/** Not `recursive`: with it, Node tries forever below a file system such as /proc, and no signal ends that. */
function makeDirectory(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  if (!existsSync(dirname(path))) makeDirectory(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'a parent directory does not exist',
  ENOTDIR: 'a parent is not a directory',
  EEXIST: 'it is not a directory',
  ENOSPC: 'the disk is full',
}

function reasonOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return REASONS[code] ?? message
}

/** For commands that need an existing instance: a mistyped DATA_DIR must not create a new one. */
export function requireDatabase({ databaseUrl, dataDir }: Config): void {
  if (!databaseUrl && !hasCluster(dataDir)) throw new OperatorError(`there is no database in ${dataDir}. Check DATA_DIR.`)
}

/** From the environment. With the embedded database it is otherwise generated once and stored in DATA_DIR. */
export function secretKeyOf(config: Config): string {
  if (config.secretKey) return config.secretKey
  if (config.databaseUrl && !existsSync(keyFile(config))) {
    throw new ConfigError(['SECRET_KEY is needed: the same as the server of this database uses'])
  }
  if (!existsSync(keyFile(config))) {
    requireWritableDataDir(config)
    writeFileSync(keyFile(config), `${randomSecret(64)}\n`, { mode: 0o600, flag: 'wx' })
  }
  if ((statSync(keyFile(config)).mode & 0o777) !== 0o600) chmodSync(keyFile(config), 0o600)
  return readFileSync(keyFile(config), 'utf8').trim()
}

const ENV_FILE = /^--env-file(?:-if-exists)?=(.+)$/

/** For hints: the file that has the key in use, where this program can know it. The Debian package passes its files to Node. */
export function placeOfSecretKey(config: Config, nodeOptions: readonly string[] = process.execArgv): string {
  if (!config.secretKey) return `the file ${keyFile(config)}`
  const files = nodeOptions.flatMap((option) => ENV_FILE.exec(option)?.[1] ?? [])
  const file = files.find((path) => existsSync(path) && parseEnv(readFileSync(path, 'utf8')).SECRET_KEY === config.secretKey)
  return file ? `SECRET_KEY in ${file}` : 'the setting SECRET_KEY'
}
