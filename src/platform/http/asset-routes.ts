import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { assetFiles } from '#platform/ui/assets.ts'

export function serveAssets(app: FastifyInstance): void {
  const contents = new Map<string, { content: Buffer; contentType: string }>()
  for (const { name, url, file, contentType } of assetFiles()) {
    const content = readFileSync(file)
    contents.set(name, { content, contentType })
    const headers = { 'cache-control': 'public, max-age=31536000, immutable' }
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (_request, reply) => reply.headers(headers).type(contentType).send(content),
    })
  }
  // During an upgrade, a page of a node with one version refers to files that a node with another version is asked for.
  app.get('/assets/:file', async (request, reply) => {
    const { file } = request.params as { file: string }
    const found = contents.get(file.replace(/\.[\w-]{12}(?=\.\w+$)/, ''))
    if (!found || contents.has(file)) return reply.callNotFound()
    return reply.headers({ 'cache-control': 'no-store' }).type(found.contentType).send(found.content)
  })
}
