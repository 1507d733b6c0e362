import type { ImportReport } from './report.ts'
import { PUSH_TABLE } from './source-columns.ts'

type Summary = {
  /** What an administrator should know before anything else. */
  warnings: string[]
  /** How many rows were imported, and who can sign in. */
  result: string[]
  /** Which rows are not needed, and why. */
  omitted: string[]
  /** What people have to do or know. */
  open: string[]
  /** Every row that is needed was imported, and everything works as before. */
  isComplete: boolean
}

/** A larger share of skipped rows is a reason to look at the source before the switch. */
const MAX_SKIPPED_SHARE = 0.1
/** In other tables it is usual, for example expired tokens and permissions of plugins. */
const MAIN_TABLES = new Set([
  'abstractparticipation',
  'auth_group',
  'complexsignup_blockcomposition',
  'complexsignup_buildingblock',
  'complexsignup_position',
  'core_participationcomment',
  'event',
  'federation_federateduser',
  'guests_guestuser',
  'modellogging_logentry',
  'qualification',
  'qualificationgrant',
  'shift',
  'userprofile',
  'userprofile_groups',
  'workinghours',
])

const count = (n: number, one: string, many: string): string => `${n} ${n === 1 ? one : many}`
const quote = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ')

/** The report of an import in sentences. `hasMedia`: the content of files is imported as well. */
export function summarizeImport(report: ImportReport, { hasMedia = false }: { hasMedia?: boolean } = {}): Summary {
  const [warnings, open] = [findWarnings(report), findOpenPoints(report, hasMedia)]
  const isComplete = !warnings.length && !open.length && report.tables.every(({ skipped, kept }) => skipped + kept === 0)
  return { warnings, result: describeResult(report), omitted: report.omissions.map(describeOmission), open, isComplete }
}

function describeOmission({ what, why, rows, details }: ImportReport['omissions'][number]): string {
  return `${what}${rows > 1 ? ` (${rows})` : ''}: ${[why, ...(details.length ? [details.join(', ')] : [])].join(': ')}.`
}

function findWarnings({ tables, facts }: ImportReport): string[] {
  const shared = facts.sharedAddresses.map(
    ({ email, first, second }) =>
      `Two users have the email address ${email}: “${first.name}” (user ${first.id}) signs in with it. “${second.name}” (user ${second.id}) signs in with the user name ${second.username} and the same password, and gets mails at the shared address.`,
  )
  const skipped = tables
    .filter(({ table, skipped, found }) => MAIN_TABLES.has(table) && skipped > found * MAX_SKIPPED_SHARE)
    .map(({ table, skipped, found }) => `${skipped} of ${found} rows of ${table} ${skipped === 1 ? 'is' : 'are'} left out.`)
  return [...shared, ...skipped]
}

function describeResult({ tables, facts }: ImportReport): string[] {
  const sum = (of: 'found' | 'imported' | 'kept' | 'skipped' | 'ignored') => tables.reduce((total, table) => total + table[of], 0)
  const { activeUsers, usersWithoutPassword } = facts
  return [
    `${sum('imported')} of ${sum('found')} rows imported, ${sum('kept')} kept aside, ${sum('skipped')} left out, ${sum('ignored')} not needed.`,
    ...(sum('skipped')
      ? [
          'Rows that are left out are damaged, occur twice, or belong to an extension. They are stored in the table moved_in_row with the reason.',
        ]
      : []),
    `${activeUsers - usersWithoutPassword} of ${count(activeUsers, 'active user', 'active users')} can sign in with their current password.`,
  ]
}

function findOpenPoints({ tables, facts, identityProviders }: ImportReport, hasMedia: boolean): string[] {
  const foundIn = (name: string) => tables.find(({ table }) => table === name)?.found ?? 0
  const { usersWithoutPassword, disabledApplications } = facts
  const points: string[] = []
  if (identityProviders.length)
    points.push(
      `Sign-in by ${quote(identityProviders)} goes on with the redirect address that the provider knows, as long as the address of this site stays the same. At the first sign-in, people are recognised by the email address that the provider has verified, and those with a password sign in with it once. Groups with rights are not given by their names: choose the values of the claim for them, and test it, under Manage, Identity providers.`,
    )
  if (facts.hidesLocalSignIn && identityProviders.length)
    points.push(
      'The sign-in page shows only the identity providers, as in ephios; /accounts/login/?local=true shows the form for passwords.',
    )
  if (foundIn(PUSH_TABLE))
    points.push('Push messages are off: people turn them on again under Settings, Notifications, in each browser.')
  if (usersWithoutPassword)
    points.push(
      `${count(usersWithoutPassword, 'active user has', 'active users have')} no password that works here: they need “Forgot your password?” or a link from an administrator.`,
    )
  if (disabledApplications.length)
    points.push(
      `${count(disabledApplications.length, 'OAuth application is', 'OAuth applications are')} disabled, because their grant types are not supported: ${quote(disabledApplications)}.`,
    )
  const files = tables.find(({ table }) => table === 'files_document')?.imported ?? 0
  if (files && !hasMedia)
    points.push(
      `${count(files, 'file of events is', 'files of events are')} listed without content, which ephios keeps in a folder (MEDIA_ROOT): run the command import-files --media DIR with this folder or a copy of it, now or later.`,
    )
  const others = tables.filter(({ kept }) => kept > 0)
  if (others.length)
    points.push(
      `Turnout does not know the tables ${others.map(({ table }) => table).join(', ')}. Their rows are not shown anywhere, but kept aside in the table moved_in_row.`,
    )
  return points
}
