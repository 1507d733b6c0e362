import { SCOPES } from '#platform/auth/scopes.ts'
import { type Command, UsageError } from '#platform/command-line/command.ts'
import { keyringOf, requireDatabase } from '#platform/command-line/data-directory.ts'
import { createPersonalToken } from './commands/personal.ts'
import { DEFAULT_DAYS, type TokenRefusal } from './rules.ts'

export const token: Command = {
  options: {
    email: { type: 'string', hint: 'ADDRESS', help: 'E-mail address of the owner', required: true },
    scope: { type: 'string', hint: '"A B"', help: `Scopes, separated by spaces: ${SCOPES.join(', ')}`, required: true },
    days: { type: 'string', hint: 'N', help: `Validity in days (default: ${DEFAULT_DAYS})` },
    description: { type: 'string', hint: 'TEXT', help: 'Purpose, shown in the list of tokens' },
  },
  run: async ({ config, values, terminal, withDatabase, asOperator }) => {
    requireDatabase(config)
    const keyring = keyringOf(config)
    return withDatabase(config, async ({ db }) => {
      const person = await db.read
        .selectFrom('user_profile')
        .select(['id', 'is_active'])
        .where(({ eb, fn }) => eb(fn('lower', ['email']), '=', String(values.email).toLowerCase()))
        .where('is_service_account', '=', false)
        .executeTakeFirst()
      if (!person) throw new UsageError(`there is no account with the e-mail address ${values.email}`)
      const made = await createPersonalToken(asOperator(config, db, keyring), person.id, {
        description: String(values.description ?? 'Made on the command line'),
        scopes: String(values.scope)
          .split(/[\s,]+/)
          .filter(Boolean),
        days: values.days === undefined ? Math.min(DEFAULT_DAYS, config.tokenMaxDays) : Number(values.days),
      })
      if (!made.ok) throw new UsageError(made.reasons.map((reason) => REASONS[reason](config.tokenMaxDays)).join('; '))
      console.log(made.token)
      terminal.print(
        `Valid until ${made.expiresAt.toISOString()}${person.is_active ? '' : '; it does not work until the account is active'}`,
      )
      return 0
    })
  },
}

const REASONS: Record<TokenRefusal, (mostDays: number) => string> = {
  no_description: () => '--description must not be empty',
  long_description: () => '--description must have at most 1,000 characters',
  no_scope: () => '--scope must name at least one scope',
  unknown_scope: () => `--scope must be one or more of ${SCOPES.join(', ')}`,
  bad_days: (most) => `--days must be a whole number from 1 to ${most} (TOKEN_MAX_DAYS)`,
}
