/** A wallet's words while they are shown or checked, and no longer. */
export const words: { shown: string | undefined } = { shown: undefined };
