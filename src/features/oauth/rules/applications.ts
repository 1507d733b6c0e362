import { type AddressRefusal, judgeOrigin, judgeRedirectUri } from './addresses.ts'
import { isOffered } from './scopes.ts'

export type ApplicationWish = {
  redirect_uris: readonly string[]
  allowed_origins: readonly string[]
  allowed_scopes: readonly string[]
}
export type ApplicationRefusal =
  | { field: 'redirect_uris' | 'allowed_origins'; address: string; reason: AddressRefusal }
  | { field: 'allowed_scopes' }

/** The first mistake of each field; none: it can be registered. */
export function judgeApplication(wish: ApplicationWish): ApplicationRefusal[] {
  const first = (field: 'redirect_uris' | 'allowed_origins', judge: typeof judgeOrigin): ApplicationRefusal[] => {
    for (const address of wish[field]) {
      const reason = judge(address)
      if (reason) return [{ field, address, reason }]
    }
    return []
  }
  const hasUnknown = wish.allowed_scopes.some((scope) => !isOffered(scope))
  return [
    ...first('redirect_uris', judgeRedirectUri),
    ...first('allowed_origins', judgeOrigin),
    ...(hasUnknown ? [{ field: 'allowed_scopes' as const }] : []),
  ]
}
