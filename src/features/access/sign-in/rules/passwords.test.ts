import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_PASSWORD_LENGTH } from '#platform/auth/passwords.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'
import { checkPasswordRules } from './passwords.ts'

const ANN = { name: 'Ann-Kathrin Müller', email: 'ann.kathrin_mueller@feuerwehr-nord.example' }

describe('passwords', () => {
  const GOOD = [
    'correct horse battery',
    'korrekte Pferde, laut',
    'vK3!mzQ0pe',
    'zwölf grüne Stühle',
    '🦊🐢🦉🐝🐙🦀🐳🦔🐧🦩',
    'anna likes nine purple trams',
    'mueller kauft ein blaues sofa',
    'password manager of the moon',
    'xxxxxq7Lw2Vp',
    // four characters without a pattern, and less than 70 % neighbours
    'mkqpmqkpqm',
    'abcdefgzqm',
    `${'long and longer '.repeat(62)}end! 123`,
  ]
  for (const password of GOOD) {
    test(`accepts ${password.slice(0, 40)}`, () => assert.equal(checkPasswordRules(password, ANN), undefined))
  }

  const BAD = {
    password_short: ['', 'a', 'vK3!mzQ0p', '🦊🐢🦉🐝🐙🦀🐳🦔🐧'],
    password_long: [`${'vK3!mzQ0pe'.repeat(MAX_PASSWORD_LENGTH / 10)}x`],
    password_digits: ['8305719264', '0171 / 2345-678', '24.12.1985', '+49 (30) 901820', '٣٤٥٦٧٨٩٠١٢٣'],
    password_pattern: [
      'aaaaaaaaaa',
      'abababababab',
      '11aa11aa11aa',
      'hallohallo',
      'xy12xy12xy12!',
      'abcdefghijk',
      'QWERTZUIOP',
      'qwertyuiop1',
      'asdfghjkl;',
      'zyxwvutsrq',
      '1234567890a',
      // three different characters
      'mkqmqkkmqm',
      // keys beside each other, of English and German keyboards
      'rtyuytrtyu',
      'rtzuztrtzu',
      'zxcxzxzxcv',
      // 70 % neighbours
      'abcdefghzqm',
      'mmmqqqxxxwww',
    ],
    password_common: [
      'password123',
      'Password2024!',
      'P@ssw0rd2025',
      'p4$$w0rt!!!!',
      '!!Sonnenschein',
      'sonnenblume',
      'Feuerwehr112',
      'iloveyou2024',
      'Sommer2026!',
      '1q2w3e4r5t',
      '1Qaz2Wsx3Edc',
      'changeme2026',
      'Ehrenamt2026',
      '12345admin',
      'Sonnensche1n',
      'sonnensche!n',
      'Sonn3nschein',
      'pa55word!!',
      'Stu7tgart!',
    ],
    password_similar: ['Kathrin1985', 'müller-1985', 'MuellerAnn', 'feuerwehr-nord', 'ann.kathrin_mueller'],
  } as const
  for (const [reason, passwords] of Object.entries(BAD)) {
    for (const password of passwords) {
      test(`refuses ${password.slice(0, 40) || 'nothing'}: ${reason}`, () =>
        assert.equal(checkPasswordRules(password, ANN), reason))
    }
  }

  test('similarity depends on the person', () => {
    assert.equal(checkPasswordRules('Kathrin-1985', ANN), 'password_similar')
    assert.equal(checkPasswordRules('Kathrin-1985', { name: 'Paul', email: 'paul@example.org' }), undefined)
  })

  test('is similar if half of it consists of parts of the name with three letters or more, longer parts first', () => {
    const of = (name: string, password: string) => checkPasswordRules(password, { name, email: 'x@y.zz' })
    assert.equal(of('Paula', 'paulaqmzwx'), 'password_similar')
    assert.equal(of('Paula', 'paulaqmzwxk'), undefined)
    assert.equal(of('Ann', 'annqannwannk'), 'password_similar')
    assert.equal(of('Li Wu', 'liwuliwqmt'), undefined)
    for (const name of ['Ann Annabel', 'Annabel Ann']) assert.equal(of(name, 'annabelqwm'), 'password_similar')
  })

  test('the list has a few hundred words in normalised form', () => {
    assert.ok(COMMON_PASSWORDS.size > 300)
    assert.deepEqual(
      [...COMMON_PASSWORDS].filter((word) => word !== word.toLowerCase() || word.length < 4),
      [],
    )
  })
})
