import { mapInTurns } from '#platform/thread.ts'
import { type PlanContext, planRows, type TablePlan } from '../rules/plan.ts'
import type { TableRow } from '../rules/rows.ts'

/** What saving the rows does. Reading one row takes milliseconds: with 100 of them, others would wait for a second. */
export async function planInTurns(rows: readonly TableRow[], context: PlanContext): Promise<TablePlan> {
  const plans = await mapInTurns(rows, (row) => planRows([row], context))
  return {
    created: plans.flatMap(({ created }) => created),
    changed: plans.flatMap(({ changed }) => changed),
    removed: plans.flatMap(({ removed }) => removed),
    faults: plans.flatMap(({ faults }) => faults),
    conflicts: plans.flatMap(({ conflicts }) => conflicts),
  }
}
