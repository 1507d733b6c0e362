import { z } from 'zod'
import { open } from '#platform/http/access.ts'
import { actionPage, type Page } from '#platform/http/page.ts'
import { sessionCookie } from '../commands/sessions.ts'
import { signInToTryOut } from '../commands/try-out.ts'
import { SAMPLE_ROLES, TRY_OUT } from '../rules/try-out.ts'

/** Registered only while the program is tried out. */
export const tryOutPage: Page = actionPage({
  path: TRY_OUT,
  access: open('this is where people look around in the sample data'),
  form: z.object({ role: z.enum(SAMPLE_ROLES) }),
  submit: async ({ commandContext, context, browser }, { role }) => {
    const device = { device: browser.device, userAgent: browser.userAgent }
    const session = await signInToTryOut(commandContext, { role, ip: browser.ip, device })
    if (session) return { redirect: '/', session: sessionCookie(session) }
    return { redirect: '/accounts/login/', flash: { kind: 'bad', text: context.words.t('sign_in.try_out_refused') } }
  },
})
