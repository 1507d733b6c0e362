import { availabilityTasks } from '#features/availability/jobs.ts'
import { backupTasks } from '#features/backup/jobs.ts'
import { changeTasks } from '#features/changes/jobs.ts'
import { familyTasks } from '#features/families/jobs.ts'
import { federationTasks } from '#features/federation/jobs.ts'
import { guestTasks } from '#features/guests/jobs.ts'
import { deleteExpiredStates } from '#features/identity-providers/commands/links.ts'
import { inquiryTasks } from '#features/inquiries/jobs.ts'
import { joiningTasks } from '#features/joining/jobs.ts'
import { notificationReader, notificationTasks } from '#features/notifications/jobs/tasks.ts'
import { oauthTasks } from '#features/oauth/jobs.ts'
import { offerTasks } from '#features/offers/jobs.ts'
import { finishEndedShifts } from '#features/participations/jobs.ts'
import { peopleImportTasks } from '#features/people-import/jobs.ts'
import { cleanBin } from '#features/planning/jobs.ts'
import { privacyTasks } from '#features/privacy/jobs.ts'
import { emailChangeMailTask } from '#features/profiles/jobs.ts'
import { programmeTasks } from '#features/programmes/jobs.ts'
import { qualificationTasks } from '#features/qualification-requests/jobs.ts'
import { serviceAccountTasks } from '#features/service-accounts/jobs.ts'
import { accountMailTask, cleanUpSignIn } from '#features/sign-in/jobs.ts'
import { recomputeStatistics } from '#features/staffing/jobs.ts'
import { cleanTemplates } from '#features/templates/jobs.ts'
import { tokenTasks } from '#features/tokens/jobs.ts'
import { webhookTasks } from '#features/webhooks/jobs/tasks.ts'
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
