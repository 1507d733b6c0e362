import { deleteExpiredStates } from '#features/access/identity-providers/commands/links.ts'
import { oauthTasks } from '#features/access/oauth/jobs.ts'
import { serviceAccountTasks } from '#features/access/service-accounts/jobs.ts'
import { accountMailTask, cleanUpSignIn } from '#features/access/sign-in/jobs.ts'
import { tokenTasks } from '#features/access/tokens/jobs.ts'
import { familyTasks } from '#features/accounts/families/jobs.ts'
import { joiningTasks } from '#features/accounts/joining/jobs.ts'
import { emailChangeMailTask } from '#features/accounts/own-profile/jobs.ts'
import { peopleImportTasks } from '#features/accounts/people-import/jobs.ts'
import { qualificationTasks } from '#features/accounts/qualification-requests/jobs.ts'
import { notificationReader, notificationTasks } from '#features/messaging/notifications/jobs/tasks.ts'
import { backupTasks } from '#features/operations/backup/jobs.ts'
import { privacyTasks } from '#features/operations/privacy/jobs.ts'
import { cleanBin } from '#features/planning/planning/jobs.ts'
import { programmeTasks } from '#features/planning/programmes/jobs.ts'
import { cleanTemplates } from '#features/planning/templates/jobs.ts'
import { changeTasks } from '#features/sharing/change-feed/jobs.ts'
import { federationTasks } from '#features/sharing/federation/jobs.ts'
import { guestTasks } from '#features/sharing/guests/jobs.ts'
import { webhookTasks } from '#features/sharing/webhooks/jobs/tasks.ts'
import { availabilityTasks } from '#features/staffing/availability/jobs.ts'
import { inquiryTasks } from '#features/staffing/inquiries/jobs.ts'
import { offerTasks } from '#features/staffing/offers/jobs.ts'
import { finishEndedShifts } from '#features/staffing/participations/jobs.ts'
import { recomputeStatistics } from '#features/staffing/staffing/jobs.ts'
import { deleteOldMarks } from '#platform/db/state.ts'
import { deleteUnusedFiles } from '#platform/files/stored-files.ts'
import { deleteExpiredKeys } from '#platform/http/idempotency.ts'
import { deleteEndedCounts } from '#platform/http/shared-counts.ts'
import type { Task } from '#platform/jobs/worker.ts'
import { type JournalReader, journalTask } from '#platform/journal/readers.ts'
import { accountHooks, importHooks } from './account-hooks.ts'
import { type AppOptions, calendarAccessOf, filesOf, mailerOf, outboundOf, programmeOutboundOf, siteOf } from './app-options.ts'
import { RETENTION_RULES } from './feature-hooks.ts'
import { VERSION } from './version.ts'

const journalReaders = (options: AppOptions): JournalReader[] => [notificationReader({ ...options, site: siteOf(options) })]

export function tasksOf(options: AppOptions): Task[] {
  const { db, clock } = options
  const mails = { db, clock, mailer: mailerOf(options), site: siteOf(options) }
  return [
    journalTask(db.read, journalReaders(options)),
    { name: 'recompute_statistics', schedule: '* * * * *', run: () => recomputeStatistics(db.write) },
    { name: 'finish_participations', schedule: '*/10 * * * *', run: () => finishEndedShifts(db.write, clock.now()) },
    { name: 'clean_up_sign_in', schedule: '17 3 * * *', run: () => cleanUpSignIn(db.write, clock.now()) },
    { name: 'clean_up_sign_in_states', schedule: '19 3 * * *', run: () => deleteExpiredStates(db.write, clock.now()) },
    { name: 'clean_up_files', schedule: '23 * * * *', run: () => deleteUnusedFiles(db.write, filesOf(options), clock.now()) },
    { name: 'clean_up_cache_marks', schedule: '37 * * * *', run: () => deleteOldMarks(db.write) },
    { name: 'clean_up_idempotency_keys', schedule: '29 * * * *', run: () => deleteExpiredKeys(db.write, clock.now()) },
    { name: 'clean_up_rate_limits', schedule: '*/5 * * * *', run: () => deleteEndedCounts(db.write, clock.now()) },
    { name: 'empty_bin', schedule: '43 3 * * *', run: () => cleanBin(db.write, clock.now()) },
    { name: 'empty_template_bin', schedule: '47 3 * * *', run: () => cleanTemplates(db.write, clock.now()) },
    accountMailTask(mails),
    ...peopleImportTasks({ db, clock, site: siteOf(options), hooks: importHooks }),
    ...tokenTasks(mails),
    ...serviceAccountTasks(mails),
    ...familyTasks(mails),
    ...guestTasks(mails),
    ...inquiryTasks(mails),
    ...offerTasks(mails),
    ...joiningTasks(mails),
    emailChangeMailTask(mails),
    ...notificationTasks({
      ...mails,
      outbound: outboundOf(options),
      defaultLanguage: options.config.defaultLanguage,
      log: options.log,
    }),
    ...availabilityTasks({ db, clock, site: siteOf(options), access: calendarAccessOf(options) }),
    ...oauthTasks(options),
    ...changeTasks(options),
    ...webhookTasks(options),
    ...federationTasks({ ...options, site: siteOf(options), outbound: outboundOf(options) }),
    ...programmeTasks({ db, clock, site: siteOf(options), outbound: programmeOutboundOf(options) }),
    ...qualificationTasks({ db, clock, timeZone: options.config.timeZone, hooks: accountHooks }),
    ...privacyTasks({ db, clock, site: siteOf(options), hooks: accountHooks, rules: RETENTION_RULES }),
    ...backupTasks({ ...options, files: filesOf(options), secretKey: options.secretKey, version: VERSION }),
  ]
}
