import { type AddressRefusal, checkOrigin, checkRedirectUri } from './addresses.ts'
import { isOffered } from './scopes.ts'

type ApplicationInput = {
  redirect_uris: readonly string[]
  allowed_origins: readonly string[]
  allowed_scopes: readonly string[]
}
export type ApplicationRefusal =
  | { field: 'redirect_uris' | 'allowed_origins'; address: string; reason: AddressRefusal }
  | { field: 'allowed_scopes' }

/** The first refusal of each field; empty: the application can be registered. */
export function checkApplication(input: ApplicationInput): ApplicationRefusal[] {
  const first = (field: 'redirect_uris' | 'allowed_origins', judge: typeof checkOrigin): ApplicationRefusal[] => {
    for (const address of input[field]) {
      const reason = judge(address)
      if (reason) return [{ field, address, reason }]
    }
    return []
  }
  const hasUnknown = input.allowed_scopes.some((scope) => !isOffered(scope))
  return [
    ...first('redirect_uris', checkRedirectUri),
    ...first('allowed_origins', checkOrigin),
    ...(hasUnknown ? [{ field: 'allowed_scopes' as const }] : []),
  ]
}
