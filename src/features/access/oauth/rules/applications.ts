import { type AddressRefusal, checkOrigin, checkRedirectUri } from './addresses.ts'
import { isOffered } from './scopes.ts'

/** A confidential application keeps its secret on a server; a public one runs in a browser, on a phone or on the command line. */
export const CLIENT_TYPES = ['confidential', 'public'] as const
type ClientType = (typeof CLIENT_TYPES)[number]

type ApplicationInput = {
  client_type: ClientType
  redirect_uris: readonly string[]
  post_logout_redirect_uris: readonly string[]
  allowed_origins: readonly string[]
  allowed_scopes: readonly string[]
  trusted: boolean
  allows_devices: boolean
}
type AddressField = 'redirect_uris' | 'post_logout_redirect_uris' | 'allowed_origins'
export type ApplicationRefusal =
  | { field: AddressField; address: string; reason: AddressRefusal }
  | { field: 'allowed_scopes' }
  | { field: 'trusted' }
  | { field: 'redirect_uris'; reason: 'redirect_missing' }

/** The first refusal of each field; empty: the application can be registered. */
export function checkApplication(input: ApplicationInput): ApplicationRefusal[] {
  const isPublic = input.client_type === 'public'
  const first = (field: AddressField, judge: (address: string) => AddressRefusal | null): ApplicationRefusal[] => {
    for (const address of input[field]) {
      const reason = judge(address)
      if (reason) return [{ field, address, reason }]
    }
    return []
  }
  const hasUnknown = input.allowed_scopes.some((scope) => !isOffered(scope))
  const judgeRedirect = (address: string) => checkRedirectUri(address, { isPublic })
  // Devices get their tokens without a redirect.
  const lacksRedirect = input.redirect_uris.length === 0 && !input.allows_devices
  return [
    ...(lacksRedirect ? [{ field: 'redirect_uris' as const, reason: 'redirect_missing' as const }] : []),
    ...first('redirect_uris', judgeRedirect),
    ...first('post_logout_redirect_uris', judgeRedirect),
    ...first('allowed_origins', checkOrigin),
    ...(hasUnknown ? [{ field: 'allowed_scopes' as const }] : []),
    ...(isPublic && input.trusted ? [{ field: 'trusted' as const }] : []),
  ]
}
