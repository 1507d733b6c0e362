import { DOCUMENT_PARTS, ENDPOINTS } from '#endpoints'
import { type Command, UsageError } from '#platform/command-line/command.ts'
import { cookieNames } from '#platform/http/cookies.ts'
import { openApiDocument } from '#platform/http/openapi.ts'
import { VERSION } from '../version.ts'

export const openapi: Command = {
  options: { server: { type: 'string', hint: 'URL', help: 'Server URL in the document (default: SITE_URL)' } },
  run: async ({ config, values }) => {
    const server = URL.parse(String(values.server ?? config.siteUrl))
    if (!server || !/^https?:$/.test(server.protocol))
      throw new UsageError('--server must be a URL such as https://plan.example.org')
    const siteUrl = server.origin
    const document = openApiDocument(ENDPOINTS, {
      siteUrl,
      version: VERSION,
      parts: DOCUMENT_PARTS,
      sessionCookie: cookieNames(siteUrl).session,
    })
    console.log(JSON.stringify(document, null, 2))
    return 0
  },
}
