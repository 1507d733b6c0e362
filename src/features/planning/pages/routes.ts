import type { Page } from '#platform/http/page.ts'
import type { CopyAlong } from '../commands/duplicate.ts'
import { copyShiftPage, duplicatePage } from './duplicate.ts'
import { editEventPage } from './edit-event.ts'
import type { EventSections } from './form.ts'
import { lifePages } from './lifecycle.ts'
import { newEventPage } from './new-event.ts'
import { editShiftPage, newShiftPage } from './shift.ts'

/** `sections`: what rooms above add to the form of an event; `along`: what they keep with it and want copied, too. */
export function planningPages({ sections, along }: { sections: EventSections; along: readonly CopyAlong[] }): Page[] {
  return [
    newEventPage(sections),
    editEventPage(sections),
    newShiftPage,
    editShiftPage,
    duplicatePage(along),
    copyShiftPage,
    ...lifePages,
  ]
}
