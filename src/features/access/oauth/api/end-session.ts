import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import { SIGN_OUT_PAGE } from '../rules/routes.ts'

const MAX_BODY_BYTES = 20_000
/** What the page needs; the id token is checked here and goes no further, because addresses are logged. */
const KEPT = ['post_logout_redirect_uri', 'state']

/**
 * Sign-out that an application asks for (OpenID Connect RP-Initiated Logout). Applications send it by GET or, from their own site, by
 * POST; both lead to a page that asks the person.
 */
export async function answerEndSession(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const params = await readParams(request)
  const clientId = await readClientId(provider, params)
  const query = new URLSearchParams()
  if (clientId !== undefined) query.set('client_id', clientId)
  for (const name of KEPT) if (params.has(name)) query.set(name, params.get(name)!)
  response.writeHead(303, { location: `${SIGN_OUT_PAGE}?${query}`, 'cache-control': 'no-store' }).end()
}

async function readParams(request: IncomingMessage): Promise<URLSearchParams> {
  if (request.method !== 'POST') return new URLSearchParams(request.url?.split('?')[1] ?? '')
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return new URLSearchParams(bytes <= MAX_BODY_BYTES ? Buffer.concat(chunks).toString() : '')
}

/** From `client_id` or from an id token that we signed; an expired one is enough. Undefined: nobody, or both and they differ. */
async function readClientId(provider: Provider, params: URLSearchParams): Promise<string | undefined> {
  const named = params.get('client_id') ?? undefined
  const hint = params.get('id_token_hint')
  if (!hint) return named
  const audience = readAudience(hint)
  const client = audience === undefined ? undefined : await provider.Client.find(audience)
  if (!client || (named !== undefined && named !== audience)) return undefined
  const { IdToken } = provider as unknown as { IdToken: { validate: (token: string, client: unknown) => Promise<unknown> } }
  try {
    await IdToken.validate(hint, client)
    return audience
  } catch {
    return undefined
  }
}

function readAudience(token: string): string | undefined {
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { aud?: unknown }
    return typeof claims.aud === 'string' ? claims.aud : undefined
  } catch {
    return undefined
  }
}
