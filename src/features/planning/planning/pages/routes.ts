import type { Page } from '#platform/http/page.ts'
import { editEventPage } from './edit-event.ts'
import type { AfterSave, EventSections } from './form.ts'
import { lifecyclePages } from './lifecycle.ts'
import { newEventPage } from './new-event.ts'
import { editShiftPage, newShiftPage } from './shift.ts'

/** Both come from features above: parts of the event form, and what is asked after saving. */
export function planningPages({ sections, afterSave }: { sections: EventSections; afterSave: AfterSave }): Page[] {
  return [
    newEventPage(sections),
    editEventPage(sections, afterSave),
    newShiftPage(afterSave),
    editShiftPage(afterSave),
    ...lifecyclePages,
  ]
}
