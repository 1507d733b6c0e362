import type { Page } from '#platform/http/page.ts'
import type { CopyHook } from '../commands/duplicate.ts'
import { copiesPages, copyShiftPage, duplicatePage } from './duplicate.ts'
import { editEventPage } from './edit-event.ts'
import type { EventSections } from './form.ts'
import { lifecyclePages } from './lifecycle.ts'
import { newEventPage } from './new-event.ts'
import { editShiftPage, newShiftPage } from './shift.ts'

/** `sections` and `copyHooks` come from features above: parts of the event form, and their own data to copy with an event. */
export function planningPages({ sections, copyHooks }: { sections: EventSections; copyHooks: readonly CopyHook[] }): Page[] {
  return [
    newEventPage(sections),
    editEventPage(sections),
    newShiftPage,
    editShiftPage,
    duplicatePage(copyHooks),
    ...copiesPages,
    copyShiftPage,
    ...lifecyclePages,
  ]
}
