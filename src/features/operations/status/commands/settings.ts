import { TURNOUT } from '#platform/invocation.ts'
import { findSealedSecrets, hasActiveAdministrator, hasDemoAccounts } from '../queries.ts'
import { type Check, type Fact, isOwnMachine } from '../schema.ts'

export const settingsCheck: Check = {
  area: 'settings',
  find: async ({ db, config, keyring, words }) => {
    const found: string[] = []
    const sealed = await findSealedSecrets(db.read)
    if (!keyring && sealed.length) found.push(words.t('status.key_missing'))
    for (const secret of sealed) {
      try {
        keyring?.unseal(secret)
      } catch (error) {
        found.push(`SECRET_KEY: ${(error as Error).message}`)
      }
    }
    if (!(await hasActiveAdministrator(db.read)))
      found.push(words.t('status.no_administrator', { command: `${TURNOUT} create-admin` }))
    if (config.siteUrl.startsWith('http:') && !isOwnMachine(config)) found.push(words.t('status.plain_http'))
    if (!config.siteUrl.includes('localhost') && (await hasDemoAccounts(db.read))) found.push(words.t('status.demo_accounts'))
    const bad = found.map((text): Fact => ({ state: 'bad', text }))
    return bad.length ? bad : [{ state: 'good', text: words.t('status.settings_good', { url: config.siteUrl }) }]
  },
}
