import type { Page } from '#platform/http/page.ts'
import { editEventPage } from './edit-event.ts'
import type { EventSections } from './form.ts'
import { lifecyclePages } from './lifecycle.ts'
import { newEventPage } from './new-event.ts'
import { editShiftPage, newShiftPage } from './shift.ts'

/** `sections` come from features above: parts of the event form. */
export function planningPages({ sections }: { sections: EventSections }): Page[] {
  return [newEventPage(sections), editEventPage(sections), newShiftPage, editShiftPage, ...lifecyclePages]
}
