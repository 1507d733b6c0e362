import { randomSecret } from '#platform/auth/secrets.ts'
import { type Command, UsageError } from '#platform/command-line/command.ts'
import { keyringOf } from '#platform/command-line/data-directory.ts'
import { createAdministrator, inviteAdministrator } from './commands/administrators.ts'

export const createAdmin: Command = {
  options: {
    email: { type: 'string', hint: 'ADDRESS', help: 'E-mail address to sign in with', required: true },
    name: { type: 'string', hint: 'NAME', help: 'Display name', required: true },
    'password-stdin': { type: 'boolean', help: 'Read the password from standard input' },
    invite: { type: 'boolean', help: 'Set no password; send a mail with a link to choose one' },
  },
  run: async ({ config, values, terminal, withDatabase, asOperator }) => {
    const keyring = keyringOf(config)
    if (values.invite && values['password-stdin']) throw new UsageError('--invite and --password-stdin cannot be combined')
    const given = values['password-stdin'] ? await readStandardInput() : undefined
    const password = given ?? randomSecret(20)
    return withDatabase(config, async ({ db }) => {
      const context = asOperator(config, db, keyring)
      const person = { email: String(values.email), name: String(values.name) }
      const made = await (values.invite
        ? inviteAdministrator(context, person)
        : createAdministrator(context, { ...person, password }))
      if (!made.ok) throw new UsageError(`the administrator was not created: ${made.reasons.join(', ').replaceAll('_', ' ')}`)
      terminal.print(`${values.email} is now an administrator.`)
      if (values.invite) terminal.print('The worker will send a mail with a link to choose a password.')
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
