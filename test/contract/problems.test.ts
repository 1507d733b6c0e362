import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { FaultCode } from '#features/planning/shift-forms/rules/form-rows.ts'
import type { CardReason } from '#features/staffing/disposition/rules/cards.ts'
import { ERROR_CODES, type ErrorCode } from '#platform/http/error-codes.ts'
import { PROBLEM_CODES, statusOf } from '#platform/http/problem.ts'

/** The compiler refuses it when a rule has a code that the catalogue lacks. */
type Missing = Exclude<FaultCode | CardReason['code'], ErrorCode>
const missing: Missing extends never ? readonly [] : Missing = []

const catalogue = readFileSync(new URL('../../docs/api/problems.md', import.meta.url), 'utf8')

describe('the catalogue of problems', () => {
  test('has a section for each code, with its status', () => {
    const sections = [...catalogue.matchAll(/^## (\w+)\n\n(\d{3})\. ./gm)].map(([, code, status]) => `${code} ${status}`)
    assert.deepEqual(sections.sort(), PROBLEM_CODES.map((code) => `${code} ${statusOf(code)}`).sort())
  })
  test('explains each code of errors and reasons once', () => {
    const codes = [...catalogue.matchAll(/^\| `(\w+)` \| \S/gm)].map(([, code]) => code!)
    assert.deepEqual(codes.sort(), [...ERROR_CODES].sort())
    assert.deepEqual(missing, [])
  })
})
