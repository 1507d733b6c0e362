import assert from 'node:assert/strict'
import { argon2Sync, pbkdf2Sync, scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { checkDecoyPassword, checkPassword, hashPassword, isKnownHash } from './passwords.ts'

const PASSWORD = 'Grüße aus dem Hafen'
const plain = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

function djangoArgon2({
  memory = 102_400,
  passes = 2,
  parallelism = 8,
  prefix = 'argon2',
  kind = 'argon2id' as 'argon2id' | 'argon2i',
} = {}): string {
  const nonce = Buffer.from('c2FsdHNhbHRzYWx0', 'base64')
  const tag = argon2Sync(kind, { message: PASSWORD, nonce, memory, passes, parallelism, tagLength: 32 })
  return `${prefix}$${kind}$v=19$m=${memory},t=${passes},p=${parallelism}$${plain(nonce)}$${plain(tag)}`
}
function djangoPbkdf2(rounds = 1_000, digest: 'sha256' | 'sha1' = 'sha256', length = 32): string {
  return `pbkdf2_${digest}$${rounds}$saltsalt$${pbkdf2Sync(PASSWORD, 'saltsalt', rounds, length, digest).toString('base64')}`
}
/** Django's defaults: 2^14, 8, 5 and 64 bytes. */
function djangoScrypt(N = 16_384, r = 8, p = 5, length = 64): string {
  const hash = scryptSync(PASSWORD, 'saltsalt', length, { N, r, p, maxmem: 2 ** 28 })
  return `scrypt$${N}$saltsalt$${r}$${p}$${hash.toString('base64')}`
}

const KNOWN: [what: string, stored: string, outdated: boolean][] = [
  ['ours', await hashPassword(PASSWORD), false],
  ['Django’s argon2', djangoArgon2(), true],
  ['argon2id with other costs', djangoArgon2({ memory: 1_024, parallelism: 1, prefix: '' }), true],
  ['argon2i', djangoArgon2({ memory: 1_024, prefix: '', kind: 'argon2i' }), true],
  ['Django’s PBKDF2', djangoPbkdf2(), true],
  ['Django’s PBKDF2 with SHA-1', djangoPbkdf2(1_000, 'sha1', 20), true],
  ['Django’s scrypt', djangoScrypt(), true],
  ['Django’s scrypt with other costs', djangoScrypt(1_024, 1, 1, 32), true],
]
for (const [what, stored, outdated] of KNOWN) {
  test(`verifies ${what} and reports whether to hash again`, async () => {
    assert.deepEqual(await checkPassword(PASSWORD, stored), { ok: true, outdated })
    assert.equal((await checkPassword(`${PASSWORD} `, stored)).ok, false)
    assert.equal((await checkPassword('', stored)).ok, false)
  })
}

test('verifies a hash of the scrypt standard, RFC 7914', async () => {
  const hash = '/bq+HJ00cgB4VucZDQHp/nxq18vII3gw53N2Y0s3MWIurzDZLiKjiG/xCSedmDDaxyevuUqD7m2DYMvfoswGQA=='
  assert.deepEqual(await checkPassword('password', `scrypt$1024$NaCl$8$16$${hash}`), { ok: true, outdated: true })
})

test('isKnownHash accepts the formats that can be verified', () => {
  for (const [, stored] of KNOWN) assert.equal(isKnownHash(stored), true)
  for (const stored of ['', '!', 'bcrypt_sha256$$2b$12$abcdefghijklmnopqrstuv', 'md5$salt$5f4d'])
    assert.equal(isKnownHash(stored), false)
})

test('new hashes use the parameters recommended by OWASP and a random salt', async () => {
  const [a, b] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)])
  assert.match(a, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(a, b)
})

const MALFORMED = [
  '',
  '!',
  '!unusable',
  PASSWORD,
  'md5$salt$5f4dcc3b5aa765d61d8327deb882cf99',
  'bcrypt_sha256$$2b$12$abcdefghijklmnopqrstuv',
  '$argon2id$v=16$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAA',
  '$argon2id$v=19$m=0,t=0,p=0$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAA',
  '$argon2id$v=19$m=19456,t=2,p=1$c2E$AAAAAAAAAAAAAAAAAAAAAA',
  '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$A',
  '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$AAAA',
  '$argon2id$v=19$m=4294967295,t=4294967295,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAA',
  '$argon2id$v=19$m=99999999999999999999,t=2,p=1$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAA',
  '$argon2id$v=19$m=19456,t=2,p=99999999$c2FsdHNhbHRzYWx0$AAAAAAAAAAAAAAAAAAAAAA',
  'pbkdf2_sha256$0$salt$AAAAAAAAAAAAAAAAAAAAAA==',
  'pbkdf2_sha256$99999999999$salt$AAAAAAAAAAAAAAAAAAAAAA==',
  'pbkdf2_sha256$1000$salt$=',
  'pbkdf2_sha256$1000$salt$A',
  'pbkdf2_sha256$1000$$AAAAAAAAAAAAAAAAAAAAAA==',
  'pbkdf2_sha512$1000$salt$AAAAAAAAAAAAAAAAAAAAAA==',
  'scrypt$0$salt$8$1$AAAAAAAAAAAAAAAAAAAAAA==',
  'scrypt$1$salt$8$1$AAAAAAAAAAAAAAAAAAAAAA==',
  'scrypt$1000$salt$8$1$AAAAAAAAAAAAAAAAAAAAAA==',
  'scrypt$1024$salt$0$1$AAAAAAAAAAAAAAAAAAAAAA==',
  'scrypt$1024$salt$8$0$AAAAAAAAAAAAAAAAAAAAAA==',
  'scrypt$1024$salt$8$65$AAAAAAAAAAAAAAAAAAAAAA==',
  'scrypt$1048576$salt$1024$1$AAAAAAAAAAAAAAAAAAAAAA==',
  'scrypt$1024$$8$1$AAAAAAAAAAAAAAAAAAAAAA==',
  'scrypt$1024$salt$8$1$AAAA',
]
for (const stored of MALFORMED) {
  test(`does not match and does not throw: ${stored || '(nothing)'}`, async () => {
    assert.equal((await checkPassword(PASSWORD, stored)).ok, false)
    assert.equal((await checkPassword('', stored)).ok, false)
  })
}

test('a missing hash never matches', async () => {
  assert.deepEqual(await checkDecoyPassword(PASSWORD), { ok: false, outdated: false })
  assert.deepEqual(await checkDecoyPassword(''), { ok: false, outdated: false })
})
