import { z } from 'zod'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, formPage, type Page } from '#platform/http/page.ts'
import { Problem } from '#platform/http/problem.ts'
import { formId } from '#platform/ui/form-schemas.ts'
import { answerStatement } from '../commands/denials.ts'
import { setObjection } from '../commands/objections.ts'
import { findPastAtPartners, findSilentHosts, findStatements, isObjecting } from '../queries/statements.ts'
import { OBJECTION, STATEMENTS, statementsView } from '../views/statements.ts'

const right = z.enum(['yes', 'no'])
const answerForm = z.union([z.object({ statement: formId(), right }), z.object({ hours: formId(), right })])

/** Where the person stands at hosts, as far as it is known here; they can deny what a host says. */
const answersPage: Page = formPage({
  path: STATEMENTS,
  access: signedIn,
  form: answerForm,
  show: async ({ context, csrfToken }) => {
    const { words, now } = context
    const [statements, past, silent, objects] = await Promise.all([
      findStatements(context),
      findPastAtPartners(context),
      findSilentHosts(context),
      isObjecting(context),
    ])
    const breadcrumb = [{ href: '/events/external/', label: words.t('statement.external') }]
    const main = statementsView({ words, now, csrfToken, statements, past, silent, objects })
    return { title: words.t('statement.title'), breadcrumb, main }
  },
  submit: async ({ commandContext, context: { words } }, form) => {
    const isRight = form.right === 'yes'
    const about = 'hours' in form ? { hoursId: form.hours } : { statementId: form.statement }
    if (!(await answerStatement(commandContext, { ...about, isRight }))) throw new Problem('not_found')
    const text = words.t(isRight ? 'statement.accepted_done' : 'statement.denied_done')
    return { redirect: STATEMENTS, flash: { kind: 'good', text } }
  },
})

const objectionPage: Page = actionPage({
  path: OBJECTION,
  access: signedIn,
  form: z.object({ objects: right }),
  submit: async ({ commandContext, context: { words } }, { objects }) => {
    await setObjection(commandContext, objects === 'yes')
    return {
      redirect: STATEMENTS,
      flash: { kind: 'good', text: words.t(objects === 'yes' ? 'statement.objected' : 'statement.allowed') },
    }
  },
})

export const statementsPages: Page[] = [answersPage, objectionPage]
