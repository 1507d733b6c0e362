export const standInPath = (shiftId: number): string => `/shifts/${shiftId}/stand-in/`
export const stopSearchPath = (shiftId: number): string => `${standInPath(shiftId)}cancel/`
export const standInStepPath = (shiftId: number, standInId: number, step: 'agree' | 'refuse' | 'undo'): string =>
  `${standInPath(shiftId)}${standInId}/${step}/`
export const swapPath = (shiftId: number): string => `/shifts/${shiftId}/swap/`
export const proposePath = (shiftId: number, placeId: number): string => `${swapPath(shiftId)}${placeId}/`
export const swapStepPath = (shiftId: number, swapId: number, step: 'withdraw' | 'agree' | 'refuse' | 'undo'): string =>
  `${swapPath(shiftId)}${swapId}/${step}/`
