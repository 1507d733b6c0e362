import { z } from 'zod'
import { formId } from '#platform/ui/form-schemas.ts'

/** Tasks that send one mail each. */
export const MAIL_TASKS = ['account_mail', 'guest_link_mail', 'join_mail', 'email_change_mail'] as const
export type MailTask = (typeof MAIL_TASKS)[number]

export const mailJobForm = z.object({ job: formId() })
