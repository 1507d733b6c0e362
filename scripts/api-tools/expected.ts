export const NPM_TOOLS: readonly string[] = [
  '@redocly/cli@2.77.0',
  '@stoplight/spectral-cli@6.16.3',
  '@hey-api/openapi-ts@0.99.0',
  // The last one with the interface that hey-api uses.
  'typescript@5.9.3',
]
export const PYTHON_TOOLS: readonly string[] = ['schemathesis==4.32.5', 'openapi-python-client==0.29.1']

/** What requests must never do. The other checks contradict rules of the API that docs/api/tools.md explains. */
export const SCHEMATHESIS_CHECKS: readonly string[] = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

/** Rules that the document breaks on purpose, with the reason. */
export const EXPECTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  redocly: {
    'no-path-trailing-slash': 'paths end with a slash, and stay as they are',
    'no-ambiguous-paths': 'ids are numbers, so that names such as `drafts` are no ids',
  },
  spectral: {
    'path-keys-no-trailing-slash': 'paths end with a slash, and stay as they are',
    'oas3-operation-security-defined': 'OpenAPI 3.1 takes roles for tokens, too; the rule is that of 3.0',
  },
}

export const unexpected = (tool: string, findings: ReadonlyMap<string, number>): string[] =>
  [...findings.keys()].filter((rule) => EXPECTED[tool]?.[rule] === undefined)
