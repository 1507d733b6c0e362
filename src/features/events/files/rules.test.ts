import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReceivedFile } from '#platform/files/upload.ts'
import { checkFiles, isAlmostFull, kindOf, MAX_FILES, roundBytes, typeName } from './rules.ts'

const pdf: ReceivedFile = { id: 'a', name: 'plan.pdf', type: 'application/pdf', bytes: 9, sha256: 'ab', isTooLarge: false }
const { isTooLarge: _, ...accepted } = pdf

const CHECKS: [what: string, received: Partial<ReceivedFile>[], expected: ReturnType<typeof checkFiles>][] = [
  ['no file', [], { ok: false, problems: [{ reason: 'none' }] }],
  ['too many', Array(MAX_FILES + 1).fill({}), { ok: false, problems: [{ reason: 'many' }] }],
  ['a PDF', [{}], { ok: true, files: [accepted as never] }],
  ['a PDF without extension', [{ name: 'plan' }], { ok: true, files: [{ ...accepted, name: 'plan.pdf' } as never] }],
  ['a version in the name', [{ name: 'plan v1.2' }], { ok: true, files: [{ ...accepted, name: 'plan v1.2.pdf' } as never] }],
  [
    'an empty file',
    [{ bytes: 0, id: undefined, type: undefined }],
    { ok: false, problems: [{ reason: 'empty', name: 'plan.pdf' }] },
  ],
  ['a large file', [{ id: undefined, isTooLarge: true }], { ok: false, problems: [{ reason: 'large', name: 'plan.pdf' }] }],
  ['an unknown type', [{ type: undefined }], { ok: false, problems: [{ reason: 'type', name: 'plan.pdf' }] }],
  [
    'a PDF that is called a program',
    [{ name: 'plan.exe' }],
    { ok: false, problems: [{ reason: 'misnamed', name: 'plan.exe', type: 'application/pdf' }] },
  ],
  [
    'one bad file among good ones',
    [{}, { type: undefined, name: 'x' }],
    { ok: false, problems: [{ reason: 'type', name: 'x' }] },
  ],
  [
    'a name with a folder, and characters that turn the direction',
    [{ type: undefined, name: 'C:\\secret\\a\u202efdp.exe' }],
    { ok: false, problems: [{ reason: 'type', name: 'afdp.exe' }] },
  ],
  [
    'a long name',
    [{ type: undefined, name: `${'x'.repeat(100)}.exe` }],
    { ok: false, problems: [{ reason: 'type', name: `${'x'.repeat(59)}…` }] },
  ],
]
for (const [what, received, expected] of CHECKS)
  test(`an upload of ${what}`, () => assert.deepEqual(checkFiles(received.map((file) => ({ ...pdf, ...file }))), expected))

for (const [bytes, value, unit] of [
  [0, 0, 'KB'],
  [1, 1, 'KB'],
  [1536, 2, 'KB'],
  [1024 * 1024 - 1, 1, 'MB'],
  [1.26 * 1024 * 1024, 1.3, 'MB'],
  [20 * 1024 * 1024, 20, 'MB'],
  [1024 ** 3, 1, 'GB'],
  [5000 * 1024 ** 3, 5000, 'GB'],
] as const)
  test(`${bytes} bytes are shown as ${value} ${unit}`, () => assert.deepEqual(roundBytes(bytes), { value, unit }))

for (const [type, kind, name] of [
  ['application/pdf', 'pdf', 'PDF'],
  ['image/heic', 'picture', 'HEIC'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'text', 'DOCX'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'table', 'ODS'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'slides', 'PPTX'],
  ['text/plain', 'text', 'TXT'],
  [null, 'other', ''],
] as const)
  test(`a file of ${type} is shown as ${kind}`, () => assert.deepEqual([kindOf(type), typeName(type)], [kind, name]))

for (const [used, isFull] of [
  [89, false],
  [90, true],
  [120, true],
] as const)
  test(`${used} % of the space: ${isFull ? 'warns' : 'no warning'}`, () => assert.equal(isAlmostFull(used, 100), isFull))
