import type { Words } from '#platform/i18n/words.ts'
import { parseUserAgent } from '../rules/user-agents.ts'

/** For example “Firefox on Linux”. */
export function formatDevice(words: Words, userAgent: string): string {
  const { browser, system } = parseUserAgent(userAgent)
  if (browser && system) return words.t('security.device_on', { browser, system })
  return browser ?? system ?? words.t('security.device_unknown')
}
