import { randomBytes } from 'node:crypto'
import { renderHtml } from '#platform/html/html.ts'
import { loadLater } from '#platform/load-later.ts'
import { open } from './access.ts'
import { apiDocsView } from './api-docs.ts'
import { cookieNames } from './cookies.ts'
import { documentEndpoint, type Endpoint, type Rendering } from './endpoint.ts'
import { pageSecurityPolicy } from './headers.ts'
import { type DocumentParts, openApiDocument } from './openapi.ts'

const DESCRIPTION = 'The description of the API names nobody and nothing of this instance.'

const RENDERINGS: Rendering[] = [
  { mediaType: 'application/vnd.oai.openapi', format: 'yaml' },
  { mediaType: 'application/yaml', format: 'yaml' },
  { mediaType: 'application/vnd.oai.openapi+json', format: 'json' },
  { mediaType: 'application/json', format: 'json' },
]

const yaml = loadLater<typeof import('yaml')>('yaml')

type SchemaOptions = {
  /** A function, because these endpoints are part of the list. */
  endpoints: () => Endpoint[]
  version: string
  parts: DocumentParts
}

/** The OpenAPI document and its Swagger UI page. */
export function schemaEndpoints({ endpoints, version, parts }: SchemaOptions): Endpoint[] {
  const texts = new Map<string, string>()
  const textOf = (format: string, siteUrl: string): string => {
    const key = `${format} ${siteUrl}`
    let text = texts.get(key)
    if (text === undefined) {
      const document = openApiDocument(endpoints(), { siteUrl, version, parts, sessionCookie: cookieNames(siteUrl).session })
      text =
        format === 'json' ? JSON.stringify(document) : yaml().stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })
      texts.set(key, text)
    }
    return text
  }
  return [
    documentEndpoint({
      path: '/api/schema/',
      access: open(DESCRIPTION),
      name: 'Schema',
      operationId: 'schema_retrieve',
      tag: 'schema',
      summary: 'This description of the API, as OpenAPI 3.1',
      suffix: false,
      renderings: RENDERINGS,
      render: ({ mediaType, format = 'yaml' }, { site }, { origin }) => ({
        // `servers` is the first place in the document where the site URL occurs.
        content: textOf(format, site.url).replace(site.url, () => origin),
        contentType: format === 'json' ? mediaType : `${mediaType}; charset=utf-8`,
        headers: { 'content-disposition': `inline; filename="Turnout.${format}"`, 'content-language': 'en' },
      }),
    }),
    documentEndpoint({
      path: '/api/schema/swagger-ui/',
      access: open(DESCRIPTION),
      name: 'Swagger UI',
      operationId: 'schema_swagger_ui_retrieve',
      tag: 'schema',
      summary: 'A page to read this description and to try it out',
      suffix: false,
      renderings: [{ mediaType: 'text/html' }],
      fresh: true,
      render: () => {
        const nonce = randomBytes(16).toString('base64')
        return {
          content: renderHtml(apiDocsView({ nonce, schemaUrl: '/api/schema/?format=json' })),
          contentType: 'text/html; charset=utf-8',
          headers: { 'content-security-policy': pageSecurityPolicy(nonce), 'content-language': 'en' },
        }
      },
    }),
  ]
}
