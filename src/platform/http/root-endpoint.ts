import { z } from 'zod'
import { anyUser } from './access.ts'
import { type Endpoint, type LinkContext, recordEndpoint } from './endpoint.ts'

/** The API root: URLs of these lists, in this order. `paths` are relative to `/api/`. */
export function rootEndpoint(paths: readonly string[]): Endpoint {
  const links = ({ origin, suffix }: LinkContext) =>
    Object.fromEntries(paths.map((path) => [path, `${origin}/api/${path}${suffix ? `.${suffix}` : '/'}`]))
  return recordEndpoint({
    path: '/api/',
    access: anyUser,
    name: 'Api Root',
    operationId: 'root_retrieve',
    tag: 'root',
    summary: 'Addresses of the lists',
    parameters: {},
    record: z.strictObject(Object.fromEntries(paths.map((path) => [path, z.url()]))).meta({
      id: 'ApiRoot',
      description: 'Absolute, under the host that was asked.',
      examples: [links({ origin: 'https://turnout.example', suffix: undefined })],
    }),
    get: async () => ({}),
    present: (_row, _context, linkContext) => links(linkContext),
  })
}
