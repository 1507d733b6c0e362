import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileNamesOf } from './file-names.ts'
import { patternOf } from './identifying.ts'

for (const [what, texts, pattern] of [
  ['an address anywhere', { names: [], addresses: ['a.b@c.example'] }, '(?i)(?:a\\.b@c\\.example)'],
  ['a full name as whole words', { names: ['Ann Lee'], addresses: [] }, '(?i)(?:(?<![[:alnum:]])Ann Lee(?![[:alnum:]]))'],
  ['a short full name', { names: ['A Li'], addresses: [] }, '(?i)(?:(?<![[:alnum:]])A Li(?![[:alnum:]]))'],
  ['a single name of 6 letters', { names: ['Ludwig'], addresses: [] }, '(?i)(?:(?<![[:alnum:]])Ludwig(?![[:alnum:]]))'],
  ['no shorter single name', { names: ['Julia'], addresses: [] }, undefined],
  ['an address of 5 characters', { names: [], addresses: ['a@b.c'] }, '(?i)(?:a@b\\.c)'],
  ['no shorter number', { names: [], addresses: ['1101'] }, undefined],
  [
    'each of several texts',
    { names: ['Ann Lee'], addresses: ['a@b.c'] },
    '(?i)(?:a@b\\.c|(?<![[:alnum:]])Ann Lee(?![[:alnum:]]))',
  ],
  ['each text once', { names: [], addresses: ['+4940123', '+4940123'] }, '(?i)(?:\\+4940123)'],
] as const)
  test(`finds ${what}`, () => assert.equal(patternOf(texts), pattern))

for (const [name, path] of [
  ['proof.pdf', 'files/proof.pdf'],
  ['../../etc/passwd', 'files/__.._etc_passwd'],
  ['Prüfung 2.pdf', 'files/Prüfung 2.pdf'],
  ['a\\b:c.txt', 'files/a_b_c.txt'],
  ['', 'files/file'],
] as const)
  test(`an archive contains ${JSON.stringify(name)} as ${path}`, () =>
    assert.equal(fileNamesOf([{ id: '1', name, bytes: 1 }])[0]!.path, path))

test('files with the same name get different paths', () => {
  const file = { id: '1', name: 'A.pdf', bytes: 1 }
  const paths = fileNamesOf([file, { ...file, name: 'a.pdf' }, file]).map(({ path }) => path)
  assert.deepEqual(paths, ['files/A.pdf', 'files/2-a.pdf', 'files/3-A.pdf'])
})
