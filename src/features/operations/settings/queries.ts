import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Site } from '#platform/auth/context.ts'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/pool.ts'
import { prepare, readPrepared } from '#platform/db/prepared.ts'
import { rowsOf } from '#platform/db/rows.ts'
import type { DB } from '#platform/db/tables.ts'
import { type ModuleName, readModuleNames } from '#platform/features/modules.ts'
import { isLanguage, type Language } from '#platform/i18n/languages.ts'
import { DEFAULT_PHONE_COUNTRY, isPhoneCountry, type PhoneCountry } from '#platform/phone.ts'
import { completeSettings } from './rules.ts'
import { isTimeZone, organisationSettings } from './schema/settings.ts'

/** Settings of one feature, made by `defineSettings`. */
type SettingsOf<Values> = { defaults: Values }

/** The stored values, or their defaults. */
export async function getSettings<Values extends Record<string, unknown>>(
  db: Kysely<DB>,
  { defaults }: SettingsOf<Values>,
): Promise<Values> {
  const rows = await db.selectFrom('setting').select(['name', 'value']).where('name', 'in', Object.keys(defaults)).execute()
  return completeSettings(Object.fromEntries(rows.map(({ name, value }) => [name, value])), defaults)
}

export const getLogoVersion = async (db: Kysely<DB>): Promise<string | null> =>
  (await getSettings(db, { defaults: { logo_version: '' } })).logo_version || null

/** Casts of JSON values, by the type of the default. */
const CASTS = { boolean: sql`value::boolean`, number: sql`value::int`, string: sql`value #>> '{}'` }

/** A setting as an expression in SQL, for conditions on many rows. */
export function settingValue<Values, Name extends keyof Values & string>(
  { defaults }: SettingsOf<Values>,
  name: Name,
): RawBuilder<Values[Name]> {
  const otherwise = defaults[name]
  const type = typeof otherwise as keyof typeof CASTS
  return sql`coalesce((select ${CASTS[type]} from setting where name = ${sql.lit(name)} and jsonb_typeof(value) = ${sql.lit(type)}), ${sql.lit(otherwise)})`
}

/** For phone numbers without a country code. */
export async function getPhoneCountry(db: Kysely<DB>): Promise<PhoneCountry> {
  const { phone_country } = await getSettings(db, organisationSettings)
  return isPhoneCountry(phone_country) ? phone_country : DEFAULT_PHONE_COUNTRY
}

type StoredRegion = {
  language: Language | undefined
  timeZone: string | undefined
  /** Those that people can choose. */
  languages: readonly Language[] | undefined
}

/** Default language and time zone as an administrator or an import stored them. */
export async function getStoredRegion(db: Kysely<DB>): Promise<StoredRegion> {
  const rows = await db
    .selectFrom('setting')
    .select(['name', 'value'])
    .where('name', 'in', ['default_language', 'time_zone', 'languages'])
    .execute()
  return readRegion(Object.fromEntries(rows.map(({ name, value }) => [name, value])))
}

function readRegion({ default_language: language, time_zone: timeZone, languages }: Record<string, unknown>): StoredRegion {
  return {
    language: typeof language === 'string' && isLanguage(language) ? language : undefined,
    timeZone: isTimeZone(timeZone) ? timeZone : undefined,
    languages: typeof languages === 'string' ? languages.split(' ').filter(isLanguage) : undefined,
  }
}

type Fixed = Pick<Config, 'timeZone' | 'defaultLanguage' | 'isTimeZoneSet' | 'isLanguageSet'>

/**
 * Gives a running server the time zone and the language that an administrator stored, unless environment variables set them. `stored`: the
 * settings by their names. Without a stored value, those of the start stay.
 */
export function followRegion(site: Site, config: Fixed): (stored: Record<string, unknown>) => void {
  return (stored) => {
    const { timeZone, language, languages } = readRegion(stored)
    site.languages = languages
    if (!config.isTimeZoneSet) site.timeZone = timeZone ?? config.timeZone
    if (!config.isLanguageSet) site.defaultLanguage = language ?? config.defaultLanguage
  }
}

type Branding = { name: string | undefined; logoVersion: string | undefined; hasImprint: boolean; hasPrivacy: boolean }

export type BrandingValues = Record<string, string | null>

/** Name, logo and footer links of every page as one value, `BrandingValues`, without the long legal texts. */
export const brandingValues = sql`(
  select coalesce(json_object_agg(name, case when name in ('imprint', 'privacy') then 'x' else value #>> '{}' end), '{}') from setting
  where name in ('organization_name', 'logo_version', 'imprint', 'privacy') and jsonb_typeof(value) = 'string' and value <> '""')`

export function readBranding(values: BrandingValues): Branding {
  const textOf = (name: string) => values[name]?.trim() || undefined
  return {
    name: textOf('organization_name'),
    logoVersion: textOf('logo_version'),
    hasImprint: 'imprint' in values,
    hasPrivacy: 'privacy' in values,
  }
}

export async function getBranding(db: Kysely<DB>): Promise<Branding> {
  const { rows } = await sql<{ values: BrandingValues }>`select ${brandingValues} as values`.execute(db)
  return readBranding(rows[0]!.values)
}

export type Logo = { contentType: string; content: Buffer }

/** Undefined if the current logo has another version. */
export async function getLogo(db: Kysely<DB>, version: string): Promise<Logo | undefined> {
  const row = await rowsOf(db).first(sql<{ type: string; data: string }>`
    select value->>'type' as type, value->>'data' as data from setting
    where name = 'logo' and value->>'version' = ${version}`)
  return row && { contentType: row.type, content: Buffer.from(row.data, 'base64') }
}

/** Modules and region, which every page needs, as an expression for statements that come before each page. */
export const commonSettings = sql<CommonSettings>`(
  select coalesce(jsonb_object_agg(name, value), '{}') from setting where name in ('modules', 'time_zone', 'default_language', 'languages'))`
const COMMON = prepare(() => sql<{ value: CommonSettings }>`select ${commonSettings} as value`)

/** By name; absent: not stored. */
export type CommonSettings = Readonly<Record<string, unknown>>

export async function readCommonSettings(db: Database): Promise<CommonSettings> {
  const [row] = await readPrepared(db, COMMON, [])
  return row?.value ?? {}
}

export async function getModulesOn(db: Kysely<DB>): Promise<readonly string[] | undefined> {
  const row = await db.selectFrom('setting').select('value').where('name', '=', 'modules').executeTakeFirst()
  return readModuleNames(row?.value)
}

/** Whether a module is on, for what decides in SQL. */
export const moduleIsOn = (name: ModuleName): RawBuilder<boolean> =>
  sql`not exists (select from setting where name = 'modules' and jsonb_typeof(value) = 'array' and not value ? ${sql.lit(name)})`

/** Undefined until an administrator has set it. */
export async function getOrganizationName(db: Kysely<DB>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select value #>> '{}' as name from setting where name = 'organization_name' and jsonb_typeof(value) = 'string'`.execute(db)
  return rows[0]?.name.trim() || undefined
}
