import { z } from 'zod'
import { PARSED_TYPES } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { EVENT_STREAM } from './stream.ts'

/** The response to OPTIONS. */
export function describeEndpoint(endpoint: Endpoint): object {
  const { name, description = '' } = endpoint
  const renders = rendersOf(endpoint)
  const isWrite = endpoint.kind === 'action' || endpoint.kind === 'write'
  const actions = isWrite && endpoint.body ? { actions: { [endpoint.method]: fieldsOf(endpoint.body) } } : {}
  return { name, description, renders, parses: PARSED_TYPES, ...actions }
}

function rendersOf(endpoint: Endpoint): string[] {
  if (endpoint.kind === 'document') return endpoint.renderings.map(({ mediaType }) => mediaType)
  return [endpoint.kind === 'stream' ? EVENT_STREAM.mediaType : 'application/json']
}

type FieldSchema = { type?: string; maxLength?: number; description?: string }

function fieldsOf(body: z.ZodType): object {
  const { properties = {}, required = [] } = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, FieldSchema>
    required?: string[]
  }
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type = 'string', maxLength, description = '' }]) => [
      name,
      {
        type,
        required: required.includes(name),
        read_only: false,
        label: description,
        ...(maxLength ? { max_length: maxLength } : {}),
      },
    ]),
  )
}
