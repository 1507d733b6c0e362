import assert from 'node:assert/strict'
import { test } from 'node:test'
import { negotiateJson } from './negotiation.ts'
import { Problem } from './problem.ts'
import { parseRawQuery } from './raw-query.ts'

const CASES: [accept: string | undefined, query: string, outcome: 'ok' | 'not_acceptable' | 'not_found'][] = [
  [undefined, '', 'ok'],
  ['', '', 'ok'],
  ['*/*', '', 'ok'],
  ['application/*', '', 'ok'],
  ['application/json', '', 'ok'],
  ['Application/JSON; indent=4', '', 'ok'],
  ['application/problem+json', '', 'ok'],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', '', 'ok'],
  ['text/html', '', 'ok'],
  ['image/png, application/json;q=0.1', '', 'ok'],
  ['application/xml', '', 'not_acceptable'],
  ['text/plain', '', 'not_acceptable'],
  ['application/jsonp', '', 'not_acceptable'],
  ['json', '', 'not_acceptable'],
  [',', '', 'not_acceptable'],
  [undefined, 'format=json', 'ok'],
  [undefined, 'format=api', 'ok'],
  [undefined, 'format=', 'ok'],
  [undefined, 'format=xml', 'not_found'],
  [undefined, 'format=JSON', 'not_found'],
  [undefined, 'format=xml&format=json', 'ok'],
  [undefined, 'format=json&format=xml', 'not_found'],
  ['application/xml', 'format=json', 'not_acceptable'],
]
for (const [accept, query, outcome] of CASES) {
  test(`Accept: ${accept} with ?${query} is ${outcome}`, () => {
    const negotiate = () => negotiateJson(accept, parseRawQuery(`/?${query}`))
    if (outcome === 'ok') negotiate()
    else assert.throws(negotiate, (error) => error instanceof Problem && error.code === outcome)
  })
}
