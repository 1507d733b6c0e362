import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { type Config, ConfigError, readConfig, SETTING_NAMES } from './config.ts'

const KEY = 'k'.repeat(32)

function mistakesOf(env: Record<string, string>, mode: Config['mode'] = 'command'): string[] {
  try {
    readConfig(env, mode)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.messages
  }
  return []
}

const MB = 1024 * 1024

const GOOD: [env: Record<string, string>, expected: Partial<Config>][] = [
  [{ DATABASE_URL: 'postgresql://ann:pw@db:5432/turnout' }, { databaseUrl: 'postgresql://ann:pw@db:5432/turnout' }],
  [{ DATABASE_URL: 'postgres:///turnout?host=/run' }, { databaseUrl: 'postgres:///turnout?host=/run' }],
  [{ DATABASE_URL: 'postgresql://a:5001,b:5002/turnout' }, { databaseUrl: 'postgresql://a:5001,b:5002/turnout' }],
  [
    { DATABASE_URL: 'postgresql://pooler/turnout', DATABASE_DIRECT_URL: 'postgresql://a,b/turnout' },
    { databaseUrl: 'postgresql://pooler/turnout', databaseDirectUrl: 'postgresql://a,b/turnout' },
  ],
  [
    { DATABASE_URL: 'postgresql://a/turnout', DATABASE_READ_URL: 'postgresql://b,c/turnout' },
    { databaseReadUrl: 'postgresql://b,c/turnout' },
  ],
  [{ SYNCHRONOUS_COMMIT: 'remote_apply' }, { synchronousCommit: 'remote_apply' }],
  [{ DATA_DIR: 'here/data' }, { dataDir: resolve('here/data') }],
  [{}, { fileLimits: { maxBytes: 20 * MB, quotaBytes: 1024 * MB } }],
  [
    { FILES_URL: 's3://key:secret@s3.example/bucket/files?region=eu-1' },
    { filesUrl: 's3://key:secret@s3.example/bucket/files?region=eu-1' },
  ],
  [{ FILE_MAX_MB: '100', FILE_QUOTA_MB: '5000' }, { fileLimits: { maxBytes: 100 * MB, quotaBytes: 5000 * MB } }],
  [{ LISTEN_HOST: '0.0.0.0' }, { listenHost: '0.0.0.0' }],
  [{ PORT: '0' }, { port: 0 }],
  [{ PORT: '65535' }, { port: 65_535, siteUrl: 'http://localhost:65535' }],
  [{ SITE_URL: 'https://plan.example.org' }, { siteUrl: 'https://plan.example.org' }],
  [{ SITE_URL: 'HTTPS://Plan.Example.org:443/' }, { siteUrl: 'https://plan.example.org' }],
  [{ SITE_URL: 'http://[::1]:8000' }, { siteUrl: 'http://[::1]:8000' }],
  [{ ALLOWED_HOSTS: 'a.example, b.example  c.example:8443,' }, { allowedHosts: ['a.example', 'b.example', 'c.example:8443'] }],
  [{ TIME_ZONE: 'Asia/Kathmandu' }, { timeZone: 'Asia/Kathmandu' }],
  [{ DEFAULT_LANGUAGE: 'de' }, { defaultLanguage: 'de', sampleLanguage: 'de' }],
  [{}, { sampleLanguage: 'en' }],
  [{ LANG: 'de_DE.UTF-8' }, { sampleLanguage: 'de', defaultLanguage: 'en' }],
  [{ LANG: 'de' }, { sampleLanguage: 'de' }],
  [{ LANG: 'del_XX' }, { sampleLanguage: 'en' }],
  [{ LANG: 'fr_FR.UTF-8' }, { sampleLanguage: 'en' }],
  [{ LANG: 'C.UTF-8' }, { sampleLanguage: 'en' }],
  [{ LC_MESSAGES: 'en_GB', LANG: 'de_DE' }, { sampleLanguage: 'en' }],
  [{ LC_ALL: 'de_AT', LC_MESSAGES: 'en_GB', LANG: 'en_GB' }, { sampleLanguage: 'de' }],
  [{ LC_ALL: '', LANG: 'de_CH' }, { sampleLanguage: 'de' }],
  [{ DEFAULT_LANGUAGE: 'en', LANG: 'de_DE' }, { sampleLanguage: 'en' }],
  [{ SECRET_KEY: KEY }, { secretKey: KEY }],
  [{ SECRET_KEY: 'ü'.repeat(16) }, { secretKey: 'ü'.repeat(16) }],
  [{ SECRET_KEY_OLD: KEY }, { secretKeyOld: KEY }],
  [{ TRUST_PROXY: '2' }, { trustProxy: 2 }],
  [{ TRUST_PROXY: '10.0.0.0/8, ::1' }, { trustProxy: ['10.0.0.0/8', '::1'] }],
  [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
  [{ RATE_LIMIT: 'on' }, { rateLimitFactor: 1 }],
  [{ RATE_LIMIT: 'off' }, { rateLimitFactor: Number.POSITIVE_INFINITY }],
  [{ RATE_LIMIT: '2.5' }, { rateLimitFactor: 2.5 }],
  [{ TOKEN_MAX_DAYS: '30' }, { tokenMaxDays: 30 }],
  [{ REFRESH_GRACE_SECONDS: '0' }, { refreshGraceSeconds: 0 }],
  [{ OUTBOUND_ALLOW: '10.1.2.0/24 partner.example' }, { outboundAllow: ['10.1.2.0/24', 'partner.example'] }],
  [
    {
      MAIL_URL: 'smtps://u:p%25@mail.example/?pool=true',
      MAIL_FROM: 'Plan <plan@a.example>',
      BOUNCE_ADDRESS: 'bounces@a.example',
      BOUNCE_SECRET: 's'.repeat(20),
    },
    {
      mailUrl: 'smtps://u:p%25@mail.example/?pool=true',
      mailFrom: 'Plan <plan@a.example>',
      bounceAddress: 'bounces@a.example',
      bounceSecret: 's'.repeat(20),
    },
  ],
  [{ WORKER: 'off' }, { worker: 'off' }],
  [{ METRICS_TOKEN: 'm'.repeat(16) }, { metricsToken: 'm'.repeat(16) }],
  [{ BACKUP_DIR: '/backup' }, { backupDir: '/backup' }],
  [{ BACKUP_KEEP: '7' }, { backupKeep: 7 }],
  [{ BACKUP_PASSPHRASE: 'correct horse' }, { backupPassphrase: 'correct horse' }],
  [{ EXTENSIONS: './lottery, /srv/my extensions/wall' }, { extensions: ['./lottery', '/srv/my extensions/wall'] }],
]

for (const [env, expected] of GOOD) {
  test(`takes ${JSON.stringify(env)}`, () => {
    const config = readConfig(env, 'command')
    for (const [name, value] of Object.entries(expected)) assert.deepEqual(config[name as keyof Config], value, name)
  })
}

const BAD: Record<string, string[]> = {
  DATABASE_URL: ['mysql://db/turnout', 'db:5432', 'postgresql://[broken', 'postgresql://a,b/turnout?target_session_attrs=main'],
  DATABASE_DIRECT_URL: ['mysql://db/turnout'],
  DATABASE_READ_URL: ['mysql://db/turnout'],
  SYNCHRONOUS_COMMIT: ['always', 'ON'],
  FILES_URL: ['https://k:s@s3.example/bucket', 's3://s3.example/bucket', 's3://k:s@s3.example/', 's3:bucket'],
  FILE_MAX_MB: ['0', '101', '1.5'],
  FILE_QUOTA_MB: ['0', 'all'],
  PORT: ['65536', '-1', '80a', '8000.5', ' 8000'],
  SITE_URL: [
    'plan.example.org',
    'ftp://a.example',
    'https://a.example/turnout',
    'https://a.example/?x=1',
    'https://a.example/#x',
    'https://u@a.example',
  ],
  TIME_ZONE: ['Berlin', 'Mars/Olympus'],
  DEFAULT_LANGUAGE: ['xx', 'EN'],
  SECRET_KEY: ['k'.repeat(31)],
  SECRET_KEY_OLD: ['short'],
  TRUST_PROXY: ['yes', '-1', '100', '10.0.0.0/8,proxy.example', ','],
  LOG_LEVEL: ['loud'],
  RATE_LIMIT: ['0', '-1', 'often', 'Infinity', 'NaN'],
  TOKEN_MAX_DAYS: ['0', '36501', 'a year'],
  MAIL_URL: [
    'http://mail.example',
    'mail.example:25',
    'smtp:mail.example',
    'smtp://',
    'smtp://u:p@mail.example:99999',
    'smtps://u:100%@mail.example',
    'smtps://u:a/b@mail.example',
    'smtps://u:a#b@mail.example',
  ],
  MAIL_FROM: ['Plan', 'Plan <plan>', 'a@b.example, c@d.example'],
  BOUNCE_ADDRESS: ['bounces', 'bounces+x@a.example', 'Bounces <bounces@a.example>', `${'b'.repeat(99)}@a.example`],
  BOUNCE_SECRET: ['too short'],
  WORKER: ['on'],
  METRICS_TOKEN: ['m'.repeat(15)],
  BACKUP_KEEP: ['0', 'all'],
  BACKUP_PASSPHRASE: ['too short'],
}

for (const [name, values] of Object.entries(BAD)) {
  for (const value of values) {
    test(`refuses ${name}=${value} with one line that names it`, () => {
      const mistakes = mistakesOf({ MAIL_FROM: 'plan@a.example', DATABASE_URL: 'postgresql://db/turnout', [name]: value })
      assert.equal(mistakes.length, 1, mistakes.join('\n'))
      assert.match(mistakes[0]!, new RegExp(`^${name} \\S`))
    })
  }
}

test('every setting is in one of the tables', () => {
  const tried = new Set(GOOD.flatMap(([env]) => Object.keys(env)))
  assert.deepEqual(
    SETTING_NAMES.filter((name) => !tried.has(name)),
    [],
  )
})

test('an empty variable counts as unset', () => {
  const empty = Object.fromEntries(SETTING_NAMES.map((name) => [name, '']))
  assert.deepEqual(readConfig(empty, 'try-out'), readConfig({}, 'try-out'))
  assert.equal(mistakesOf(empty, 'serve').length, 2)
})

test('unset variables have their defaults', () => {
  const { port, siteUrl, timeZone, defaultLanguage, trustProxy, rateLimitFactor, tokenMaxDays, worker, logLevel } = readConfig(
    {},
    'try-out',
  )
  assert.deepEqual(
    { port, siteUrl, timeZone, defaultLanguage, trustProxy, rateLimitFactor, tokenMaxDays, worker, logLevel },
    {
      port: 8000,
      siteUrl: 'http://localhost:8000',
      timeZone: 'Europe/Berlin',
      defaultLanguage: 'en',
      trustProxy: 0,
      rateLimitFactor: 1,
      tokenMaxDays: 365,
      worker: 'inline',
      logLevel: 'warn',
    },
  )
})

test('all errors are reported at once, one line each', () => {
  const mistakes = mistakesOf({ PORT: 'x', TIME_ZONE: 'x', MAIL_URL: 'smtp://mail.example', SECRET_KEY: 'x' }, 'serve')
  assert.deepEqual(mistakes.map((line) => line.split(' ')[0]).sort(), [
    'MAIL_FROM',
    'PORT',
    'SECRET_KEY',
    'SITE_URL',
    'TIME_ZONE',
  ])
})

test('serving needs an address and a key; the other modes do not', () => {
  assert.deepEqual(
    mistakesOf({}, 'serve').map((line) => line.split(' ')[0]),
    ['SITE_URL', 'SECRET_KEY'],
  )
  assert.deepEqual(mistakesOf({}, 'command'), [])
  assert.deepEqual(mistakesOf({}, 'try-out'), [])
  assert.equal(readConfig({ SITE_URL: 'https://a.example', SECRET_KEY: KEY }, 'serve').logLevel, 'info')
})

test('no error message contains a secret', () => {
  const text = mistakesOf({
    SECRET_KEY: 'hush-hush',
    METRICS_TOKEN: 'hush',
    BACKUP_PASSPHRASE: 'hush',
    DATABASE_URL: 'mysql://u:hush@db',
  })
    .concat(
      mistakesOf({ DATABASE_URL: 'postgresql://u:hush@a:x,b/turnout' }),
      mistakesOf({ DATABASE_URL: 'postgresql://u:hush@[a/x' }),
    )
    .join('\n')
  assert.match(text, /SECRET_KEY/)
  assert.doesNotMatch(text, /hush/)
})
