import type { Reason } from '#features/staffing/staffing/rules/model.ts'
import { requirePlanned } from '#features/staffing/waiting-list/queries/shift.ts'
import { waitingListPath } from '#features/staffing/waiting-list/rules/links.ts'
import type { CommandContext } from '#platform/auth/context.ts'
import { signedIn } from '#platform/http/access.ts'
import { actionPage, type Page } from '#platform/http/page.ts'
import type { Flash } from '#platform/ui/flash.ts'
import { emptyForm } from '#platform/ui/form-schemas.ts'
import { withReasons } from './shift.ts'

type Outcome = { kind: 'done' | 'agreed' | 'refused' | 'gone' } | { kind: 'not_possible'; reasons: readonly Reason[] }
type Exchange = {
  words: 'stand_in' | 'swap'
  /** What planners read when the places have changed hands. */
  done: 'stand_in.agreed' | 'swap.done'
  decide: (context: CommandContext, decision: { shiftId: number; id: number; agrees: boolean }) => Promise<Outcome>
  undo: (context: CommandContext, exchange: { shiftId: number; id: number }) => Promise<boolean>
}

/** Pages on which those who plan a shift agree to an exchange of places, refuse it, or take it back. */
export function decisionPages(path: 'stand-in' | 'swap', { words: texts, done, decide, undo }: Exchange): Page[] {
  const decidePage = (step: 'agree' | 'refuse') =>
    actionPage({
      path: `/shifts/{shift}/${path}/{id}/${step}/`,
      access: signedIn,
      form: emptyForm,
      submit: async (request) => {
        const { words } = request.context
        const shift = await requirePlanned(request)
        const agrees = step === 'agree'
        const outcome = await decide(request.commandContext, { shiftId: shift.id, id: request.path.id, agrees })
        const flashOf = async (): Promise<Flash> => {
          switch (outcome.kind) {
            case 'done':
              return { kind: 'good', text: words.t(done) }
            case 'agreed':
              return { kind: 'good', text: words.t(`${texts}.agreed`) }
            case 'refused':
              return { kind: 'info', text: words.t(`${texts}.was_refused`) }
            case 'gone':
              return { kind: 'warn', text: words.t(`${texts}.gone`) }
            default:
              return {
                kind: 'warn',
                text: await withReasons(request.context, words.t(`${texts}.not_possible`), outcome.reasons),
              }
          }
        }
        return { redirect: waitingListPath(shift.id), flash: await flashOf() }
      },
    })
  const undoPage = actionPage({
    path: `/shifts/{shift}/${path}/{id}/undo/`,
    access: signedIn,
    form: emptyForm,
    submit: async (request) => {
      const { words } = request.context
      const shift = await requirePlanned(request)
      const isUndone = await undo(request.commandContext, { shiftId: shift.id, id: request.path.id })
      const flash: Flash = isUndone
        ? { kind: 'info', text: words.t(`${texts}.undone`) }
        : { kind: 'warn', text: words.t(`${texts}.not_undone`) }
      return { redirect: waitingListPath(shift.id), flash }
    },
  })
  return [decidePage('agree'), decidePage('refuse'), undoPage]
}
