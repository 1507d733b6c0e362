import type { MessageKey } from '#platform/i18n/catalogue.ts'
import type { Words } from '#platform/i18n/words.ts'

/** Messages as they are stored and as partners send them, which are English; anything else is shown as it is. */
const KNOWN: [pattern: RegExp, key: MessageKey & `federation.failure_${string}`][] = [
  [/^no response within (?<value>\d+) seconds/, 'federation.failure_too_slow'],
  [/ cannot be resolved$/, 'federation.failure_unknown_name'],
  [/ is not (on the public internet|reached by https)/, 'federation.failure_forbidden'],
  [
    /^(connect |read |write |getaddrinfo |socket hang up|Client network)|\b(ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|EPROTO)\b/,
    'federation.failure_unreachable',
  ],
  [/^the response is larger|takes longer than|^it has more than/, 'federation.failure_too_large'],
  [
    / is no JSON$| is not as expected at |unsupported encoding|another instance|too many redirects/,
    'federation.failure_not_understood',
  ],
  [/^it answered (?<value>\d+)$/, 'federation.failure_status'],
  [/^Invite code is not valid$/, 'federation.failure_code_invalid'],
  [/^Invite code is expired$/, 'federation.failure_code_expired'],
  [/^the invitation was refused$/, 'federation.failure_refused'],
  [/^it did not end the link$/, 'federation.failure_not_ended'],
]

export function failureText(words: Words, message: string): string {
  for (const [pattern, key] of KNOWN) {
    const found = pattern.exec(message)
    if (found) return words.t(key, { value: found.groups?.value ?? '' })
  }
  return message
}
