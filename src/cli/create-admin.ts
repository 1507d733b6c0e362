import { createAdministrator, inviteAdministrator } from '#features/sign-in/commands/administrators.ts'
import { randomSecret } from '#platform/auth/secrets.ts'
import { type Command, UsageError } from './command.ts'
import { keyringOf, withDatabase } from './instance.ts'
import { makeOperatorContext } from './operator-context.ts'

export const createAdmin: Command = {
  name: 'create-admin',
  summary: 'Create an administrator; prints a random password unless one is piped in',
  options: {
    email: { type: 'string', hint: 'E', help: 'E-mail address to sign in with', required: true },
    name: { type: 'string', hint: 'NAME', help: 'Name to show', required: true },
    'password-stdin': { type: 'boolean', help: 'Read the password from standard input' },
    invite: { type: 'boolean', help: 'Set no password: a mail brings the link to choose one' },
  },
  run: async ({ config, values, terminal }) => {
    const keyring = keyringOf(config)
    if (values.invite && values['password-stdin']) throw new UsageError('--invite and --password-stdin exclude each other')
    const given = values['password-stdin'] ? await readStandardInput() : undefined
    const password = given ?? randomSecret(20)
    return withDatabase(config, async ({ db }) => {
      const context = makeOperatorContext(config, db, keyring)
      const person = { email: String(values.email), name: String(values.name) }
      const made = await (values.invite
        ? inviteAdministrator(context, person)
        : createAdministrator(context, { ...person, password }))
      if (!made.ok) throw new UsageError(`the administrator was not created: ${made.reasons.join(', ').replaceAll('_', ' ')}`)
      terminal.print(`${values.email} is an administrator now.`)
      if (values.invite) terminal.print('A mail with the link to a password is sent as soon as the worker runs.')
      else if (!given) console.log(password)
      return 0
    })
  },
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
