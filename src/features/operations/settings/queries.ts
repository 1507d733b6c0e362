import { type Kysely, sql } from 'kysely'
import type { DB } from '#platform/db/tables.ts'
import { DEFAULT_PHONE_COUNTRY, isPhoneCountry, type PhoneCountry } from '#platform/phone.ts'
import {
  DEFAULT_GUEST_RETENTION_DAYS,
  DEFAULT_INQUIRIES_PER_DAY,
  DEFAULT_OFFER_HOURS,
  DEFAULT_REMINDER_HOURS,
  type InstanceForm,
  isTimeZone,
  type SignInSettings,
} from './schema.ts'

type InstanceSettings = InstanceForm & { logo_version: string | null }

const DEFAULTS: InstanceSettings = {
  organization_name: '',
  imprint: '',
  privacy: '',
  phone_country: DEFAULT_PHONE_COUNTRY,
  self_registration: 'off',
  own_name_locked: false,
  people_add_children: false,
  children_group: '',
  guardianship_stays: false,
  unknown_age_blocks: false,
  expiring_qualification_warns: false,
  four_eyes_requests: false,
  individual_times_tolerance_minutes: 0,
  reminder_hours: DEFAULT_REMINDER_HOURS,
  inquiries_per_day: DEFAULT_INQUIRIES_PER_DAY,
  waiting_list: true,
  waiting_list_hours: DEFAULT_OFFER_HOURS,
  stand_ins: 'at_once',
  guest_retention_days: DEFAULT_GUEST_RETENTION_DAYS,
  logo_version: null,
}

/** Missing settings and values of the wrong type fall back to the defaults. */
export async function getInstanceSettings(db: Kysely<DB>): Promise<InstanceSettings> {
  const names = Object.keys(DEFAULTS) as (keyof InstanceSettings)[]
  const rows = await db.selectFrom('setting').select(['name', 'value']).where('name', 'in', names).execute()
  const values = new Map<string, unknown>(rows.map(({ name, value }) => [name, value]))
  const settings = Object.entries(DEFAULTS).map(([name, otherwise]) => {
    const value = values.get(name)
    return [name, typeof value === (otherwise === null ? 'string' : typeof otherwise) ? value : otherwise]
  })
  return Object.fromEntries(settings) as InstanceSettings
}

/** For phone numbers without a country code. */
export async function getPhoneCountry(db: Kysely<DB>): Promise<PhoneCountry> {
  const { phone_country } = await getInstanceSettings(db)
  return isPhoneCountry(phone_country) ? phone_country : DEFAULT_PHONE_COUNTRY
}

type StoredRegion = { language: 'en' | 'de' | undefined; timeZone: string | undefined }

/** Default language and time zone as an administrator or an import stored them. */
export async function getStoredRegion(db: Kysely<DB>): Promise<StoredRegion> {
  const rows = await db
    .selectFrom('setting')
    .select(['name', 'value'])
    .where('name', 'in', ['default_language', 'time_zone'])
    .execute()
  const values = new Map<string, unknown>(rows.map(({ name, value }) => [name, value]))
  const language = values.get('default_language')
  const timeZone = values.get('time_zone')
  return {
    language: language === 'en' || language === 'de' ? language : undefined,
    timeZone: isTimeZone(timeZone) ? timeZone : undefined,
  }
}

export async function getSignInSettings(db: Kysely<DB>): Promise<SignInSettings> {
  const names = ['hide_local_sign_in', 'redirect_to_provider']
  const rows = await db.selectFrom('setting').select(['name', 'value']).where('name', 'in', names).execute()
  const isSet = (name: string) => rows.some((row) => row.name === name && row.value === true)
  return { hide_local_sign_in: isSet('hide_local_sign_in'), redirect_to_provider: isSet('redirect_to_provider') }
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

/** Whether requests wait for another person than the one who made them. */
export const needsFourEyes = sql<boolean>`coalesce((select value = 'true' from setting where name = 'four_eyes_requests'), false)`

/** Whether people can wait for a place in full shifts. */
export const hasWaitingLists = sql<boolean>`coalesce((select value = 'true' from setting where name = 'waiting_list'), true)`

/** Whether people add their children themselves. */
export const mayAddChildren = sql<boolean>`coalesce((select value = 'true' from setting where name = 'people_add_children'), false)`

export type Logo = { contentType: string; content: Buffer }

/** Undefined if the current logo has another version. */
export async function getLogo(db: Kysely<DB>, version: string): Promise<Logo | undefined> {
  const { rows } = await sql<{ type: string; data: string }>`
    select value->>'type' as type, value->>'data' as data from setting
    where name = 'logo' and value->>'version' = ${version}`.execute(db)
  const row = rows[0]
  return row && { contentType: row.type, content: Buffer.from(row.data, 'base64') }
}

type WorkerState = { megabytes: number; waiting: number; oldest: Date | null; failed: number }

/** Size of the database and state of the job queue. Jobs that stay due mean that the worker has stopped. */
export async function getWorkerState(db: Kysely<DB>, now: Date): Promise<WorkerState> {
  const { rows } = await sql<WorkerState>`
    select (pg_database_size(current_database()) / 1000000)::int as megabytes,
      count(*) filter (where due)::int as waiting, min(run_at) filter (where due) as oldest,
      count(*) filter (where attempts >= max_attempts)::int as failed
    from (
      select run_at, attempts, max_attempts, run_at <= ${now} and attempts < max_attempts and locked_at is null as due
      from graphile_worker.jobs
    ) jobs`.execute(db)
  return rows[0]!
}

/** Undefined until an administrator has set it. */
export async function getOrganizationName(db: Kysely<DB>): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select value #>> '{}' as name from setting where name = 'organization_name' and jsonb_typeof(value) = 'string'`.execute(db)
  return rows[0]?.name.trim() || undefined
}
