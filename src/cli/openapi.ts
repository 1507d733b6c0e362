import { ENDPOINTS } from '#app'
import { cookieNames } from '#platform/http/cookies.ts'
import { openApiDocument } from '#platform/http/openapi.ts'
import { VERSION } from '../version.ts'
import type { Command } from './command.ts'

export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI document of the API as JSON',
  options: { server: { type: 'string', hint: 'URL', help: 'The server that it names, SITE_URL unless said otherwise' } },
  run: async ({ config, values }) => {
    const siteUrl = values.server === undefined ? config.siteUrl : String(values.server)
    const document = openApiDocument(ENDPOINTS, { siteUrl, version: VERSION, sessionCookie: cookieNames(siteUrl).session })
    console.log(JSON.stringify(document, null, 2))
    return 0
  },
}
