// Writes docs/api/openapi.json from the endpoints, and from it the generated parts of the clients and a collection: `npm run api` after each change of the API.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS from 'openapi-typescript'
import { makeCollection } from './postman-collection.ts'
import { makePythonClient } from './python-client.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const SERVER = 'https://turnout.example'
const DOCUMENT = 'docs/api/openapi.json'
const PYTHON = 'clients/python/src/turnout_client/'
const COLLECTION = 'docs/api/postman.json'
const CLIENT_TYPES = 'clients/typescript/src/api.ts'

type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response>; parameters?: object[] }>>
  components: Record<string, unknown>
}
type Response = { description: string; headers?: object; content?: object }

/** Types of what callers send and receive. All errors are problems, so errors and headers are left out. */
async function makeClientTypes(openapi: object): Promise<string> {
  const document = structuredClone(openapi) as Document
  for (const operations of Object.values(document.paths))
    for (const operation of Object.values(operations))
      operation.responses = Object.fromEntries(
        Object.entries(operation.responses).flatMap(([status, { description, content }]) =>
          status.startsWith('2') ? [[status, { description, ...(content ? { content } : {}) }]] : [],
        ),
      )
  for (const part of ['responses', 'headers', 'securitySchemes']) delete document.components[part]
  return openapiTS(document as never, { commentHeader: `// Written by \`npm run api\` from ${DOCUMENT}. Do not edit.\n\n` })
}

/** The texts of all files that follow from the document, by their paths. */
export async function makeApiFiles(openapi: object): Promise<Record<string, string>> {
  const { types, api } = makePythonClient(openapi)
  return {
    [CLIENT_TYPES]: await makeClientTypes(openapi),
    [`${PYTHON}types.py`]: types,
    [`${PYTHON}api.py`]: api,
    [COLLECTION]: makeCollection(openapi),
  }
}

function printDocument(): string {
  const args = ['src/cli.ts', 'openapi', '--server', SERVER]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`turnout openapi failed:\n${stderr}`)
  return stdout
}

if (import.meta.main) {
  const document = printDocument()
  writeFileSync(root + DOCUMENT, document)
  const files = await makeApiFiles(JSON.parse(document))
  for (const [path, text] of Object.entries(files)) writeFileSync(root + path, text)
  console.log(`wrote ${[DOCUMENT, ...Object.keys(files)].join(', ')}`)
}
