import { type Command, UsageError } from '#platform/command-line/command.ts'
import { keyringOf, requireDatabase } from '#platform/command-line/data-directory.ts'
import { resetFactorsAsOperator } from './commands/reset.ts'

export const resetFactor: Command = {
  options: {
    email: { type: 'string', hint: 'ADDRESS', help: 'E-mail address of the person', required: true },
  },
  run: async ({ config, values, terminal, withDatabase, asOperator }) => {
    requireDatabase(config)
    const keyring = keyringOf(config)
    return withDatabase(config, async ({ db }) => {
      const person = await db.read
        .selectFrom('user_profile')
        .select('id')
        .where(({ eb, fn }) => eb(fn('lower', ['email']), '=', String(values.email).toLowerCase()))
        .where('is_service_account', '=', false)
        .executeTakeFirst()
      if (!person) throw new UsageError(`there is no account with the e-mail address ${values.email}`)
      const isReset = await resetFactorsAsOperator(asOperator(config, db, keyring), person.id)
      if (!isReset) throw new UsageError(`${values.email} has no second factor`)
      terminal.print(
        `The second factors of ${values.email} were removed. The password alone is enough until a new one is set up.`,
      )
      return 0
    })
  },
}
