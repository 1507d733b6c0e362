import { z } from 'zod'
import { signedIn } from '#platform/http/access.ts'
import { formPage, type Page } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { formId } from '#platform/ui/form-schemas.ts'
import { answerStatement } from '../commands/denials.ts'
import { findSilentHosts, findStatements } from '../queries/statements.ts'
import { STATEMENTS, statementsView } from '../views/statements.ts'

const answerForm = z.object({ statement: formId(), right: z.enum(['yes', 'no']) })

/** Where the person stands at hosts, as far as it is known here; they can deny what a host says. */
export const statementsPage: Page = formPage({
  path: STATEMENTS,
  access: signedIn,
  form: answerForm,
  show: async ({ context, csrfToken }) => {
    const { words, now } = context
    const [statements, silent] = await Promise.all([findStatements(context), findSilentHosts(context)])
    const breadcrumb = [{ href: '/events/external/', label: words.t('statement.external') }]
    const main = statementsView({ words, now, csrfToken, statements, silent })
    return { title: words.t('statement.title'), breadcrumb, main }
  },
  submit: async ({ commandContext, context: { words } }, { statement, right }) => {
    if (!(await answerStatement(commandContext, { statementId: statement, isRight: right === 'yes' })))
      throw new Problem('not_found')
    const text = words.t(right === 'yes' ? 'statement.accepted_done' : 'statement.denied_done')
    return { redirect: STATEMENTS, flash: { kind: 'good', text } }
  },
})
