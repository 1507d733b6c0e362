import { mailName } from '#platform/html/mail-name.ts'
import type { NotificationDetails } from '../rules/details.ts'

const nameOf = <Name extends string | null | undefined>(name: Name): Name | string =>
  typeof name === 'string' ? mailName(name) : name

/** The same with the names of people as mails and push messages show them: some chose their name themselves. */
export function withMailNames<Details extends NotificationDetails>(details: Details): Details {
  const { child, participant, actor, requester, qualification, guardianship, inquiry, standIn, swap } = details
  return {
    ...details,
    child: child && { ...child, name: mailName(child.name) },
    participant: nameOf(participant),
    actor: nameOf(actor),
    requester: nameOf(requester),
    qualification: qualification && { ...qualification, holder: mailName(qualification.holder) },
    guardianship: guardianship && { ...guardianship, name: mailName(guardianship.name) },
    inquiry: inquiry && { ...inquiry, askedBy: nameOf(inquiry.askedBy) },
    standIn: standIn && { ...standIn, seeker: mailName(standIn.seeker), taker: nameOf(standIn.taker) },
    swap: swap && { ...swap, proposer: mailName(swap.proposer), other: mailName(swap.other) },
  }
}
