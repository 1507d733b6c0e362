import type { Provider } from 'oidc-provider'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page, type PageBody, type UserRequest } from '#platform/http/page.ts'
import type { RateLimiter } from '#platform/http/rate-limiter.ts'
import type { Words } from '#platform/i18n/words.ts'
import { allowDevice, denyDevice } from '../commands/devices.ts'
import { getSignInTime } from '../queries/accounts.ts'
import { getWaitingDevice, type WaitingDevice } from '../queries/devices.ts'
import { ROUTES } from '../rules/routes.ts'
import { mergeScopes, splitScopes } from '../rules/scopes.ts'
import { readUserCode, showUserCode } from '../rules/user-codes.ts'
import { deviceForm } from '../schema.ts'
import { deviceCodeView, deviceConsentView, deviceDoneView } from '../views/devices.ts'

const PATH = ROUTES.code_verification
const NO_STORE = { 'cache-control': 'no-store' }

const body = (words: Words, main: PageBody['main']): PageBody => ({
  title: words.t('oauth.device_title'),
  bare: true,
  headers: NO_STORE,
  main,
})

/** The page for the code that a device shows: first the code, then what the device may do. */
export const devicePage = (provider: () => Promise<Provider>, limiter: RateLimiter): Page =>
  formPage({
    path: PATH,
    requires: 'recentSignIn',
    access: signedIn,
    form: deviceForm.schema,
    show: async ({ context: { words }, csrfToken, query }, refused) => {
      const state = refused ?? deviceForm.state({ user_code: (query.get('user_code') ?? '').slice(0, 20) })
      return body(words, deviceCodeView({ words, csrfToken, action: PATH, state }))
    },
    submit: async (request, { user_code: typed, decision }) => {
      const { context, csrfToken } = request
      const { words, actor } = context
      const { allowed, resetSeconds, settle } = await limiter.reserve(`device ${actor.userId}`)
      if (!allowed) return { refused: [{ text: words.t('oauth.device_limit', { count: resetSeconds }) }], status: 429 }
      const userCode = readUserCode(typed)
      const device = userCode && (await getWaitingDevice(context.db, userCode, context.now))
      settle({ failed: !device })
      if (!device) return { refused: [{ field: 'user_code', text: words.t('oauth.device_unknown') }] }
      const scopes = mergeScopes(splitScopes(device.scope))
      if (!decision) {
        const { displayName: person, email } = actor
        const shown = { name: device.name, userCode: showUserCode(userCode), person, email, scopes }
        return body(words, deviceConsentView({ words, csrfToken, action: PATH, ...shown }))
      }
      const isDone =
        decision === 'deny'
          ? await denyDevice(request.commandContext, userCode)
          : await allow(request, await provider(), { device, userCode, scopes })
      if (!isDone) return { refused: [{ field: 'user_code', text: words.t('oauth.device_unknown') }] }
      return body(words, deviceDoneView(words, device.name, { isAllowed: decision === 'allow' }))
    },
  })

type Allowed = { device: WaitingDevice; userCode: string; scopes: readonly string[] }

async function allow(
  { context, commandContext }: UserRequest,
  provider: Provider,
  { device, userCode, scopes }: Allowed,
): Promise<boolean> {
  const { actor } = context
  const signedInAt = actor.via.kind === 'session' && (await getSignInTime(context.db, actor.via.sessionHash))
  if (!signedInAt) return false
  const grant = new provider.Grant({ accountId: String(actor.userId), clientId: device.clientId })
  grant.addOIDCScope(scopes.join(' '))
  const grantId = await grant.save()
  const { applicationId } = device
  return allowDevice(commandContext, { userCode, userId: actor.userId, applicationId, scopes, grantId, signedInAt })
}
