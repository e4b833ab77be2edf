/**
 * All rows.
 */
import { centeredSubjects } from './centered.js'
import { dividedSubjects } from './divided.js'
import { type Subject, titleOf } from './subject.js'

export const subjects: readonly Subject[] = [...centeredSubjects, ...dividedSubjects]

/** The one row of that title. */
export function subject(title: string): Subject {
  const found = subjects.find((one) => titleOf(one) === title)
  if (found === undefined) throw new Error(`no row ${title}`)
  return found
}
