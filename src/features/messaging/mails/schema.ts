import { z } from 'zod'
import { formId } from '#platform/ui/form-schemas.ts'

/** Tasks that send one mail each. */
export const MAIL_TASKS = [
  'account_mail',
  'guest_link_mail',
  'join_mail',
  'email_change_mail',
  'token_expiry_mail',
  'service_account_expiry_mail',
] as const
export type MailTask = (typeof MAIL_TASKS)[number]

export const mailJobForm = z.object({ job: formId() })
export const notificationForm = z.object({ notification: formId() })
export const mailPersonForm = z.object({ person: formId() })

export const BOUNCES_PATH = '/mail/bounces/'
/** A report contains the mail that came back. */
export const MAX_REPORT_BYTES = 2 * 1024 * 1024
