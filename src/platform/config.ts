import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { z } from 'zod'
import { readHostList } from './host-list.ts'
import { LANGUAGES, type Language, type SourceLanguage, sourceLanguageOf } from './i18n/languages.ts'

/** `try-out`: `npm start`; `serve`: production; `command`: every other command. */
export type Mode = 'try-out' | 'serve' | 'command'

const withMessage = (message: string) => ({ error: message })

const zone = z.string().refine((name) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}, withMessage('is not a time zone; use an IANA name such as Europe/Berlin'))

const siteUrl = z.string().transform((text, context) => {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search || url.hash || url.username) {
    context.addIssue('must be http:// or https:// and a host name, without a path')
    return z.NEVER
  }
  return url.origin
})

/** Names of folders may have blanks. */
const splitSources = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
const list = z.string().transform((text) => text.split(/[\s,]+/).filter(Boolean))

const network = /^[0-9a-fA-F:.]+\/\d{1,3}$/
const isAddress = (text: string) => isIP(text) !== 0 || (network.test(text) && isIP(text.split('/')[0]!) !== 0)

const trustProxy = z.string().transform((text, context): number | string[] => {
  if (/^\d{1,2}$/.test(text)) return Number(text)
  const networks = text.split(/[\s,]+/).filter(Boolean)
  if (networks.length && networks.every(isAddress)) return networks
  context.addIssue('must be a number of hops or a list of addresses in CIDR form')
  return z.NEVER
})

const rateLimit = z.string().transform((text, context): number => {
  if (text === 'on') return 1
  if (text === 'off') return Number.POSITIVE_INFINITY
  const factor = Number(text)
  if (factor > 0 && Number.isFinite(factor)) return factor
  context.addIssue('must be on, off or a positive factor')
  return z.NEVER
})

const secretKey = z.string().refine((text) => Buffer.byteLength(text) >= 32, withMessage('must have 32 bytes or more'))
const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, withMessage(`must be a whole number from ${min} to ${max}`))
    .transform(Number)
    .refine((value) => value >= min && value <= max, withMessage(`must be a whole number from ${min} to ${max}`))
/** What the mail library would reject with the first mail: it is loaded only then. Messages do not repeat the value, which has a password. */
const mailUrl = z.string().superRefine((text, context) => {
  const url = /^smtps?:\/\//.test(text) ? URL.parse(text) : null
  if (!url?.hostname)
    return context.addIssue('must be smtp:// or smtps:// with a host, such as smtps://user:password@mail.example.org')
  if (!/^\/?$/.test(url.pathname) || url.hash)
    return context.addIssue('must not have a path; write / ? # @ in a user name or password as %2F %3F %23 %40')
  if (!isDecodable(url.username) || !isDecodable(url.password))
    context.addIssue('has a % in the user name or password that begins no code such as %40; write % as %25')
})

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

const mailAddress = z
  .string()
  .regex(/^[^\s@<>+]+@[^\s@<>]+$/, withMessage('must be an address without a plus sign, such as bounces@plan.example.org'))
const sender = z
  .string()
  .regex(
    /^[^\r\n<>]*<[^\s@<>]+@[^\s@<>]+>$|^[^\s@<>]+@[^\s@<>]+$/,
    withMessage('must be an address, or a name with it: Plan <plan@example.org>'),
  )

/** One host or several, as libpq reads it. */
const databaseUrl = z.string().superRefine((text, context) => {
  if (!/^postgres(ql)?:\/\//.test(text)) return context.addIssue('must begin with postgresql://')
  try {
    readHostList(text)
  } catch (error) {
    // The message of `URL` is of no use, and may contain the password.
    const { message } = error as Error
    context.addIssue(
      /^(has|target_session_attrs) /.test(message) ? message : 'must begin with postgresql:// and be a valid address',
    )
  }
})

const MEGABYTE = 1024 * 1024
const S3_URL = /^s3(\+http)?:\/\/[^:@/?]+:[^@/?]+@[^/?]+\/+[^/?]+/

const settings = z.object({
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_READ_URL: databaseUrl.optional(),
  SYNCHRONOUS_COMMIT: z
    .enum(
      ['on', 'off', 'local', 'remote_write', 'remote_apply'],
      withMessage('must be one of on, off, local, remote_write, remote_apply'),
    )
    .optional(),
  DATA_DIR: z.string().default('./data'),
  FILES_URL: z
    .string()
    .refine(
      (text) => S3_URL.test(text) && URL.canParse(text),
      withMessage('must be s3://KEY:SECRET@host/bucket, or s3+http:// without TLS'),
    )
    .optional(),
  FILE_MAX_MB: integer(1, 100).default(20),
  FILE_QUOTA_MB: integer(1, 10_000_000).default(1024),
  LISTEN_HOST: z.string().default('127.0.0.1'),
  PORT: integer(0, 65_535).default(8000),
  SITE_URL: siteUrl.optional(),
  ALLOWED_HOSTS: list.default([]),
  TIME_ZONE: zone.default('Europe/Berlin'),
  DEFAULT_LANGUAGE: z.enum(LANGUAGES, withMessage(`must be one of ${LANGUAGES.join(', ')}`)).default('en'),
  SECRET_KEY: secretKey.optional(),
  SECRET_KEY_OLD: secretKey.optional(),
  TRUST_PROXY: trustProxy.default(0),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      withMessage('must be one of fatal, error, warn, info, debug, trace, silent'),
    )
    .optional(),
  RATE_LIMIT: rateLimit.default(1),
  TOKEN_MAX_DAYS: integer(1, 36_500).default(365),
  REFRESH_GRACE_SECONDS: integer(0, 60).default(10),
  OUTBOUND_ALLOW: list.default([]),
  MAIL_URL: mailUrl.optional(),
  MAIL_FROM: sender.optional(),
  BOUNCE_ADDRESS: mailAddress.max(100, withMessage('must have 100 characters or less')).optional(),
  BOUNCE_SECRET: z.string().min(20, withMessage('must have 20 characters or more')).optional(),
  WORKER: z.enum(['inline', 'off'], withMessage('must be inline or off')).default('inline'),
  METRICS_TOKEN: z.string().min(16, withMessage('must have 16 characters or more')).optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: integer(1, 10_000).default(14),
  BACKUP_PASSPHRASE: z.string().min(12, withMessage('must have 12 characters or more')).optional(),
  EXTENSIONS: z.string().default('').transform(splitSources),
})

export type Config = {
  mode: Mode
  databaseUrl: string | undefined
  /** The servers themselves, if `databaseUrl` leads to a pooler. */
  databaseDirectUrl: string | undefined
  /** Replicas that answer reads. */
  databaseReadUrl: string | undefined
  /** How long a commit waits; absent: as the server is configured. */
  synchronousCommit: 'on' | 'off' | 'local' | 'remote_write' | 'remote_apply' | undefined
  dataDir: string
  /** S3-compatible storage for uploaded files; absent: a folder of the data directory. */
  filesUrl: string | undefined
  /** Of one file on an event, and of all of them. */
  fileLimits: { maxBytes: number; quotaBytes: number }
  listenHost: string
  port: number
  /** Public base URL without trailing slash; used in mails and as OAuth issuer. */
  siteUrl: string
  allowedHosts: string[]
  timeZone: string
  defaultLanguage: Language
  /** Set by environment variables; otherwise the settings of the instance replace the defaults at start. */
  isLanguageSet: boolean
  /** Of the sample data: DEFAULT_LANGUAGE, else that of the person who starts the program. */
  sampleLanguage: SourceLanguage
  isTimeZoneSet: boolean
  secretKey: string | undefined
  secretKeyOld: string | undefined
  trustProxy: number | string[]
  logLevel: string
  rateLimitFactor: number
  tokenMaxDays: number
  /** 0: every reuse of a refresh token revokes its family. */
  refreshGraceSeconds: number
  outboundAllow: string[]
  mailUrl: string | undefined
  mailFrom: string | undefined
  /** Reports about mails go there, with a token behind a plus sign. */
  bounceAddress: string | undefined
  /** Of mail services that report bounces. */
  bounceSecret: string | undefined
  worker: 'inline' | 'off'
  metricsToken: string | undefined
  backupDir: string | undefined
  backupKeep: number
  backupPassphrase: string | undefined
  /** Folders or names of packages. */
  extensions: string[]
}

/** One message per invalid setting, so that all can be fixed at once. */
export class ConfigError extends Error {
  readonly messages: string[]
  constructor(messages: string[]) {
    super(messages.join('\n'))
    this.messages = messages
  }
}

export const SETTING_NAMES = Object.keys(settings.shape)

/** The locale for messages, in the order of POSIX. The language of each other locale is English. */
function languageOfSystem(env: Record<string, string | undefined>): SourceLanguage {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || ''
  return /^de(?![a-z])/i.test(locale) ? 'de' : 'en'
}

/** For the list of commands, which other settings must not keep from being shown. */
export const readExtensionSources = (env: Record<string, string | undefined>): string[] => splitSources(env.EXTENSIONS ?? '')

export function readConfig(env: Record<string, string | undefined>, mode: Mode): Config {
  // Many tools set a variable to '' instead of removing it.
  const given = Object.fromEntries(SETTING_NAMES.map((name) => [name, env[name] || undefined]))
  const parsed = settings.safeParse(given)
  const messages = parsed.success ? [] : parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)
  if (mode === 'serve' && !given.SITE_URL)
    messages.push('SITE_URL is needed: the address under which people reach this instance, such as https://plan.example.org')
  if (mode === 'serve' && !given.SECRET_KEY)
    messages.push('SECRET_KEY is needed: 32 random bytes or more, for example the output of: openssl rand -hex 32')
  for (const name of ['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'])
    if (given[name] && !given.DATABASE_URL) messages.push(`DATABASE_URL is needed with ${name}: where requests connect to`)
  if (given.MAIL_URL && !given.MAIL_FROM) messages.push('MAIL_FROM is needed with MAIL_URL: the sender of mails')
  if (!parsed.success || messages.length) throw new ConfigError(messages)
  const value = parsed.data
  return {
    mode,
    databaseUrl: value.DATABASE_URL,
    databaseDirectUrl: value.DATABASE_DIRECT_URL,
    databaseReadUrl: value.DATABASE_READ_URL,
    synchronousCommit: value.SYNCHRONOUS_COMMIT,
    dataDir: resolve(value.DATA_DIR),
    filesUrl: value.FILES_URL,
    fileLimits: { maxBytes: value.FILE_MAX_MB * MEGABYTE, quotaBytes: value.FILE_QUOTA_MB * MEGABYTE },
    listenHost: value.LISTEN_HOST,
    port: value.PORT,
    siteUrl: value.SITE_URL ?? `http://localhost:${value.PORT}`,
    allowedHosts: value.ALLOWED_HOSTS,
    timeZone: value.TIME_ZONE,
    defaultLanguage: value.DEFAULT_LANGUAGE,
    isLanguageSet: given.DEFAULT_LANGUAGE !== undefined,
    sampleLanguage: given.DEFAULT_LANGUAGE === undefined ? languageOfSystem(env) : sourceLanguageOf(value.DEFAULT_LANGUAGE),
    isTimeZoneSet: given.TIME_ZONE !== undefined,
    secretKey: value.SECRET_KEY,
    secretKeyOld: value.SECRET_KEY_OLD,
    trustProxy: value.TRUST_PROXY,
    logLevel: value.LOG_LEVEL ?? (mode === 'serve' ? 'info' : 'warn'),
    rateLimitFactor: value.RATE_LIMIT,
    tokenMaxDays: value.TOKEN_MAX_DAYS,
    refreshGraceSeconds: value.REFRESH_GRACE_SECONDS,
    outboundAllow: value.OUTBOUND_ALLOW,
    mailUrl: value.MAIL_URL,
    mailFrom: value.MAIL_FROM,
    bounceAddress: value.BOUNCE_ADDRESS,
    bounceSecret: value.BOUNCE_SECRET,
    worker: value.WORKER,
    metricsToken: value.METRICS_TOKEN,
    backupDir: value.BACKUP_DIR,
    backupKeep: value.BACKUP_KEEP,
    backupPassphrase: value.BACKUP_PASSPHRASE,
    extensions: value.EXTENSIONS,
  }
}
