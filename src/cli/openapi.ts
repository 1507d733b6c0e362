import { ENDPOINTS } from '#app'
import { openApiDocument } from '#platform/http/openapi.ts'
import { VERSION } from '../version.ts'
import type { Command } from './command.ts'

export const openapi: Command = {
  name: 'openapi',
  summary: 'Print the OpenAPI document of the API as JSON',
  options: {},
  run: async ({ config }) => {
    console.log(JSON.stringify(openApiDocument(ENDPOINTS, { siteUrl: config.siteUrl, version: VERSION }), null, 2))
    return 0
  },
}
