import { type Browser as HttpBrowser, Browser as NewBrowser } from './http-browser.ts'
import { openTestProvider } from './identity-provider.ts'
import { openWorld, SITE_URL } from './world.ts'

/** An instance with an enabled identity provider on loopback. Tokens carry real times, so the clock of the instance does, too. */
export async function openProviderWorld() {
  const world = await openWorld({ now: new Date(), outboundAllow: '127.0.0.1' })
  const provider = await openTestProvider()
  const { read, write } = world.db
  const { id: providerId } = await write
    .insertInto('identity_provider')
    .values({
      internal_name: 'id',
      label: 'Org ID',
      client_id: provider.clientId,
      client_secret_sealed: world.app.site.keyring.seal(provider.clientSecret),
      issuer: provider.url,
      authorization_endpoint: `${provider.url}/authorize`,
      token_endpoint: `${provider.url}/token`,
      userinfo_endpoint: `${provider.url}/userinfo`,
      jwks_uri: `${provider.url}/keys`,
      enabled: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const start = `/accounts/oidc/${providerId}/`
  const openBrowser = () => new NewBrowser({ port: world.line.port }, { host: new URL(SITE_URL).host })

  return {
    world,
    provider,
    providerId,
    start,
    openBrowser,
    setProvider: (values: Record<string, unknown>) =>
      write.updateTable('identity_provider').set(values).where('id', '=', providerId).execute(),
    /** Who signs in at the provider from now on. */
    person: (sub: string, more: Record<string, unknown> = {}) => {
      provider.person = { sub, email: `${sub}@id.example`, email_verified: true, name: sub, ...more }
    },
    /** Signs in at the provider, in a new browser by default. */
    async signIn(browser: HttpBrowser = openBrowser(), from = start) {
      const location = String((await browser.get(from)).headers.location)
      const response = await browser.get(provider.approve(location))
      return { browser, response, location }
    },
    async idOf(email: string): Promise<number> {
      return (await read.selectFrom('user_profile').select('id').where('email', '=', email).executeTakeFirstOrThrow()).id
    },
    async groupsOf(email: string): Promise<string[]> {
      const rows = await read
        .selectFrom('user_group_member as m')
        .innerJoin('user_group as g', 'g.id', 'm.group_id')
        .innerJoin('user_profile as u', 'u.id', 'm.user_id')
        .select('g.name')
        .where('u.email', '=', email)
        .orderBy('g.name')
        .execute()
      return rows.map(({ name }) => name)
    },
  }
}
