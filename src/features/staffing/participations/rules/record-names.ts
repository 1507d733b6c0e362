/** A participation in the notes of stored answers of the API. */
export const nameOfRecord = (participationId: number): string => `participation ${participationId}`
